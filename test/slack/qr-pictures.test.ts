import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { expect } from 'vitest'
import { objects } from '../../src/simulator/shared/slack-json.ts'
import { PEOPLE } from '../../src/simulator/workspace/seeds.ts'
import { STEP_OUTPUTS, WORKFLOW_STEP } from '../../src/slack/ids.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { startApp } from '../support/app.ts'
import { startAppElsewhere } from '../support/app-elsewhere.ts'
import { created } from '../support/fake-link-service.ts'
import { withApp } from '../support/fixtures.ts'
import { startPlayground } from '../support/playground.ts'
import { publicHosts } from '../support/public-hosts.ts'
import { texts } from '../support/texts.ts'

/** The pictures in a message or a modal: their addresses, or `file`. */
const picturesIn = (blocks: unknown): string[] =>
  objects(blocks).flatMap(({ type, image_url: url }) =>
    type === 'image' ? [typeof url === 'string' ? url : 'file'] : [],
  )

const PUBLIC = /^https:\/\/go\.example\.com\/[\w-]+\/qr\.png\?color=[\da-f]{6}$/
const OWN = /^https:\/\/app\.example\.com\/qr\/[\w-]+\.png$/

/** What a phone would read from a picture. */
async function scan(response: Response): Promise<{ text?: string | undefined; width: number }> {
  const { data, width, height } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
  return { text: jsqr.default(new Uint8ClampedArray(data), width, height)?.data, width }
}

const hosts = await publicHosts()
let skippedMs = 0
const clock = { ...systemClock, now: () => systemClock.now() + skippedMs }
const { test, slack, ana, ben, until } = withApp({ ...hosts, clock })

test.beforeEach(async () => hosts.mends())

/** Nothing was uploaded, so no picture can follow in another message. */
const uploads = () => Object.keys(slack.workspace.state(ana.id).files)

test('a command is answered with the link and its QR code in one message', async () => {
  const command = '/shorten https://example.com/one-message spring color=#1f4f46'
  const answer = await ana.asks(command, { for: 'go.example.com/spring' })
  const [address = ''] = picturesIn(answer.blocks)
  expect(address).toBe('https://go.example.com/spring/qr.png?color=1f4f46')
  const { signal } = new AbortController()
  const picture = await hosts.slack.fetchImage(new URL(address), { signal })
  expect(await scan(picture)).toEqual({ text: 'https://go.example.com/spring', width: 512 })
  expect(uploads()).toEqual([])
})

test('a form is answered with the link and its QR code in one direct message', async () => {
  await ben.runsShortcut('shorten_link')
  await ben.seesModal()
  ben.fills({ Destination: 'https://example.com/form', 'Show the result in': null })
  await ben.submits()
  const answer = await ben.gets('example.com/form', { in: 'app' })
  expect(picturesIn(answer.blocks)).toEqual([expect.stringMatching(PUBLIC)])
  expect(answer.edited).toBe(false)
})

test('a message shortcut is answered with the link and its QR code in one reply in the thread', async () => {
  const message = await ben.posts('Look at https://example.com/thread')
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal()
  await ana.submits()
  const answer = await ben.gets('example.com/thread')
  expect(answer).toMatchObject({ threadTs: message.ts, ephemeral: false })
  expect(picturesIn(answer.blocks)).toEqual([expect.stringMatching(PUBLIC)])
})

test('a modal shows the code of one of several links', async () => {
  const message = await ben.posts('https://example.com/first and https://example.com/second')
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal()
  await ana.submits()
  const reply = await ben.gets('shortened 2 links')
  await ben.presses('show_qr', { in: 'general', message: reply })
  await ben.seesModal('qr.png')
  expect(picturesIn(ben.modal()?.view['blocks'])).toEqual([expect.stringMatching(PUBLIC)])
})

test('a shared link has its code', async () => {
  const made = await ana.asks('/shorten https://example.com/shared', { for: '/shared' })
  await ana.presses('share_link', { in: 'general', message: made })
  const shared = await ben.gets('shared a short link')
  expect(picturesIn(shared.blocks)).toEqual(picturesIn(made.blocks))
  expect(uploads()).toEqual([])
})

test('an existing link without a QR code of its own is shown with one that only the user sees', async () => {
  await ana.asks('/shorten https://example.com/plain plain qr=off', { for: '/plain' })
  const again = await ana.asks('/shorten https://example.com/plain', { for: 'already has' })
  expect(picturesIn(again.blocks)).toEqual([])
  await ana.gets('slack_file')
  expect(hosts.fetched.filter((address) => address.includes('/plain/'))).toEqual([])
})

test('a workflow step returns the address of the code', async () => {
  const id = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com/step' })
  const ended = await until(() => ana.stepRun(id)?.outcome)
  expect(ended).toMatchObject({
    outputs: { [STEP_OUTPUTS.qrAddress]: expect.stringMatching(PUBLIC) as unknown },
  })
})

test('the code has another address in another color, because Slack keeps pictures', async () => {
  await ana.asks('/shorten https://example.com/colored colored', { for: '/colored' })
  await ana.types('/shorten edit colored', { in: 'general' })
  await ana.seesModal('qr_code_color')
  ana.fills({ qr_code_color: '#aa0000' })
  await ana.submits()
  await until(() => !texts(ana.modal()).includes('qr_code_color'))
  await ana.closesAll()
  const again = await ana.asks('/shorten https://example.com/colored color=#aa0000', {
    for: 'already has',
  })
  expect(picturesIn(again.blocks)).toEqual(['https://go.example.com/colored/qr.png?color=aa0000'])
})

test('if Slack gets a page from there, the code follows as an upload', async () => {
  skippedMs += 10 * 60_000
  hosts.breaks('go.example.com', async () => new Response('<p>Sign in</p>'))
  const command = '/shorten https://example.com/broken'
  const made = await ben.asks(command, { in: 'marketing', for: '/broken' })
  expect(picturesIn(made.blocks)).toEqual([])
  await ben.gets('slack_file', { in: 'marketing' })
  for (const { error } of slack.takeRefusals()) expect(error).toBe('invalid_blocks')
})

test('if Slack can’t load the service’s picture, it follows as an upload, and an app with a public address shows its own from then on', async () => {
  const both = await publicHosts()
  both.breaks('go.example.com', async () => new Response(null, { status: 404 }))
  const publicUrl = 'https://app.example.com/'
  const app = await startApp({ ...both, config: { ...both.config, publicUrl } })
  const { ana, takeRefusals } = app.slack
  const first = await ana.asks('/shorten https://example.com/a', { for: 'example.com/a' })
  expect(picturesIn(first.blocks)).toEqual([])
  await ana.gets('slack_file')
  for (const { error } of takeRefusals()) expect(error).toBe('invalid_blocks')
  const second = await ana.asks('/shorten https://example.com/b', { for: 'example.com/b' })
  expect(picturesIn(second.blocks)).toEqual([expect.stringMatching(OWN)])
  expect(takeRefusals()).toEqual([])
  await app.stop()
})

test('with a link service that offers no picture, the app’s own is in the message', async () => {
  const { config, slack } = await publicHosts()
  const port = config.port ?? 0
  const app = await startAppElsewhere({
    answers: () => created({ qr_code_enabled: true }),
    config: { port, publicUrl: 'https://app.example.com' },
    slack,
  })
  const made = await app.slack.ana.asks('/shorten https://example.com/page', { for: 'x7Kp2Qa' })
  expect(picturesIn(made.blocks)).toEqual([expect.stringMatching(OWN)])
  await app.stop()
})

test('in the playground, Slack loads the picture over http from this machine', async () => {
  const playground = await startPlayground()
  const viewer = `viewer=${PEOPLE[0].id}`
  const text = '/shorten https://example.com/page spring'
  await fetch(`${playground.url}actions?${viewer}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'write', conversation: 'C0GENERAL000', text }),
  })
  const serviceUrl = playground.serviceUrl.replace('127.0.0.1', 'localhost')
  const { body } = await fetch(`${playground.url}events?${viewer}`)
  let seen = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    seen += chunk
    if (seen.includes(`"image_url":"${serviceUrl}/spring/qr.png?color=000000"`)) break
  }
  await playground.stop()
})
