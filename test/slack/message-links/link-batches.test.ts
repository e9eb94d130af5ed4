import { expect, test } from 'vitest'
import { NetworkError } from '../../../src/client/errors.ts'
import { RateLimitedError } from '../../../src/client/errors.ts'
import type { ShownLink } from '../../../src/slack/block-kit/shown-link.ts'
import { createLinkBatches } from '../../../src/slack/message-links/link-batches.ts'
import { DuplicateError } from '../../../src/slack/shorten/duplicate/duplicate-error.ts'
import type { Shortener } from '../../../src/slack/shorten/shortener.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const CALLER = fakeCaller()

const drafts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    destination_url: `https://example.com/${index}`,
  }))

const linkTo = (destination_url = ''): ShownLink => ({
  shortlink: { destination_url, shortlink_url: `${destination_url}/short` },
  utm: {},
})

const rateLimited = (retryAfterMs: number): RateLimitedError =>
  new RateLimitedError({ status: 429, message: 'Too many.' }, retryAfterMs)

/** Batches whose links are made by `shorten`. Every pause ends at once, and is recorded. */
function setUp(shorten: Shortener['shorten']) {
  const { clock, logger, logged } = fakePlatform()
  const pauses: number[] = []
  const sleep = async (ms: number): Promise<void> => void pauses.push(ms)
  const batches = createLinkBatches({ clock: { ...clock, sleep }, logger }, { shorten })
  return { batches, pauses, logged }
}

test('makes four links at a time, each with its own ID, and returns them in order', async () => {
  let running = 0
  let most = 0
  const ids: string[] = []
  const { batches } = setUp(async (_caller, { destination_url }, slackId) => {
    ids.push(slackId)
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    return linkTo(destination_url)
  })
  const results = await batches.shorten(CALLER, drafts(10), 'V1')
  expect(results).toEqual(
    drafts(10).map(({ destination_url: url }) => ({ url, created: linkTo(url) })),
  )
  expect(ids.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `V1:${index}`))
  expect(most).toBe(4)
})

test('returns a failure only for the link that failed, and no failure for a duplicate', async () => {
  const { batches } = setUp((_caller, { destination_url: url }) => {
    if (url?.endsWith('/1')) {
      return Promise.reject(new DuplicateError(linkTo('https://existing'), undefined, null))
    }
    if (url?.endsWith('/2')) {
      return Promise.reject(new NetworkError('ECONNREFUSED', { reached: false }))
    }
    return Promise.resolve(linkTo(url))
  })
  expect(await batches.shorten(CALLER, drafts(3), 'V1')).toEqual([
    { url: 'https://example.com/0', created: linkTo('https://example.com/0') },
    { url: 'https://example.com/1', duplicate: linkTo('https://existing') },
    {
      url: 'https://example.com/2',
      failure: 'The link service can’t be reached right now. Try again in a minute.',
    },
  ])
})

test('pauses for as long as the service asks', async () => {
  let refusals = 2
  const { batches, pauses } = setUp((_caller, { destination_url: url }) =>
    refusals-- > 0 ? Promise.reject(rateLimited(20_000)) : Promise.resolve(linkTo(url)),
  )
  const results = await batches.shorten(CALLER, drafts(6), 'V1')
  expect(results.every(({ created }) => created)).toBe(true)
  expect(pauses).toEqual([20_000, 20_000])
})

test('counts the time that several links wait together only once', async () => {
  let refusals = 4
  const { batches } = setUp((_caller, { destination_url: url }) =>
    refusals-- > 0 ? Promise.reject(rateLimited(30_000)) : Promise.resolve(linkTo(url)),
  )
  const results = await batches.shorten(CALLER, drafts(4), 'V1')
  expect(results.every(({ created }) => created)).toBe(true)
})

test('sends no more requests once it has given up on the service', async () => {
  let asked = 0
  const { batches } = setUp(() => {
    asked++
    return Promise.reject(rateLimited(3_600_000))
  })
  const results = await batches.shorten(CALLER, drafts(30), 'V1')
  expect(results.every(({ failure }) => failure?.includes('is getting too many requests'))).toBe(
    true,
  )
  expect(asked).toBe(4)
})

test.each([
  ['asks for more time than a link waits', 3_600_000, 0],
  ['asks again and again', 25_000, 2],
  ['asks for zero seconds again and again', 0, 120],
])('gives up on a service that %s', async (_name, ms, paused) => {
  const { batches, pauses } = setUp(() => Promise.reject(rateLimited(ms)))
  const [result] = await batches.shorten(CALLER, drafts(1), 'V1')
  expect(result?.failure).toMatch(/^The link service is getting too many requests\. Try again in /)
  expect(pauses).toHaveLength(paused)
})

test('logs an unexpected error, and explains it at its link', async () => {
  const { batches, logged } = setUp(() => Promise.reject(new TypeError('no such thing')))
  const results = await batches.shorten(CALLER, drafts(1), 'V1')
  expect(results).toEqual([
    {
      url: 'https://example.com/0',
      failure: 'Something went wrong on our side, and it has been logged. Please try again.',
    },
  ])
  expect(logged).toEqual([expect.stringContaining('no such thing')])
})
