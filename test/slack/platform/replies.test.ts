import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  section,
  type MessageContent,
  type Picture,
} from '../../../src/slack/block-kit/elements.ts'
import { qrImage } from '../../../src/slack/block-kit/shown-link.ts'
import { privateTarget, replyTargetOf } from '../../../src/slack/platform/caller.ts'
import { createReplies, type Shown } from '../../../src/slack/platform/replies.ts'
import { systemClock } from '../../../src/timing/clock.ts'

/** Slack’s answers, in order. The last one is repeated. */
let answers: { status: number; body: string; headers?: Record<string, string> }[]
let received: { path: string | undefined; body: unknown }[]
let server: Server
let base: string

beforeEach(async () => {
  answers = [{ status: 200, body: '{"ok":true}' }]
  received = []
  server = createServer((request, response) => {
    void json(request).then((body) => {
      received.push({ path: request.url, body })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      response.writeHead(answer?.status ?? 500, {
        'content-type': 'application/json',
        ...answer?.headers,
      })
      response.end(answer?.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
})

const message: MessageContent = { text: 'Hello', blocks: [section('Hello')] }
const withPicture = ({ picture, direct }: Partial<Shown<Picture>>): MessageContent => ({
  text: direct ? 'Hello, you' : 'Hello',
  blocks: picture ? [qrImage('https://go.example.com/x', picture)] : [section('No picture')],
})

function setUp() {
  const sleeps: number[] = []
  const replies = createReplies({
    logger: pino({ level: 'silent' }),
    async post(url, body) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      const header = (name: string): string | undefined => answer.headers.get(name) ?? undefined
      return { status: answer.status, text: await answer.text(), header }
    },
    clock: { ...systemClock, sleep: async (ms) => void sleeps.push(ms) },
  })
  // web-api sends a form. As JSON, it is easier to read here.
  const client = new WebClient('xoxb-1', {
    slackApiUrl: `${base}/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: (url, init) => {
      const form = new URLSearchParams(init?.body as string)
      return fetch(url, { ...init, body: JSON.stringify(Object.fromEntries(form)) })
    },
  })
  return { replies, client, sleeps }
}

test('sends an answer to the response_url, for the user only', async () => {
  const { replies, client } = setUp()
  await replies.send(client, { userId: 'U1', responseUrl: `${base}/hook` }, message)
  expect(received).toEqual([
    {
      path: '/hook',
      body: {
        ...message,
        replace_original: false,
        response_type: 'ephemeral',
        unfurl_links: false,
        unfurl_media: false,
      },
    },
  ])
})

test('sends an answer to a thread so that everyone sees it', async () => {
  const { replies, client } = setUp()
  const target = { userId: 'U1', responseUrl: `${base}/hook`, threadTs: '1.0', inChannel: true }
  await replies.send(client, target, message)
  expect(received[0]?.body).toMatchObject({ response_type: 'in_channel', thread_ts: '1.0' })
})

test('sends a direct message if there is no response_url', async () => {
  const { replies, client } = setUp()
  await replies.send(client, { userId: 'U1' }, message)
  expect(received).toMatchObject([
    { path: '/api/chat.postMessage', body: { channel: 'U1', text: 'Hello' } },
  ])
})

test.each([404, 500])('sends a direct message if the response_url answers %i', async (status) => {
  const { replies, client } = setUp()
  answers = [{ status, body: 'used_url' }, ...answers]
  await replies.send(client, { userId: 'U1', responseUrl: `${base}/hook` }, message)
  expect(received.map(({ path }) => path)).toEqual(['/hook', '/api/chat.postMessage'])
})

test('throws if Slack accepts neither', async () => {
  const { replies, client } = setUp()
  answers = [{ status: 200, body: '{"ok":false,"error":"channel_not_found"}' }]
  await expect(
    replies.send(client, { userId: 'U1', responseUrl: `${base}/hook` }, message),
  ).rejects.toThrow('channel_not_found')
})

const limited = (seconds: number) => ({
  status: 429,
  body: '{"ok":false,"error":"ratelimited"}',
  headers: { 'retry-after': String(seconds) },
})
const HOOK = '/hook'
const EPHEMERAL = '/api/chat.postEphemeral'
const DIRECT = '/api/chat.postMessage'
const inChannel = () => ({ userId: 'U1', channelId: 'C1', responseUrl: `${base}/hook` })
const paths = () => received.map(({ path }) => path)

test('waits a short time for the response_url, as long as Slack asks', async () => {
  const { replies, client, sleeps } = setUp()
  answers = [limited(2), ...answers]
  await replies.send(client, inChannel(), message)
  expect(sleeps).toEqual([2_000])
  expect(paths()).toEqual([HOOK, HOOK])
})

test('sends an ephemeral message at once if the response_url is closed for long', async () => {
  const { replies, client, sleeps } = setUp()
  answers = [limited(60), ...answers]
  await replies.send(client, inChannel(), message)
  expect(sleeps).toEqual([])
  expect(paths()).toEqual([HOOK, EPHEMERAL])
  expect(received.at(-1)?.body).toMatchObject({ channel: 'C1', user: 'U1', text: 'Hello' })
})

test('sends a direct message if the app is not in the channel either', async () => {
  const { replies, client } = setUp()
  const notInChannel = { status: 200, body: '{"ok":false,"error":"not_in_channel"}' }
  answers = [{ status: 404, body: 'used_url' }, notInChannel, ...answers]
  await replies.send(client, inChannel(), message)
  expect(paths()).toEqual([HOOK, EPHEMERAL, DIRECT])
})

test('sends no ephemeral message if everyone should see the answer in a thread', async () => {
  const { replies, client } = setUp()
  answers = [{ status: 404, body: 'used_url' }, ...answers]
  await replies.send(client, { ...inChannel(), inChannel: true, threadTs: '1.0' }, message)
  expect(paths()).toEqual([HOOK, DIRECT])
})

test('waits until Slack accepts the only route', async () => {
  const { replies, client, sleeps } = setUp()
  const down = { status: 200, body: '{"ok":false,"error":"internal_error"}' }
  answers = [limited(30), down, limited(20), ...answers]
  await replies.send(client, { userId: 'U1' }, message)
  expect(sleeps).toEqual([30_000, 1_000, 20_000])
  expect(paths()).toEqual([DIRECT, DIRECT, DIRECT, DIRECT])
})

test('gives up if Slack closes the only route for more than a minute', async () => {
  const { replies, client, sleeps } = setUp()
  answers = [limited(86_400)]
  await expect(replies.send(client, { userId: 'U1' }, message)).rejects.toThrow('86400 seconds')
  expect(sleeps).toEqual([])
})

test('throws the last error after trying all routes four times', async () => {
  const { replies, client, sleeps } = setUp()
  answers = [{ status: 200, body: '{"ok":false,"error":"fatal_error"}' }]
  await expect(replies.send(client, { userId: 'U1' }, message)).rejects.toThrow('fatal_error')
  expect(sleeps).toEqual([1_000, 5_000, 15_000])
})

describe('sendThenAddPicture', () => {
  const file: Picture = { slack_file: { id: 'F0000000001' } }
  const later = {
    build: ({ picture }: Shown): MessageContent => ({
      text: typeof picture === 'string' ? picture : picture ? 'with picture' : 'without',
      blocks: [section('Hello')],
    }),
    buildPicture: (picture: Picture | undefined): MessageContent => ({
      text: picture ? 'the picture' : 'no picture',
      blocks: [section('Hello')],
    }),
  }
  const sentTexts = () => received.map(({ path, body }) => [path, (body as MessageContent).text])
  const refused = { status: 200, body: '{"ok":false,"error":"invalid_blocks"}' }
  const posted = { status: 200, body: '{"ok":true,"channel":"D1","ts":"1.0"}' }

  test('sends the picture after the answer, because no answer to a command can be changed', async () => {
    const { replies, client } = setUp()
    await replies.sendThenAddPicture(client, inChannel(), Promise.resolve(file), later)
    expect(sentTexts()).toEqual([
      [HOOK, 'follows'],
      [HOOK, 'the picture'],
    ])
  })

  test('does not wait for the picture', async () => {
    const { replies, client } = setUp()
    const { promise, resolve } = Promise.withResolvers<Picture>()
    const sent = replies.sendThenAddPicture(client, inChannel(), promise, later)
    await vi.waitFor(() => expect(sentTexts()).toEqual([[HOOK, 'follows']]))
    resolve(file)
    await sent
  })

  test('needs no more than the five answers of a response_url, whatever happens', async () => {
    const { replies, client } = setUp()
    answers = [{ status: 200, body: 'ok' }, refused, refused, refused, ...answers]
    await replies.sendThenAddPicture(client, inChannel(), Promise.resolve(file), later)
    expect(sentTexts().map(([, text]) => text)).toEqual([
      'follows',
      'the picture',
      'the picture',
      'the picture',
      'no picture',
    ])
  })

  test('replaces the message of a pressed button again', async () => {
    const { replies, client } = setUp()
    const pressed = { ...inChannel(), replacesOriginal: true }
    await replies.sendThenAddPicture(client, pressed, Promise.resolve(file), later)
    expect(received.map(({ body }) => body)).toMatchObject([
      { text: 'follows', replace_original: true },
      { text: 'with picture', replace_original: true },
    ])
  })

  test('changes a direct message', async () => {
    const { replies, client } = setUp()
    answers = [posted]
    await replies.sendThenAddPicture(client, { userId: 'U1' }, Promise.resolve(file), later)
    expect(sentTexts()).toEqual([
      [DIRECT, 'follows'],
      ['/api/chat.update', 'with picture'],
    ])
    expect(received.at(-1)?.body).toMatchObject({ channel: 'D1', ts: '1.0' })
  })

  test('says that there is no picture if the upload fails', async () => {
    const { replies, client } = setUp()
    await replies.sendThenAddPicture(client, inChannel(), Promise.resolve(undefined), later)
    expect(sentTexts().at(-1)).toEqual([HOOK, 'no picture'])
  })

  test('sends one message if the picture needs no upload, or is not allowed', async () => {
    const { replies, client } = setUp()
    const picture = { image_url: 'https://app.example.com/qr/x.png' }
    await replies.sendThenAddPicture(client, inChannel(), picture, later)
    await replies.sendThenAddPicture(client, inChannel(), 'not_allowed', later)
    expect(sentTexts()).toEqual([
      [HOOK, 'with picture'],
      [HOOK, 'not_allowed'],
    ])
  })
})

const target = () => ({ userId: 'U1', responseUrl: `${base}/hook` })
const file: Picture = { slack_file: { id: 'F0000000001' } }

test('tries again if Slack is still processing the picture', async () => {
  const { replies, client, sleeps } = setUp()
  answers = [{ status: 400, body: '{"ok":false,"error":"invalid_blocks"}' }, ...answers]
  await replies.sendWithPicture(client, target(), file, withPicture)
  expect(sleeps).toEqual([500])
  expect(received.map(({ body }) => body)).toMatchObject([
    withPicture({ picture: file }),
    withPicture({ picture: file }),
  ])
})

test('finally sends the answer without the picture, within the five that a response_url accepts', async () => {
  const { replies, client, sleeps } = setUp()
  const refused = { status: 200, body: '{"ok":false,"error":"invalid_blocks"}' }
  answers = [refused, refused, refused, ...answers]
  await replies.sendWithPicture(client, target(), file, withPicture)
  expect(sleeps).toHaveLength(2)
  expect(received).toHaveLength(4)
  expect(received.at(-1)?.body).toMatchObject(withPicture({}))
})

test('sends a picture at an address without waiting', async () => {
  const { replies, client } = setUp()
  const picture = { image_url: 'https://app.example.com/qr/x.png' }
  await replies.sendWithPicture(client, target(), picture, withPicture)
  expect(received.map(({ body }) => body)).toMatchObject([withPicture({ picture })])
})

test('sends the answer without a picture that Slack can’t fetch', async () => {
  const { replies, client } = setUp()
  answers = [{ status: 400, body: '{"ok":false,"error":"invalid_blocks"}' }, ...answers]
  const picture = { image_url: 'https://app.example.com/qr/x.png' }
  await replies.sendWithPicture(client, target(), picture, withPicture)
  expect(received.map(({ body }) => body)).toMatchObject([
    withPicture({ picture }),
    withPicture({}),
  ])
})

test('builds the message again if it becomes a direct message', async () => {
  const { replies, client } = setUp()
  answers = [{ status: 404, body: 'used_url' }, ...answers]
  await replies.sendWithPicture(client, target(), undefined, withPicture)
  expect(received.at(-1)?.body).toMatchObject({ text: 'Hello, you' })
})

const responseUrl = 'https://hooks.slack.com/commands/1'

test('answers a command where it was typed', () => {
  expect(replyTargetOf({ user_id: 'U1', response_url: responseUrl })).toEqual({
    userId: 'U1',
    responseUrl,
    threadTs: undefined,
  })
})

test('answers a button in its thread', () => {
  expect(
    replyTargetOf({
      type: 'block_actions',
      user: { id: 'U1' },
      response_url: responseUrl,
      container: { thread_ts: '1.0' },
    }),
  ).toEqual({ userId: 'U1', responseUrl, threadTs: '1.0' })
})

test('answers a message shortcut in the message’s thread, where everyone sees it', () => {
  const payload = { type: 'message_action', user: { id: 'U1' }, response_url: responseUrl }
  const expected = { userId: 'U1', responseUrl, inChannel: true }
  expect(replyTargetOf({ ...payload, message: { ts: '1.0' } })).toEqual({
    ...expected,
    threadTs: '1.0',
  })
  expect(replyTargetOf({ ...payload, message: { ts: '2.0', thread_ts: '1.0' } })).toEqual({
    ...expected,
    threadTs: '1.0',
  })
})

test('answers a form in the conversation that the user chose in it, if any', () => {
  const payload = { type: 'view_submission', user: { id: 'U1' } }
  expect(
    replyTargetOf({ ...payload, response_urls: [{ response_url: responseUrl }] }),
  ).toMatchObject({ userId: 'U1', responseUrl })
  expect(replyTargetOf({ ...payload, response_urls: [] }).responseUrl).toBeUndefined()
})

test('sends a private answer as a direct message if everyone would see it in the thread', () => {
  const thread = { userId: 'U1', responseUrl, threadTs: '1.0', inChannel: true }
  expect(privateTarget(thread)).toEqual({ userId: 'U1' })
  const command = { userId: 'U1', responseUrl }
  expect(privateTarget(command)).toEqual(command)
})

test('replaces the message whose button was pressed', async () => {
  const { replies, client } = setUp()
  await replies.replace(client, target(), message)
  expect(received[0]?.body).toMatchObject({ replace_original: true, text: 'Hello' })
})
