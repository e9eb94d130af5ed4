import { expect, test } from 'vitest'
import { PEOPLE } from '../../../src/simulator/workspace/seeds.ts'
import { slackForEach } from '../../support/slack-for-each.ts'
import { errorAnswer } from '../../support/web-client.ts'

const [, BEN] = PEOPLE
const GENERAL = 'C0GENERAL000'
const MARKETING = 'C0MARKETING0'

const { slack, client } = slackForEach({ connects: false })

const rejects = async (call: Promise<unknown>, error: string): Promise<void> =>
  expect(await errorAnswer(call)).toMatchObject({ error })

test('posts only in channels that the app is a member of', async () => {
  const { ts = '' } = await client.chat.postMessage({ channel: GENERAL, text: 'hello' })
  expect(slack.ben.newest('general')).toEqual({
    ts,
    author: { kind: 'app' },
    text: 'hello',
    ephemeral: false,
    edited: false,
  })
  await rejects(client.chat.postMessage({ channel: MARKETING, text: 'hello' }), 'not_in_channel')
  await rejects(client.chat.postMessage({ channel: 'C0', text: 'hello' }), 'channel_not_found')

  await slack.ana.invitesApp('marketing')
  await client.chat.postMessage({ channel: MARKETING, text: 'hello again' })
  expect(slack.ana.newest('marketing')?.text).toBe('hello again')
})

test('rejects a message without text, and one with too much', async () => {
  await rejects(client.chat.postMessage({ channel: GENERAL, text: '' }), 'no_text')
  const text = 'x'.repeat(40_001)
  await rejects(client.chat.postMessage({ channel: GENERAL, text }), 'msg_too_long')
})

test('limits the total length of a message’s blocks', async () => {
  const post = (last: number): Promise<unknown> =>
    client.chat.postMessage({
      channel: GENERAL,
      text: 'x',
      blocks: [3000, 3000, 3000, 3000, last].map((length) => ({
        type: 'section',
        text: { type: 'mrkdwn', text: 'x'.repeat(length) },
      })),
    })
  expect(await errorAnswer(post(700))).toBe('accepted')
  await rejects(post(701), 'msg_blocks_too_long')
})

test('rejects invalid blocks with the reasons', async () => {
  const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }]
  const reason =
    'Too big: expected string to have <=150 characters [json-pointer:/blocks/0/text/text]'
  expect(
    await errorAnswer(client.chat.postMessage({ channel: GENERAL, text: 'x', blocks })),
  ).toMatchObject({
    error: 'invalid_blocks',
    errors: [reason],
    response_metadata: { messages: [`[ERROR] ${reason}`] },
  })
})

test('posts blocks without a text, but records a refusal', async () => {
  await client.apiCall('chat.postMessage', { channel: GENERAL, blocks: [{ type: 'divider' }] })
  expect(slack.ana.newest('general')?.blocks).toEqual([
    { block_id: expect.stringMatching(/^\w{5}$/) as unknown, type: 'divider' },
  ])
  expect(slack.takeRefusals()).toMatchObject([{ where: 'chat.postMessage', error: 'missing_text' }])
  expect(slack.refusals()).toEqual([])
})

test('shows an ephemeral message to one person, who can dismiss it', async () => {
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
  await rejects(
    client.chat.postEphemeral({ channel: GENERAL, user: 'U0', text: 'psst' }),
    'user_not_in_channel',
  )
})

test('accepts a reply only to a message that everyone sees', async () => {
  const reply = (thread_ts: string) =>
    client.chat.postMessage({ channel: GENERAL, text: 'a reply', thread_ts })
  const { message_ts = '' } = await client.chat.postEphemeral({
    channel: GENERAL,
    user: slack.ana.id,
    text: 'for one',
  })
  await rejects(reply('1700000000.000000'), 'thread_not_found')
  await rejects(reply(message_ts), 'thread_not_found')
  const { ts = '' } = await client.chat.postMessage({ channel: GENERAL, text: 'for all' })
  await reply(ts)
  expect(slack.ana.newest('general')).toMatchObject({ text: 'a reply', threadTs: ts })
})

test('lets the app change only its own messages', async () => {
  const { ts = '' } = await client.chat.postMessage({ channel: GENERAL, text: 'one' })
  await client.chat.update({ channel: GENERAL, ts, text: 'two' })
  expect(slack.ana.newest('general')).toMatchObject({ text: 'two', edited: true })

  const nowhere = client.chat.update({ channel: GENERAL, ts: '1700000000.000000', text: 'two' })
  await rejects(nowhere, 'message_not_found')
  const [human] = slack.ana.sees('general')
  await rejects(
    client.chat.update({ channel: GENERAL, ts: human?.ts ?? '', text: 'mine' }),
    'cant_update_message',
  )
})
