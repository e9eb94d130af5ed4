import { expect, test } from 'vitest'
import { shortenBatch } from '../../../src/slack/message-links/checklists.ts'
import type { BatchResult } from '../../../src/slack/message-links/links-created.ts'
import type { WorkspaceLinkService } from '../../../src/slack/links/links.ts'
import { fakeCaller, fakeShortenPlatform } from '../../support/platform.ts'

const CALLER = fakeCaller()

const drafts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    destination_url: `https://example.com/${index}`,
  }))

/** A batch whose links are created by `create`. */
function setUp(create: WorkspaceLinkService['create']) {
  const platform = fakeShortenPlatform(create)
  const makes = (count: number): Promise<BatchResult[]> =>
    shortenBatch(platform, CALLER, drafts(count), 'V1')
  return { makes, logged: platform.logged }
}

test('makes four links at a time, each with its own key, and returns them in order', async () => {
  let running = 0
  let most = 0
  const keys = new Set<string | undefined>()
  const { makes } = setUp(async (_caller, { destination_url }, { idempotencyKey }) => {
    keys.add(idempotencyKey)
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    const name = destination_url.slice(-1)
    return { name, destination_url, shortlink_url: `https://go.example.com/${name}` }
  })
  const results = await makes(10)
  expect(results).toMatchObject(
    drafts(10).map(({ destination_url: url }) => ({ url, created: { destination_url: url } })),
  )
  expect(keys.size).toBe(10)
  expect(most).toBe(4)
})

test('logs an unexpected error, and explains it at its link', async () => {
  const { makes, logged } = setUp(() => Promise.reject(new TypeError('no such thing')))
  const results = await makes(1)
  expect(results).toEqual([
    {
      url: 'https://example.com/0',
      failure: 'Something went wrong on our side, and it has been logged. Please try again.',
    },
  ])
  expect(logged).toEqual([expect.stringContaining('no such thing')])
})
