import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { section, type MessageContent } from '../../../src/slack/block-kit/elements.ts'
import { qrImage, type QrPicture } from '../../../src/slack/blocks/qr-image.ts'
import { createReplies, type Shown } from '../../../src/slack/replies.ts'

/** What Slack answers, in order; the last one for ever. */
let answers: { status: number; body: string }[]
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
      response.writeHead(answer?.status ?? 500, { 'content-type': 'application/json' })
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
const withPicture = ({ picture, direct }: Partial<Shown>): MessageContent => ({
  text: direct ? 'Hello, you' : 'Hello',
  blocks: picture ? [qrImage('https://go.example.com/x', picture)] : [section('No picture')],
})

function setUp() {
  const pauses: number[] = []
  const replies = createReplies({
    logger: pino({ level: 'silent' }),
    fetch,
    pause: (ms) => Promise.resolve(pauses.push(ms)),
  })
  // web-api sends forms, and JSON here for the sake of reading it.
  const client = new WebClient('xoxb-1', {
    slackApiUrl: `${base}/api/`,
    retryConfig: { retries: 0 },
    fetch: (url, init) => {
      const form = new URLSearchParams(init?.body as string)
      return fetch(url, { ...init, body: JSON.stringify(Object.fromEntries(form)) })
    },
  })
  return { replies, client, pauses }
}

test('an answer goes to the response_url, for the person alone', async () => {
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

test('in a thread it says which, and that everybody may see it', async () => {
  const { replies, client } = setUp()
  const target = { userId: 'U1', responseUrl: `${base}/hook`, threadTs: '1.0', inChannel: true }
  await replies.send(client, target, message)
  expect(received[0]?.body).toMatchObject({ response_type: 'in_channel', thread_ts: '1.0' })
})

test('without a response_url it becomes a direct message', async () => {
  const { replies, client } = setUp()
  await replies.send(client, { userId: 'U1' }, message)
  expect(received).toMatchObject([
    { path: '/api/chat.postMessage', body: { channel: 'U1', text: 'Hello' } },
  ])
})

test.each([404, 500])('so it does when the response_url answers %i', async (status) => {
  const { replies, client } = setUp()
  answers = [{ status, body: 'used_url' }, ...answers]
  await replies.send(client, { userId: 'U1', responseUrl: `${base}/hook` }, message)
  expect(received.map(({ path }) => path)).toEqual(['/hook', '/api/chat.postMessage'])
})

test('when Slack takes neither, the caller hears of it', async () => {
  const { replies, client } = setUp()
  answers = [{ status: 200, body: '{"ok":false,"error":"channel_not_found"}' }]
  await expect(
    replies.send(client, { userId: 'U1', responseUrl: `${base}/hook` }, message),
  ).rejects.toThrow('channel_not_found')
})

const target = () => ({ userId: 'U1', responseUrl: `${base}/hook` })
const file: QrPicture = { slack_file: { id: 'F0000000001' } }

test('a file that Slack still processes is tried again', async () => {
  const { replies, client, pauses } = setUp()
  answers = [{ status: 400, body: '{"ok":false,"error":"invalid_blocks"}' }, ...answers]
  await replies.sendWithPicture(client, target(), file, withPicture)
  expect(pauses).toEqual([300])
  expect(received.map(({ body }) => body)).toMatchObject([
    withPicture({ picture: file }),
    withPicture({ picture: file }),
  ])
})

test('in the end the answer goes without the picture, within the five that a response_url takes', async () => {
  const { replies, client, pauses } = setUp()
  const refused = { status: 200, body: '{"ok":false,"error":"invalid_blocks"}' }
  answers = [refused, refused, refused, ...answers]
  await replies.sendWithPicture(client, target(), file, withPicture)
  expect(pauses).toHaveLength(3)
  expect(received).toHaveLength(4)
  expect(received.at(-1)?.body).toMatchObject(withPicture({}))
})

test('a picture by address goes along at once', async () => {
  const { replies, client } = setUp()
  const picture = { image_url: 'https://app.example.com/qr/x.png' }
  await replies.sendWithPicture(client, target(), picture, withPicture)
  expect(received.map(({ body }) => body)).toMatchObject([withPicture({ picture })])
})

test('a picture by address that Slack can’t fetch costs the picture, not the answer', async () => {
  const { replies, client } = setUp()
  answers = [{ status: 400, body: '{"ok":false,"error":"invalid_blocks"}' }, ...answers]
  const picture = { image_url: 'https://app.example.com/qr/x.png' }
  await replies.sendWithPicture(client, target(), picture, withPicture)
  expect(received.map(({ body }) => body)).toMatchObject([
    withPicture({ picture }),
    withPicture({}),
  ])
})

test('an answer that becomes a direct message is drawn as one', async () => {
  const { replies, client } = setUp()
  answers = [{ status: 404, body: 'used_url' }, ...answers]
  await replies.sendWithPicture(client, target(), undefined, withPicture)
  expect(received.at(-1)?.body).toMatchObject({ text: 'Hello, you' })
})
