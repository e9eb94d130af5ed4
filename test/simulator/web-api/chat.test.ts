import type { ChatPostMessageArguments } from '@slack/web-api'
import { expect, test } from 'vitest'
import { PEOPLE } from '../../../src/simulator/workspace/seeds.ts'
import { slackForEach } from '../../support/slack-for-each.ts'
import { errorAnswer, expectError } from '../../support/web-client.ts'

const [, BEN] = PEOPLE
const GENERAL = 'C0GENERAL000'
const MARKETING = 'C0MARKETING0'

const { slack, client } = slackForEach({ connects: false })

const post = (more: Partial<ChatPostMessageArguments>) =>
  client.chat.postMessage({ channel: GENERAL, text: 'hello', ...more } as ChatPostMessageArguments)

test('posts only in channels that the app is a member of', async () => {
  const { ts = '' } = await post({})
  expect(slack.ben.newest('general')).toEqual({
    ts,
    author: { kind: 'app' },
    text: 'hello',
    ephemeral: false,
    edited: false,
  })
  await expectError(post({ channel: MARKETING }), 'not_in_channel')
  await expectError(post({ channel: 'C0' }), 'channel_not_found')

  await slack.ana.invitesApp('marketing')
  await post({ channel: MARKETING, text: 'hello again' })
  expect(slack.ana.newest('marketing')?.text).toBe('hello again')
})

test('rejects a message without text, and one with too much', async () => {
  await expectError(post({ text: '' }), 'no_text')
  await expectError(post({ text: 'x'.repeat(40_001) }), 'msg_too_long')
})

test('limits the total length of a message’s blocks', async () => {
  const blocks = (last: number) =>
    [3000, 3000, 3000, 3000, last].map((length) => ({
      type: 'section' as const,
      text: { type: 'mrkdwn' as const, text: 'x'.repeat(length) },
    }))
  await post({ blocks: blocks(700) })
  await expectError(post({ blocks: blocks(701) }), 'msg_blocks_too_long')
})

test('rejects invalid blocks with the reasons', async () => {
  const text = { type: 'plain_text' as const, text: 'x'.repeat(151) }
  const reason =
    'Too big: expected string to have <=150 characters [json-pointer:/blocks/0/text/text]'
  expect(await errorAnswer(post({ blocks: [{ type: 'header', text }] }))).toMatchObject({
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
  const { ts = '' } = message ?? {}
  await slack.workspace.act(BEN.id, { type: 'dismiss_message', conversation: GENERAL, ts })
  expect(slack.ben.newest('general')).toBeUndefined()
  const toNobody = client.chat.postEphemeral({ channel: GENERAL, user: 'U0', text: 'psst' })
  await expectError(toNobody, 'user_not_in_channel')
})

test('accepts a reply only to a message that everyone sees', async () => {
  const reply = (thread_ts: string) => post({ text: 'a reply', thread_ts })
  const forOne = { channel: GENERAL, user: slack.ana.id, text: 'for one' }
  const { message_ts = '' } = await client.chat.postEphemeral(forOne)
  await expectError(reply('1700000000.000000'), 'thread_not_found')
  await expectError(reply(message_ts), 'thread_not_found')
  const { ts = '' } = await post({ text: 'for all' })
  await reply(ts)
  expect(slack.ana.newest('general')).toMatchObject({ text: 'a reply', threadTs: ts })
})

test('lets the app change only its own messages', async () => {
  const { ts = '' } = await post({ text: 'one' })
  const update = (ts: string) => client.chat.update({ channel: GENERAL, ts, text: 'two' })
  await update(ts)
  expect(slack.ana.newest('general')).toMatchObject({ text: 'two', edited: true })

  await expectError(update('1700000000.000000'), 'message_not_found')
  const [human] = slack.ana.sees('general')
  await expectError(update(human?.ts ?? ''), 'cant_update_message')
})
