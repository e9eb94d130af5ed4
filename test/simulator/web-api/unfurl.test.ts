import { expect, test } from 'vitest'
import type { Message } from '../../../src/simulator/protocol.ts'
import { slackForEach } from '../../support/slack-for-each.ts'
import { errorAnswer, expectError } from '../../support/web-client.ts'

const MARKETING = 'C0MARKETING0'
const URL_ONE = 'https://go.example.com/one?a=1&b=2'
const URL_TWO = 'http://links.go.example.com:8080/two'
const BLOCKS = [{ type: 'section', text: { type: 'plain_text', text: 'Where it leads' } }]

const { slack, app, client, restart } = slackForEach()

/** Posts a message of Ana's. @returns a function that returns its current state */
async function post(text: string): Promise<() => Message> {
  await slack.ana.types(text, { in: 'marketing' })
  const { ts = '' } = slack.ana.sees('marketing').at(-1) ?? {}
  return () => {
    const message = slack.ben.sees('marketing').find((one) => one.ts === ts)
    if (!message) throw new Error('the message is gone')
    return message
  }
}

const unfurl = (args: Record<string, unknown>): Promise<unknown> =>
  client.apiCall('chat.unfurl', args)

test('sends the app the links to its domains', async () => {
  const message = await post(`see ${URL_ONE}, ${URL_TWO} and https://example.com, again ${URL_ONE}`)
  await expect.poll(() => app.requests.length).toBe(1)
  const { ts } = message()
  expect(app.last()['event']).toEqual({
    type: 'link_shared',
    channel: MARKETING,
    is_bot_user_member: false,
    user: slack.ana.id,
    message_ts: ts,
    source: 'conversations_history',
    links: [
      { domain: 'go.example.com', url: URL_ONE },
      { domain: 'go.example.com', url: URL_TWO },
    ],
    event_ts: ts,
  })
})

test('sends the thread of a reply', async () => {
  const { ts } = (await post('a question'))()
  await slack.ben.types(URL_ONE, { in: 'marketing', threadTs: ts })
  await expect.poll(() => app.requests.length).toBe(1)
  expect(app.last()['event']).toMatchObject({ thread_ts: ts, user: slack.ben.id })
})

test('sends nothing about other links, the app’s own messages, or without links:read', async () => {
  await post('https://example.com/go.example.com https://evilgo.example.com.example.org')
  await client.chat.postMessage({ channel: 'C0GENERAL000', text: `<${URL_ONE}>` })
  await restart({ scopes: ['commands', 'links:write'] })
  await post(URL_ONE)
  await slack.ana.types('/shorten', { in: 'marketing' })
  expect(app.requests.map(({ body }) => body['command'])).toEqual(['/shorten'])
})

test('attaches an unfurl to the message, even if the app is not in the channel', async () => {
  const message = await post(`see ${URL_ONE} and ${URL_TWO}`)
  const { ts } = message()
  await unfurl({ channel: MARKETING, ts, unfurls: { [URL_ONE]: { blocks: BLOCKS } } })
  const blocks = [{ ...BLOCKS[0], block_id: expect.any(String) as unknown }]
  const attachment = { id: 1, is_app_unfurl: true, app_unfurl_url: URL_ONE, from_url: URL_ONE }
  expect(message()).toMatchObject({ edited: false, attachments: [{ ...attachment, blocks }] })
})

test('replaces the unfurl of the same URL, and adds another after it', async () => {
  const message = await post(`see ${URL_ONE} and ${URL_TWO}`)
  const { ts } = message()
  const attach = (url: string, block_id: string) => {
    const unfurls = { [url]: { blocks: [{ ...BLOCKS[0], block_id }] } }
    return unfurl({ channel: MARKETING, ts, unfurls })
  }
  await attach(URL_ONE, 'first')
  await attach(URL_TWO, 'other')
  await attach(URL_ONE, 'second')
  expect(message().attachments).toMatchObject([
    { id: 1, blocks: [{ block_id: 'second' }] },
    { id: 2, blocks: [{ block_id: 'other' }] },
  ])
})

test('rejects an unfurl for a wrong message or URL with Slack’s error', async () => {
  const { ts } = (await post(`${URL_ONE} https://example.com/elsewhere`))()
  const unfurls = { [URL_ONE]: { blocks: BLOCKS } }
  const channel = MARKETING
  const at = { channel, ts }
  for (const [args, error] of [
    [{ channel: 'C0NOWHERE', ts, unfurls }, 'cannot_find_channel'],
    [{ channel, ts: '1.0', unfurls }, 'cannot_find_message'],
    [at, 'missing_unfurls'],
    [{ ...at, unfurls: [] }, 'invalid_unfurls_format'],
    [{ ...at, unfurls: { [`${URL_ONE}3`]: { text: 'x' } } }, 'cannot_unfurl_message'],
    [{ ...at, unfurls: { 'https://example.com/elsewhere': { text: 'x' } } }, 'cannot_unfurl_url'],
  ] as const) {
    await expectError(unfurl(args), error)
  }
})

test('rejects invalid blocks with the reason', async () => {
  const { ts } = (await post(URL_ONE))()
  const blocks = [{ type: 'image', image_url: 'http://localhost/card.png', alt_text: 'A card' }]
  const unfurls = { [URL_ONE]: { blocks } }
  expect(await errorAnswer(unfurl({ channel: MARKETING, ts, unfurls }))).toMatchObject({
    error: 'cannot_parse_attachment',
    errors: [expect.stringContaining('downloading image failed')],
  })
  const fields = { [URL_ONE]: { blocks: BLOCKS, title: 'not drawn' } }
  await expectError(unfurl({ channel: MARKETING, ts, unfurls: fields }), 'cannot_parse_attachment')
})

test('requires the scope links:write', async () => {
  await restart({ scopes: ['links:read'] })
  const { ts } = (await post(URL_ONE))()
  const unfurls = { [URL_ONE]: { blocks: BLOCKS } }
  expect(await errorAnswer(unfurl({ channel: MARKETING, ts, unfurls }))).toMatchObject({
    error: 'missing_scope',
    needed: 'links:write',
  })
})
