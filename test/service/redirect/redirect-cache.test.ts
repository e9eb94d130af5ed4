import { expect } from 'vitest'
import { createRedirectCache } from '../../../src/service/redirect/redirect-cache.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { createChangedLinks, type ChangedLinks } from '../../../src/service/store/changed-links.ts'
import { withService } from '../../support/fixtures.ts'
import { changeLink } from '../../support/links.ts'
import { callLink, newLink, shorten } from '../../support/service-calls.ts'

const HOSTNAME = 'go.example.com'
const publicUrl = `https://${HOSTNAME}`
const addresses = createAddresses(publicUrl)

const { test, service } = withService({ publicUrl })
let cache: ReturnType<typeof createRedirectCache>
let changedLinks: ChangedLinks

function createCache(maxBytes?: number) {
  const context = { ...service.database, addresses, now: Date.now, changedLinks }
  return createRedirectCache(context, maxBytes)
}

test.beforeEach(() => {
  changedLinks = createChangedLinks()
  cache = createCache()
})

const setDestination = (backHalf: string, destination_url: string) =>
  changeLink(service.database, backHalf, { destination_url })

test('remembers a link without its database row, and finds it without a promise', async () => {
  await shorten(service, 'kept')
  const found = await cache.find(HOSTNAME, 'kept')
  expect(cache.find(HOSTNAME, 'kept')).toBe(found)
  await service.database.db.updateTable('links').set({ back_half: 'away' }).execute()
  expect(await cache.find(HOSTNAME, 'kept')).toBe(found)
  expect(await cache.find('other.example', 'kept')).toBeUndefined()
})

test('forgets links that are not used, so that they take a limited number of bytes', async () => {
  // A link takes about 300 bytes, so five fit.
  const small = createCache(1_700)
  const links = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  for (const link of links) await shorten(service, link)
  const used = await small.find(HOSTNAME, 'a')
  for (const link of links) {
    await small.find(HOSTNAME, link)
    expect(small.find(HOSTNAME, 'a')).toBe(used)
  }
  expect(small.find(HOSTNAME, 'g')).toMatchObject({ location: 'https://example.com/g' })
  expect(small.find(HOSTNAME, 'b')).toBeInstanceOf(Promise)
})

test('does not cache what was read before a change that was announced meanwhile', async () => {
  const { name } = await newLink(service, { back_half: 'raced' })
  const early = Array.from({ length: 100 }, async () => cache.find(HOSTNAME, 'raced'))
  await setDestination('raced', 'https://new.example/')
  changedLinks.announce([name])
  await Promise.all(early)
  expect(await cache.find(HOSTNAME, 'raced')).toMatchObject({ location: 'https://new.example/' })
})

test('reads a link again once its change is announced, also by an earlier short URL', async () => {
  await shorten(service, 'other')
  const { name } = await newLink(service, { back_half: 'old' })
  await callLink(service, 'PATCH', name, { fields: { back_half: 'new' } })
  const before = await cache.find(HOSTNAME, 'new')
  const other = await cache.find(HOSTNAME, 'other')
  expect(await cache.find(HOSTNAME, 'old')).toEqual(before)
  await setDestination('new', 'https://new.example/')
  expect(await cache.find(HOSTNAME, 'new')).toBe(before)
  changedLinks.announce([before?.linkId ?? ''])
  for (const backHalf of ['new', 'old']) {
    expect(await cache.find(HOSTNAME, backHalf)).toMatchObject({ location: 'https://new.example/' })
  }
  expect(await cache.find(HOSTNAME, 'other')).toBe(other)
})

test('looks up only possible back-halves and hostnames', async () => {
  await service.database.close() // Another look-up would fail.
  expect(await cache.find('a'.repeat(255), 'possible')).toBeUndefined()
  expect(await cache.find(HOSTNAME, 'not/possible')).toBeUndefined()
})
