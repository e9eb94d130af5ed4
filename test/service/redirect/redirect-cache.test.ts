import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createRedirectCache,
  type RedirectCache,
} from '../../../src/service/redirect/redirect-cache.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { postForm } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

const HOSTNAME = 'go.example.com'

let service: RunningService
let cache: RedirectCache

beforeEach(async () => {
  const publicUrl = `https://${HOSTNAME}`
  service = await startService({ publicUrl })
  const addresses = createAddresses(publicUrl)
  cache = createRedirectCache({ ...service.database, addresses, now: Date.now })
})
afterEach(() => service.close())

async function shorten(back_half: string, more: Record<string, string> = {}): Promise<void> {
  const destination_url = `https://Example.com/${back_half}`
  await postForm(service, { destination_url, domain: 'default', back_half, ...more })
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
    location: 'https://example.com/plain',
    hostname: 'example.com',
    hasCard: false,
  })
  expect(await cache.find(HOSTNAME, 'full')).toMatchObject({
    location: 'https://example.com/full?utm_source=slack',
    hasCard: true,
  })
})

test('remembers a link without its database row', async () => {
  await shorten('kept')
  const found = await cache.find(HOSTNAME, 'kept')
  await service.database.db.deleteFrom('click_totals').execute()
  await service.database.db.deleteFrom('links').execute()
  expect(await cache.find(HOSTNAME, 'kept')).toBe(found)
  expect(await cache.find('other.example', 'kept')).toBeUndefined()
})

test('does not remember that a link is missing', async () => {
  expect(await cache.find(HOSTNAME, 'later')).toBeUndefined()
  await shorten('later')
  expect(await cache.find(HOSTNAME, 'later')).toMatchObject({ hostname: 'example.com' })
})

test('looks up only possible back-halves and hostnames', async () => {
  await service.database.close()
  expect(await cache.find('a'.repeat(255), 'possible')).toBeUndefined()
  expect(await cache.find(HOSTNAME, 'not/possible')).toBeUndefined()
})
