import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createRedirectCache,
  type RedirectCache,
} from '../../../src/service/redirect/redirect-cache.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { createChangedLinks, type ChangedLinks } from '../../../src/service/store/changed-links.ts'
import { addAlias, changeLink } from '../../support/links.ts'
import { postForm } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

const HOSTNAME = 'go.example.com'

let service: RunningService
let cache: RedirectCache
let changedLinks: ChangedLinks

beforeEach(async () => {
  const publicUrl = `https://${HOSTNAME}`
  service = await startService({ publicUrl })
  const addresses = createAddresses(publicUrl)
  changedLinks = createChangedLinks()
  cache = createRedirectCache({ ...service.database, addresses, now: Date.now, changedLinks })
})
afterEach(() => service.close())

async function shorten(back_half: string, more: Record<string, string> = {}): Promise<void> {
  const destination_url = `https://Example.com/${back_half}`
  await postForm(service, { destination_url, domain: 'default', back_half, ...more })
}

async function setDestination(backHalf: string, destination_url: string): Promise<void> {
  await changeLink(service.database, backHalf, { destination_url })
}

test('finds the destination with its UTM parameters, and whether there is a card', async () => {
  await shorten('plain')
  await shorten('full', {
    utm_analytics_enabled: 'true',
    utm_source: 'slack',
    is_custom_preview: 'true',
  })
  expect(await cache.find(HOSTNAME, 'plain')).toEqual({
    linkId: expect.any(String) as string,
    enabled: 1,
    expires_at: null,
    deleted_at: null,
    location: 'https://example.com/plain',
    hasCard: false,
    readAt: 0,
  })
  expect(await cache.find(HOSTNAME, 'full')).toMatchObject({
    location: 'https://example.com/full?utm_source=slack',
    hasCard: true,
  })
})

test('remembers a link without its database row, and finds it without a promise', async () => {
  await shorten('kept')
  const found = await cache.find(HOSTNAME, 'kept')
  expect(cache.find(HOSTNAME, 'kept')).toBe(found)
  await service.database.db.deleteFrom('click_totals').execute()
  await service.database.db.deleteFrom('links').execute()
  expect(await cache.find(HOSTNAME, 'kept')).toBe(found)
  expect(await cache.find('other.example', 'kept')).toBeUndefined()
})

test('forgets links that are not used, so that they take a limited number of bytes', async () => {
  const addresses = createAddresses(`https://${HOSTNAME}`)
  // A link takes about 300 bytes, so each half of the memory holds three.
  const small = createRedirectCache(
    { ...service.database, addresses, now: Date.now, changedLinks },
    1_700,
  )
  const links = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  for (const link of links) await shorten(link)
  const used = await small.find(HOSTNAME, 'a')
  for (const link of links) {
    await small.find(HOSTNAME, link)
    expect(small.find(HOSTNAME, 'a')).toBe(used)
  }
  expect(small.find(HOSTNAME, 'g')).toMatchObject({ location: 'https://example.com/g' })
  expect(small.find(HOSTNAME, 'b')).toBeInstanceOf(Promise)
})

test('reads a link again once its change is announced', async () => {
  await shorten('changed')
  await shorten('other')
  const [before, other] = [
    await cache.find(HOSTNAME, 'changed'),
    await cache.find(HOSTNAME, 'other'),
  ]
  await setDestination('changed', 'https://new.example/')
  expect(await cache.find(HOSTNAME, 'changed')).toBe(before)
  changedLinks.announce([before?.linkId ?? ''])
  expect(await cache.find(HOSTNAME, 'changed')).toMatchObject({ location: 'https://new.example/' })
  expect(await cache.find(HOSTNAME, 'other')).toBe(other)
})

test('does not cache what was read before a change that was announced meanwhile', async () => {
  await shorten('raced')
  const { id } = await service.database.db
    .selectFrom('links')
    .select('id')
    .executeTakeFirstOrThrow()
  const early = Array.from({ length: 100 }, async () => cache.find(HOSTNAME, 'raced'))
  await setDestination('raced', 'https://new.example/')
  changedLinks.announce([id])
  await Promise.all(early)
  expect(await cache.find(HOSTNAME, 'raced')).toMatchObject({ location: 'https://new.example/' })
})

test('follows an earlier short URL to its link, and sees the changes of that link', async () => {
  await shorten('new')
  await addAlias(service.database, 'new', 'old')
  const link = await cache.find(HOSTNAME, 'new')
  expect(await cache.find(HOSTNAME, 'old')).toEqual(link)
  await setDestination('new', 'https://new.example/')
  changedLinks.announce([link?.linkId ?? ''])
  expect(await cache.find(HOSTNAME, 'old')).toMatchObject({ location: 'https://new.example/' })
})

test('does not remember that a link is missing', async () => {
  expect(await cache.find(HOSTNAME, 'later')).toBeUndefined()
  await shorten('later')
  expect(await cache.find(HOSTNAME, 'later')).toMatchObject({
    location: 'https://example.com/later',
  })
})

test('looks up only possible back-halves and hostnames', async () => {
  await service.database.close()
  expect(await cache.find('a'.repeat(255), 'possible')).toBeUndefined()
  expect(await cache.find(HOSTNAME, 'not/possible')).toBeUndefined()
})
