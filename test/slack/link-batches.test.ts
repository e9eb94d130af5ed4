import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { NetworkError } from '../../src/client/errors/network-error.ts'
import { RateLimitedError } from '../../src/client/errors/rate-limited-error.ts'
import { AlreadyShortenedError } from '../../src/slack/already-shortened-error.ts'
import type { CreatedLink } from '../../src/slack/blocks/link-created.ts'
import { createLinkBatches } from '../../src/slack/link-batches.ts'
import type { Shortener } from '../../src/slack/shortener.ts'

const CALLER = {
  workspace: { id: 'T1' },
  client: new WebClient(),
  token: 'xoxb-1',
  mayReadFiles: false,
}

const drafts = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ destination_url: `https://example.com/${at}` }))

const linkTo = (destination_url = ''): CreatedLink => ({
  shortlink: { destination_url, shortlink_url: `${destination_url}/short` },
  utm: {},
})

const rateLimited = (retryAfterMs: number): RateLimitedError =>
  new RateLimitedError({ status: 429, message: 'Too many.' }, retryAfterMs)

/** Batches whose links are made like this, with the pauses that they took. */
function batches(shorten: Shortener['shorten']) {
  const pauses: number[] = []
  const links = createLinkBatches({
    shortener: { shorten },
    logger: pino({ level: 'silent' }),
    pause: (ms) => {
      pauses.push(ms)
      return Promise.resolve()
    },
  })
  return { links, pauses }
}

test('a few at a time, each with a number of its own, in the order in which they stood', async () => {
  let underWay = 0
  let most = 0
  const ids: string[] = []
  const { links } = batches(async (_caller, { destination_url }, slackId) => {
    ids.push(slackId)
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay--
    return linkTo(destination_url)
  })
  const made = await links.shorten(CALLER, drafts(10), 'V1')
  expect(made).toEqual(
    drafts(10).map(({ destination_url: url }) => ({ url, created: linkTo(url) })),
  )
  expect(ids.toSorted()).toEqual(Array.from({ length: 10 }, (_, at) => `V1:${at}`))
  expect(most).toBe(4)
})

test('a failure stays with its link, and a link that is there already is no failure', async () => {
  const { links } = batches((_caller, { destination_url: url }) => {
    if (url?.endsWith('/1')) {
      return Promise.reject(new AlreadyShortenedError(linkTo('https://there'), undefined, null))
    }
    if (url?.endsWith('/2')) {
      return Promise.reject(new NetworkError('ECONNREFUSED', { reached: false }))
    }
    return Promise.resolve(linkTo(url))
  })
  expect(await links.shorten(CALLER, drafts(3), 'V1')).toEqual([
    { url: 'https://example.com/0', created: linkTo('https://example.com/0') },
    { url: 'https://example.com/1', existing: linkTo('https://there') },
    {
      url: 'https://example.com/2',
      failure: 'The link service can’t be reached just now. Try again in a minute.',
    },
  ])
})

test('where the service wants fewer requests, it is given the time that it asks for', async () => {
  let refusals = 2
  const { links, pauses } = batches((_caller, { destination_url: url }) =>
    refusals-- > 0 ? Promise.reject(rateLimited(20_000)) : Promise.resolve(linkTo(url)),
  )
  const made = await links.shorten(CALLER, drafts(6), 'V1')
  expect(made.every(({ created }) => created)).toBe(true)
  expect(pauses).toEqual([20_000, 20_000])
})

test('time that several links wait at once counts once', async () => {
  let refusals = 4
  const { links } = batches((_caller, { destination_url: url }) =>
    refusals-- > 0 ? Promise.reject(rateLimited(30_000)) : Promise.resolve(linkTo(url)),
  )
  const made = await links.shorten(CALLER, drafts(4), 'V1')
  expect(made.every(({ created }) => created)).toBe(true)
})

test('a service that has been given up is asked for none of the others', async () => {
  let asked = 0
  const { links } = batches(() => {
    asked++
    return Promise.reject(rateLimited(3_600_000))
  })
  const made = await links.shorten(CALLER, drafts(30), 'V1')
  expect(made.every(({ failure }) => failure?.includes('too many requests'))).toBe(true)
  expect(asked).toBe(4)
})

test.each([
  ['asks for more time than anybody waits', 3_600_000, 0],
  ['asks again and again', 25_000, 2],
  ['asks for no time at all', 0, 120],
])('a service that %s gets no more requests for these links', async (_name, ms, paused) => {
  const { links, pauses } = batches(() => Promise.reject(rateLimited(ms)))
  const [one] = await links.shorten(CALLER, drafts(1), 'V1')
  expect(one?.failure).toMatch(/gets too many requests just now/)
  expect(pauses).toHaveLength(paused)
})
