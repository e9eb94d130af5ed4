import type { WebClient } from '@slack/web-api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PEOPLE } from '../../../src/simulator/workspace/seeds.ts'
import { webClient } from '../../support/web-client.ts'
import { BOT_TOKEN, startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

const [ANA, BEN, GIL] = PEOPLE
const GENERAL = 'C0GENERAL000'
const MARKETING = 'C0MARKETING0'

let slack: TestWorkspace
let client: WebClient

beforeEach(async () => {
  slack = await startSimulatedWorkspace()
  client = webClient(slack.apiUrl)
})

afterEach(() => slack.close())

/** What Slack answered to a call that failed. */
async function refusal(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.then(
    () => 'it was taken',
    (caught: unknown) => caught,
  )
  return error instanceof Error && 'data' in error ? error.data : error
}

test('a call without a token, or with another, is refused', async () => {
  expect(await refusal(webClient(slack.apiUrl, '').auth.test())).toMatchObject({
    error: 'not_authed',
  })
  expect(await refusal(webClient(slack.apiUrl, 'xoxb-other').auth.test())).toMatchObject({
    error: 'invalid_auth',
  })
})

test('a method that does not exist is unknown', async () => {
  expect(await refusal(client.apiCall('chat.shout'))).toMatchObject({ error: 'unknown_method' })
})

test('auth.test says who the app is', async () => {
  expect(await client.auth.test()).toMatchObject({
    ok: true,
    team_id: 'T0PLAYGROUND',
    user_id: 'U0APPBOTUSER',
    bot_id: 'B0PLAYGROUND',
    is_enterprise_install: false,
  })
})

test('a scope that was not granted is named, with those that were', async () => {
  await slack.close()
  slack = await startSimulatedWorkspace({ scopes: ['commands'] })
  client = webClient(slack.apiUrl)

  expect(await refusal(client.users.info({ user: ANA.id }))).toMatchObject({
    ok: false,
    error: 'missing_scope',
    needed: 'users:read',
    provided: 'commands',
  })
  expect(slack.refusals()).toEqual([
    {
      id: 1,
      where: 'users.info',
      error: 'missing_scope',
      details: ['needed: users:read', 'provided: commands'],
    },
  ])
})

test('users.info tells admins, members and guests apart', async () => {
  const { user: ana } = await client.users.info({ user: ANA.id })
  const { user: ben } = await client.users.info({ user: BEN.id })
  const { user: gil } = await client.users.info({ user: GIL.id })
  expect([ana?.is_admin, ben?.is_admin, gil?.is_admin]).toEqual([true, false, false])
  expect([ana?.is_restricted, ben?.is_restricted, gil?.is_restricted]).toEqual([false, false, true])
  expect(await refusal(client.users.info({ user: 'U0NOBODY00' }))).toMatchObject({
    error: 'user_not_found',
  })
})

test('a message reaches a channel that the app is in, and no other', async () => {
  const { ts = '' } = await client.chat.postMessage({ channel: GENERAL, text: 'hello' })
  expect(slack.ben.newest('general')).toEqual({
    ts,
    author: { kind: 'app' },
    text: 'hello',
    files: [],
    ephemeral: false,
    edited: false,
  })
  expect(
    await refusal(client.chat.postMessage({ channel: MARKETING, text: 'hello' })),
  ).toMatchObject({ error: 'not_in_channel' })
  expect(await refusal(client.chat.postMessage({ channel: 'C0', text: 'hello' }))).toMatchObject({
    error: 'channel_not_found',
  })

  await slack.ana.invitesApp('marketing')
  await client.chat.postMessage({ channel: MARKETING, text: 'hello again' })
  expect(slack.ana.newest('marketing')?.text).toBe('hello again')
})

test('a message needs something to say, and not too much', async () => {
  expect(await refusal(client.chat.postMessage({ channel: GENERAL, text: '' }))).toMatchObject({
    error: 'no_text',
  })
  const text = 'x'.repeat(40_001)
  expect(await refusal(client.chat.postMessage({ channel: GENERAL, text }))).toMatchObject({
    error: 'msg_too_long',
  })
})

test('all blocks of a message together may not be too long, where no response_url brings them', async () => {
  const post = (last: number): Promise<unknown> =>
    client.chat.postMessage({
      channel: GENERAL,
      text: 'x',
      blocks: [3000, 3000, 3000, 3000, last].map((length) => ({
        type: 'section',
        text: { type: 'mrkdwn', text: 'x'.repeat(length) },
      })),
    })
  expect(await refusal(post(700))).toBe('it was taken')
  expect(await refusal(post(701))).toMatchObject({ error: 'msg_blocks_too_long' })
})

test('blocks that Slack refuses come back with the reasons', async () => {
  const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }]
  const reason = 'must be less than 151 characters [json-pointer:/blocks/0/text/text]'
  expect(
    await refusal(client.chat.postMessage({ channel: GENERAL, text: 'x', blocks })),
  ).toMatchObject({
    error: 'invalid_blocks',
    errors: [reason],
    response_metadata: { messages: [`[ERROR] ${reason}`] },
  })
})

test('blocks without a text beside them are posted, and noted', async () => {
  await client.apiCall('chat.postMessage', { channel: GENERAL, blocks: [{ type: 'divider' }] })
  expect(slack.ana.newest('general')?.blocks).toEqual([
    { block_id: expect.stringMatching(/^\w{5}$/) as unknown, type: 'divider' },
  ])
  expect(slack.takeRefusals()).toMatchObject([{ where: 'chat.postMessage', error: 'missing_text' }])
  expect(slack.refusals()).toEqual([])
})

test('an ephemeral message is seen by one person, who can dismiss it', async () => {
  await client.chat.postEphemeral({ channel: GENERAL, user: BEN.id, text: 'psst' })
  expect(slack.ana.newest('general')).toBeUndefined()
  const message = slack.ben.newest('general')
  expect(message).toMatchObject({ text: 'psst', ephemeral: true })
  await slack.workspace.act(BEN.id, {
    type: 'dismiss_message',
    conversation: GENERAL,
    ts: message?.ts ?? '',
  })
  expect(slack.ben.newest('general')).toBeUndefined()
  expect(
    await refusal(client.chat.postEphemeral({ channel: GENERAL, user: 'U0', text: 'psst' })),
  ).toMatchObject({ error: 'user_not_in_channel' })
})

test('a reply needs a message that everybody sees', async () => {
  const reply = (thread_ts: string) =>
    client.chat.postMessage({ channel: GENERAL, text: 'a reply', thread_ts })
  const { message_ts = '' } = await client.chat.postEphemeral({
    channel: GENERAL,
    user: slack.ana.id,
    text: 'for one',
  })
  await expect(reply('1700000000.000000')).rejects.toThrow('thread_not_found')
  await expect(reply(message_ts)).rejects.toThrow('thread_not_found')
  const { ts = '' } = await client.chat.postMessage({ channel: GENERAL, text: 'for all' })
  await reply(ts)
  expect(slack.ana.newest('general')).toMatchObject({ text: 'a reply', threadTs: ts })
})

test('the app changes and deletes its own messages, and nobody else’s', async () => {
  const { ts = '' } = await client.chat.postMessage({ channel: GENERAL, text: 'one' })
  await client.chat.update({ channel: GENERAL, ts, text: 'two' })
  expect(slack.ana.newest('general')).toMatchObject({ text: 'two', edited: true })
  await client.chat.delete({ channel: GENERAL, ts })
  expect(slack.ana.newest('general')).toBeUndefined()

  expect(await refusal(client.chat.delete({ channel: GENERAL, ts }))).toMatchObject({
    error: 'message_not_found',
  })
  const [human] = slack.ana.sees('general')
  expect(
    await refusal(client.chat.update({ channel: GENERAL, ts: human?.ts ?? '', text: 'mine' })),
  ).toMatchObject({ error: 'cant_update_message' })
})

test('a direct message is reached by the channel that conversations.open names', async () => {
  const { channel } = await client.conversations.open({ users: BEN.id })
  await client.chat.postMessage({ channel: channel?.id ?? '', text: 'hello Ben' })
  expect(slack.ben.newest('app')?.text).toBe('hello Ben')
  expect(slack.ana.newest('app')).toBeUndefined()
})

test('a method goes wrong as a test asks, and that is no refusal', async () => {
  slack.failNext('auth.test', { error: 'internal_error' })
  expect(await refusal(client.auth.test())).toMatchObject({ error: 'internal_error' })

  slack.failNext('auth.test', { status: 429, retryAfterSeconds: 7 })
  const limited: unknown = await client.auth.test().catch((error: unknown) => error)
  expect(limited).toMatchObject({ code: 'slack_webapi_rate_limited_error', retryAfter: 7 })

  slack.failNext('chat.postMessage', { lost: true })
  const lost: unknown = await client.chat
    .postMessage({ channel: GENERAL, text: 'said all the same' })
    .catch((error: unknown) => error)
  expect(lost).toMatchObject({ code: 'slack_webapi_request_error' })
  expect(slack.ana.newest('general')?.text).toBe('said all the same')
  expect((await client.auth.test()).ok).toBe(true)
  expect(slack.refusals()).toEqual([])
})

test('a call may come as JSON, and JSON that can’t be read is refused', async () => {
  const call = async (body: string): Promise<unknown> => {
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        authorization: `Bearer ${BOT_TOKEN}`,
      },
      body,
    })
    return response.json()
  }
  const blocks = [{ type: 'divider' }]
  expect(await call(JSON.stringify({ channel: GENERAL, text: 'hello', blocks }))).toMatchObject({
    ok: true,
    message: { text: 'hello', blocks },
  })
  expect(await call('{')).toEqual({ ok: false, error: 'invalid_json' })
})
