import { expect } from 'vitest'
import type { Message } from '../../../src/simulator/protocol.ts'
import { withApp } from '../../support/fixtures.ts'
import { startApp } from '../../support/app.ts'
import { PNG } from '../../support/images.ts'
import { startInstallableApp } from '../../support/installing.ts'
import { recordingLogger } from '../../support/recording-logger.ts'
import type { TestWorkspace } from '../../support/workspace.ts'

const LINKS = 'https://go.example.com'

const log = recordingLogger()
const { test, slack, ana, ben, until } = withApp({
  config: { servicePublicUrl: LINKS },
  logger: log.logger,
})

/** Creates a link with the command, by Ana. @returns its short URL */
async function made(
  destination: string,
  { backHalf = `link-${++count}`, options = '', by = ana } = {},
): Promise<string> {
  const url = `${LINKS}/${backHalf}`
  await by.asks(`/shorten ${destination} ${backHalf} ${options} qr=off`, { for: url })
  return url
}
let count = 0

/** Posts a message by Ben in a channel that the app is not in. */
async function posted(
  text: string,
  { ben }: TestWorkspace = slack,
  thread: { threadTs?: string } = {},
): Promise<() => Message> {
  await ben.types(text, { in: 'marketing', ...thread })
  const { ts = '' } = ben.sees('marketing').at(-1) ?? {}
  return () => {
    const message = ben.sees('marketing').find((one) => one.ts === ts)
    if (!message) throw new Error('the message is gone')
    return message
  }
}

const cards = ({ attachments = [] }: Message): string => JSON.stringify(attachments)

/** Sends the event for a link that Ben has posted, or is writing. */
function sendShared(url: string, event: Record<string, string>): void {
  const links = [{ domain: 'go.example.com', url }]
  slack.workspace.parts.events.send({ type: 'link_shared', user: ben.id, links, ...event })
}

/** Waits until a later link has its card. An earlier message would have its own by then. */
async function letEventsPass(where: TestWorkspace = slack): Promise<void> {
  const url = await made(`https://example.com/later/${count}`, { by: where.ana })
  const message = await posted(url, where)
  await where.until(() => message().attachments)
}

test('shows where a posted link leads, who created it and when, in a channel that the app is not in', async () => {
  const options = 'title="Spring catalogue"'
  const url = await made('https://example.com/catalogue', { options })
  const about = `^Leads to \u2068example\\.com/catalogue\u2069\nShortened by <@${ana.id}>  ·  <!date\\^`
  const message = await posted(`Here: ${url}, as you asked`)
  await until(() => message().attachments)
  expect(message()).toMatchObject({
    author: { kind: 'person', id: ben.id },
    edited: false,
    attachments: [
      {
        app_unfurl_url: url,
        blocks: [
          {
            type: 'section',
            text: { type: 'mrkdwn', text: `*<${url}|\u2068Spring catalogue\u2069>*` },
          },
          {
            type: 'context',
            elements: [{ type: 'mrkdwn', text: expect.stringMatching(about) as unknown }],
          },
        ],
      },
    ],
  })
})

test('shows the card below a reply in a thread', async () => {
  const url = await made('https://example.com/in-a-thread')
  const { ts: threadTs = '' } = ben.sees('marketing')[0] ?? {}
  const reply = await posted(url, slack, { threadTs })
  await until(() => reply().attachments)
  expect(reply()).toMatchObject({ threadTs, attachments: [{ app_unfurl_url: url }] })
  expect(ben.sees('marketing')[0]?.attachments).toBeUndefined()
})

test('shows a custom preview with its picture', async () => {
  await ana.opens('/shorten')
  await ana.presses('Add a custom preview')
  await ana.seesModal('preview_title')
  ana.fills({
    Destination: 'https://example.com/with-preview',
    'Back-half': 'with-preview',
    Title: 'Ours',
    'Preview title': 'صيف ☀️',
    'Preview description': 'Everything <must> go & <!channel>',
  })
  ana.uploads('Preview image', { name: 'card.png', bytes: PNG })
  await ana.submits()
  await until(() => !ana.modal())

  const message = await posted(`${LINKS}/with-preview`)
  await until(() => message().attachments)
  expect(message().attachments?.[0]?.['blocks']).toMatchObject([
    {
      text: {
        text: `*<${LINKS}/with-preview|\u2068صيف ☀️\u2069>*\n\u2068Everything &lt;must&gt; go &amp; &lt;!channel&gt;\u2069`,
      },
    },
    {
      type: 'image',
      image_url: expect.stringMatching(`^${LINKS}/preview-images/.*\\.png$`) as unknown,
      alt_text: 'Preview image of صيف ☀️',
    },
    { type: 'context' },
  ])
})

test('leaves out a picture that Slack can’t fetch', async () => {
  slack.failNext('chat.unfurl', { error: 'cannot_parse_attachment' })
  const message = await posted(`${LINKS}/with-preview again`)
  await until(() => message().attachments)
  expect(cards(message())).toContain('Everything')
  expect(cards(message())).not.toContain('"image"')
})

test('shows one card for each link, however often and in whatever spelling it is posted', async () => {
  const one = await made('https://example.com/several/one')
  const two = await made('https://example.com/several/two')
  const shouted = two.replace('https://go.example.com', 'http://GO.EXAMPLE.COM')
  const message = await posted(`${one} ${one} ${shouted}/ ${two}?from=mail#top ${one}`)
  await until(() => message().attachments)
  expect(message().attachments).toMatchObject([
    { app_unfurl_url: one },
    { app_unfurl_url: `${shouted}/` },
  ])
  expect(cards(message())).toContain('example.com/several/two')
})

test('changes nothing if Slack sends an event twice', async () => {
  const url = await made('https://example.com/twice')
  const message = await posted(url)
  await until(() => message().attachments)
  const message_ts = message().ts
  sendShared(url, { channel: 'C0MARKETING0', message_ts, source: 'conversations_history' })
  await letEventsPass()
  expect(message().attachments).toHaveLength(1)
})

test('shows no card while a user is still writing', async () => {
  const url = await made('https://example.com/composing')
  const id = 'U0BENOKAFOR0-909b5454-75f8-4ac4-b325-1b40e230bbd8'
  sendShared(url, { channel: 'COMPOSER', message_ts: id, unfurl_id: id, source: 'composer' })
  await letEventsPass()
  // Slack would refuse a card for it.
  expect(slack.refusals()).toEqual([])
})

test.each([
  ['account_inactive', false],
  ['cannot_find_message', false],
  ['cannot_unfurl_url', false],
  ['missing_scope', false],
  ['internal_error', true],
  ['invalid_arguments', true],
])(
  'shows no card if Slack answers %s, which is an error in the log: %s',
  async (error, isError) => {
    const url = await made(`https://example.com/refused/${error}`)
    slack.failNext('chat.unfurl', { error })
    log.lines.length = 0
    const message = await posted(url)
    await letEventsPass()
    expect(message().attachments).toBeUndefined()
    expect(log.lines.some((line) => line.includes('"level":50'))).toBe(isError)
  },
)

test('gives up if Slack refuses a card with and without its picture', async () => {
  slack.failNext('chat.unfurl', { error: 'invalid_blocks' }, 2)
  log.lines.length = 0
  const message = await posted(`${LINKS}/with-preview refused`)
  await letEventsPass()
  expect(message().attachments).toBeUndefined()
  expect(log.lines.join('')).toContain('invalid_blocks')
})

test('shows at most five cards below one message, and none for a link that was not created in Slack', async () => {
  const urls: string[] = []
  for (let at = 0; at < 6; at++) urls.push(await made(`https://example.com/six/${at}`))
  const unknown = [1, 2, 3, 4, 5].map((number) => `${LINKS}/made-elsewhere-${number}`)
  const message = await posted([...unknown, ...urls].join(' '))
  await until(() => message().attachments)
  expect(message().attachments?.map(({ app_unfurl_url: url }) => url)).toEqual(urls.slice(0, 5))
})

test('does not try to show a card without the scope links:write, and still creates links', async () => {
  const scopes = ['commands', 'chat:write', 'links:read', 'files:write', 'users:read']
  const limited = await startApp({ config: { servicePublicUrl: LINKS }, slack: { scopes } })
  const url = await made('https://example.com/limited', { by: limited.slack.ana })
  const message = await posted(url, limited.slack)
  await made('https://example.com/still-works', { by: limited.slack.ana })
  await limited.stop() // Waits for the work in flight.
  expect(limited.slack.refusals()).toEqual([])
  expect(message().attachments).toBeUndefined()
})

test('shows no card in another workspace', async () => {
  const teams = [
    { id: 'T0MAKER00000', domain: 'creator', name: 'Creator' },
    { id: 'T0STRANGER00', domain: 'stranger', name: 'Stranger' },
  ]
  const config = { servicePublicUrl: LINKS, unfurlDomains: ['go.example.com'] }
  const both = await startInstallableApp({ teams, config })
  const [creator, stranger] = both.workspaces as [TestWorkspace, TestWorkspace]
  for (const workspace of both.workspaces) await both.installs(workspace)
  const url = await made('https://example.com/secret', { by: creator.ana })
  const known = await posted(url, creator)
  await creator.until(() => known().attachments)
  const unknown = await posted(url, stranger)
  await letEventsPass(stranger)
  expect(unknown().attachments).toBeUndefined()
  await both.stop()
})
