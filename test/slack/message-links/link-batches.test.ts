import { expect, test } from 'vitest'
import type { ShownLink } from '../../../src/slack/block-kit/shown-link.ts'
import { shortenBatch } from '../../../src/slack/message-links/index.ts'
import type { BatchResult } from '../../../src/slack/message-links/links-created.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const CALLER = fakeCaller()

const drafts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    destination_url: `https://example.com/${index}`,
  }))

const linkTo = (destination_url = ''): ShownLink => ({
  destination_url,
  shortlink_url: `${destination_url}/short`,
})

/** A batch whose links are created by `shorten`. */
function setUp(shorten: Parameters<typeof shortenBatch>[1]) {
  const platform = fakePlatform()
  const makes = (count: number): Promise<BatchResult[]> =>
    shortenBatch(platform, shorten, CALLER, drafts(count), 'V1')
  return { makes, logged: platform.logged }
}

test('makes four links at a time, each with its own ID, and returns them in order', async () => {
  let running = 0
  let most = 0
  const ids: string[] = []
  const { makes } = setUp(async (_caller, { destination_url }, slackId) => {
    ids.push(slackId)
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    return linkTo(destination_url)
  })
  const results = await makes(10)
  expect(results).toEqual(
    drafts(10).map(({ destination_url: url }) => ({ url, created: linkTo(url) })),
  )
  expect(ids.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `V1:${index}`))
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
