import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { section } from '../../../src/slack/block-kit/elements.ts'
import type { MessageContent, PictureState } from '../../../src/slack/block-kit/messages.ts'
import { readReplyTarget, type ReplyTarget } from '../../../src/slack/platform/caller.ts'
import { NO_PICTURE, type PictureSource } from '../../../src/slack/platform/pictures.ts'
import { createReplies, type Shown } from '../../../src/slack/platform/replies.ts'
import { SlackTimeoutError } from '../../../src/slack/platform/slack-errors.ts'
import { createInFlightTasks } from '../../../src/http/in-flight-tasks.ts'
import { systemClock } from '../../../src/timing/clock.ts'

interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
}

/** Slack’s answers, in order. The last one is repeated. */
let answers: Answer[]
let received: { path: string; body: unknown }[]

beforeEach(() => {
  answers = [OK]
  received = []
})

/** Slack’s answer to a request. */
async function slackFetch(url: string, body: object): Promise<Response> {
  received.push({ path: new URL(url).pathname, body })
  const [answer = OK] = answers.length > 1 ? answers.splice(0, 1) : answers
  return new Response(answer.body, answer)
}

const message: MessageContent = { text: 'Hello', blocks: [section('Hello')] }
/** @param first thrown by the first request to a `response_url` */
function setUp(first?: Error) {
  let failure = first
  const sleeps: number[] = []
  const post: Parameters<typeof createReplies>[0]['post'] = async (url, body) => {
    const thrown = failure
    failure = undefined
    if (thrown) throw thrown
    const answer = await slackFetch(url, body)
    const header = (name: string): string | undefined => answer.headers.get(name) ?? undefined
    return { status: answer.status, text: await answer.text(), header }
  }
  const clock = { ...systemClock, sleep: async (ms: number) => void sleeps.push(ms) }
  const logger = pino({ level: 'silent' })
  const tasks = createInFlightTasks(logger)
  const replies = createReplies({ clock, logger, tasks, post })
  const client = new WebClient('xoxb-1', {
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: (url, init) =>
      slackFetch(String(url), Object.fromEntries(new URLSearchParams(init?.body as string))),
  })
  return { replies, client, sleeps, tasks }
}

const limited = (seconds: number) => ({
  status: 429,
  body: '{"ok":false,"error":"ratelimited"}',
  headers: { 'retry-after': String(seconds) },
})
const answersError = (error: string, status = 200) => ({
  status,
  body: JSON.stringify({ ok: false, error }),
})
const OK = { status: 200, body: '{"ok":true}' }
const USED_UP = { status: 404, body: 'used_url' }

const HOOK = '/hook'
const IN_CHANNEL = '/api/chat.postEphemeral'
const DIRECT = '/api/chat.postMessage'
const target = { userId: 'U1', responseUrl: 'https://hooks.slack.com/hook' }
const inChannel = { ...target, channelId: 'C1' }
const inThread = { ...inChannel, threadTs: '1.0', inChannel: true }

test('sends an answer to the response_url, for the user only', async () => {
  const { replies, client } = setUp()
  await replies.send(client, target, message)
  const options = { replace_original: false, response_type: 'ephemeral' }
  const unfurls = { unfurl_links: false, unfurl_media: false }
  expect(received).toEqual([{ path: HOOK, body: { ...message, ...options, ...unfurls } }])
})

/** Whom an answer is for. */
const TARGETS = {
  user: { userId: 'U1' },
  command: target,
  channel: inChannel,
  thread: inThread,
}
const SLOWLY = [limited(30), answersError('internal_error'), limited(20)]
const WAITS = [30_000, 1_000, 20_000]
const ALL = [HOOK, IN_CHANNEL, DIRECT]
const TO_USER = { channel: 'C1', user: 'U1' }
const FOR_EVERYONE = { response_type: 'in_channel', thread_ts: '1.0' }
const BROKEN = { status: 500, body: 'used_url' }
const NOT_IN_CHANNEL = answersError('not_in_channel')

test.each<[string, keyof typeof TARGETS, typeof answers, string[], number[], object]>([
  ['to a thread for everyone', 'thread', [], [HOOK], [], FOR_EVERYONE],
  ['directly without a response_url', 'user', [], [DIRECT], [], { channel: 'U1' }],
  ['directly after a 404', 'command', [USED_UP], [HOOK, DIRECT], [], { channel: 'U1' }],
  ['directly after a 500', 'command', [BROKEN], [HOOK, DIRECT], [], { channel: 'U1' }],
  ['after a short wait, as Slack asks', 'channel', [limited(2)], [HOOK, HOOK], [2_000], {}],
  ['in the channel after a long wait', 'channel', [limited(60)], [HOOK, IN_CHANNEL], [], TO_USER],
  ['directly outside of its channels', 'channel', [USED_UP, NOT_IN_CHANNEL], ALL, [], {}],
  ['directly instead of to a thread', 'thread', [USED_UP], [HOOK, DIRECT], [], { channel: 'U1' }],
  ['once Slack accepts the only route', 'user', SLOWLY, Array(4).fill(DIRECT), WAITS, {}],
])('sends an answer %s', async (_how, to, refusals, paths, waits, last) => {
  const { replies, client, sleeps } = setUp()
  answers = [...refusals, OK]
  await replies.send(client, TARGETS[to], message)
  expect(received.map(({ path }) => path)).toEqual(paths)
  expect(sleeps).toEqual(waits)
  expect(received.at(-1)?.body).toMatchObject({ text: 'Hello', ...last })
})

test.each([
  ['if Slack accepts no route', answersError('channel_not_found'), 'channel_not_found', []],
  ['if Slack closes the only route for over a minute', limited(86_400), '86400 seconds', []],
  ['after four tries', answersError('fatal_error'), 'fatal_error', [1_000, 5_000, 15_000]],
])('throws %s', async (_when, answer, error, waits) => {
  const { replies, client, sleeps } = setUp()
  answers = [answer]
  await expect(replies.send(client, { userId: 'U1' }, message)).rejects.toThrow(error)
  expect(sleeps).toEqual(waits)
})

const FILE = { slack_file: { id: 'F0000000001' } }
const ONE = 'https://go.example.com/x/qr.png'
const refused = answersError('invalid_blocks', 400)

describe('sendWithPicture', () => {
  const later = {
    build: ({ picture }: Shown): MessageContent => ({
      text: typeof picture === 'string' ? picture : JSON.stringify(picture ?? 'without'),
      blocks: [section('Hello')],
    }),
    buildPicture: (picture: PictureState): MessageContent => ({
      text: picture ? 'the picture' : 'no picture',
      blocks: [section('Hello')],
    }),
  }
  const REPLACED = 'replacing the message'
  /** Where the answers went, and what they were. */
  const sentTexts = () =>
    received.map(({ path, body }) => {
      const { text, replace_original } = body as MessageContent & { replace_original?: boolean }
      return [path, text, ...(replace_original === true ? [REPLACED] : [])]
    })
  const uploaded = (file: Promise<typeof FILE | undefined> = Promise.resolve(FILE)) => ({
    upload: () => file,
  })
  const UPLOADED = JSON.stringify(FILE)
  const pressed = { ...inChannel, replacesOriginal: true }

  test('does not wait for an upload', async () => {
    const { replies, client } = setUp()
    await replies.sendWithPicture(client, inChannel, uploaded(new Promise(() => undefined)), later)
    expect(sentTexts()).toEqual([[HOOK, 'follows']])
  })

  test('needs no more than the five answers of a response_url for an upload', async () => {
    const { replies, client, sleeps, tasks } = setUp()
    answers = [OK, refused, refused, refused, OK]
    await replies.sendWithPicture(client, inChannel, uploaded(), later)
    await tasks.drained()
    const added = Array<string[]>(3).fill([HOOK, 'the picture'])
    expect(sentTexts()).toEqual([[HOOK, 'follows'], ...added, [HOOK, 'no picture']])
    expect(sleeps).toEqual([500, 2_500])
  })

  const NOT_ALLOWED = { upload: 'not_allowed' } as const
  const onlyReplaced = { ...pressed, replacesOriginal: 'only' } as const
  const replacedOnce = [[HOOK, '"without"', REPLACED]]
  const replacedTwice = ['follows', UPLOADED].map((text) => [HOOK, text, REPLACED])
  test.each<[string, ReplyTarget, PictureSource, string[][]]>([
    ['replaces the message of a pressed button again', pressed, uploaded(), replacedTwice],
    ['uploads nothing for a message that is only replaced', onlyReplaced, uploaded(), replacedOnce],
    ['sends one message without permission', inChannel, NOT_ALLOWED, [[HOOK, 'not_allowed']]],
  ])('%s', async (_what, to, source, sent) => {
    const { replies, client, tasks } = setUp()
    await replies.sendWithPicture(client, to, source, later)
    await tasks.drained()
    expect(sentTexts()).toEqual(sent)
  })

  test('changes a direct message', async () => {
    const { replies, client, tasks } = setUp()
    answers = [{ status: 200, body: '{"ok":true,"channel":"D1","ts":"1.0"}' }]
    await replies.sendWithPicture(client, { userId: 'U1' }, uploaded(), later)
    await tasks.drained()
    expect(sentTexts()).toEqual([
      [DIRECT, 'follows'],
      ['/api/chat.update', UPLOADED],
    ])
    expect(received.at(-1)?.body).toMatchObject({ channel: 'D1', ts: '1.0' })
  })

  const linked = (image_url: string) => [HOOK, JSON.stringify({ image_url })]
  const late = new SlackTimeoutError(3_000)

  const upload = [
    [HOOK, 'follows'],
    [HOOK, 'the picture'],
  ]

  test.each<[string, typeof answers, unknown[], number, Error?]>([
    ['the picture that has an address', [], [linked(ONE)], 0],
    ['an upload if Slack can’t load it', [refused], [linked(ONE), ...upload], 1],
    ['an upload if Slack waits for it', [], upload, 1, late],
  ])('sends an answer with %s', async (_which, refusals, texts, reports, first) => {
    const { replies, client, tasks } = setUp(first)
    answers = [...refusals, OK]
    const report = vi.fn<() => void>()
    const source = { ...uploaded(), address: ONE, rememberRefusal: report }
    await replies.sendWithPicture(client, inChannel, source, later)
    await tasks.drained()
    expect(sentTexts()).toEqual(texts)
    expect(report).toHaveBeenCalledTimes(reports)
  })

  test('builds the message again if it becomes a direct message', async () => {
    const { replies, client } = setUp()
    answers = [USED_UP, OK]
    await replies.sendWithPicture(client, target, NO_PICTURE, {
      build: ({ direct }) => ({ ...message, text: direct ? 'Hello, you' : 'Hello' }),
      buildPicture: () => undefined,
    })
    expect(received.at(-1)?.body).toMatchObject({ text: 'Hello, you' })
  })
})

const responseUrl = 'https://hooks.slack.com/commands/1'
const INTERACTION = { user: { id: 'U1' }, response_url: responseUrl }
const SHORTCUT = { ...INTERACTION, type: 'message_action' }
const BUTTON = { ...INTERACTION, type: 'block_actions', container: { thread_ts: '1.0' } }
const REPLY = { ts: '2.0', thread_ts: '1.0' }
const FORM = { type: 'view_submission', user: { id: 'U1' } }
const response_urls = [{ response_url: responseUrl }]
const IN_THREAD = { userId: 'U1', responseUrl, threadTs: '1.0', inChannel: true }

test.each([
  ['a command where it was typed', { user_id: 'U1', response_url: responseUrl }, { responseUrl }],
  ['a button in its thread', BUTTON, { responseUrl, threadTs: '1.0' }],
  ['a message shortcut in its thread', { ...SHORTCUT, message: { ts: '1.0' } }, IN_THREAD],
  ['a message shortcut in a thread there', { ...SHORTCUT, message: REPLY }, IN_THREAD],
  ['a form in the conversation that the user chose', { ...FORM, response_urls }, { responseUrl }],
  ['a form privately otherwise', { ...FORM, response_urls: [] }, {}],
])('answers %s', (_what, payload, expected) => {
  expect(readReplyTarget(payload)).toEqual({ userId: 'U1', ...expected })
})
