import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { expect, onTestFinished } from 'vitest'
import type { SlackJson, StepRun } from '../../../src/simulator/protocol.ts'
import { STEP_OUTPUTS, WORKFLOW_STEP } from '../../../src/slack/ids.ts'
import { withApp } from '../../support/fixtures.ts'
import { startApp } from '../../support/app.ts'
import { texts } from '../../support/texts.ts'

const { test, app, slack, ana, until, settings } = withApp()

type Outcome = NonNullable<StepRun['outcome']>

/** Runs the step and waits until it ends. */
async function outcome(inputs: Record<string, unknown>, { slack } = app): Promise<Outcome> {
  const id = await slack.ana.runsStep(WORKFLOW_STEP, inputs)
  return slack.until(() => slack.ana.stepRun(id)?.outcome)
}

/** The outputs of a run that succeeds. */
async function outputs(inputs: Record<string, unknown>, of = app): Promise<Record<string, string>> {
  const ended = await outcome(inputs, of)
  if (!ended.ok) throw new Error(ended.error)
  return ended.outputs as Record<string, string>
}

/** The error that the workflow gets from a run that fails. */
async function errorOf(inputs: Record<string, unknown>): Promise<string> {
  const ended = await outcome(inputs)
  if (ended.ok) throw new Error(`it succeeded: ${JSON.stringify(ended.outputs)}`)
  return ended.error
}

async function destinationOf(url: string | undefined): Promise<string | null> {
  return (await fetch(url ?? '', { redirect: 'manual' })).headers.get('location')
}

/** The text that a phone would read from an uploaded picture. */
function scan(fileId: string | undefined): string | undefined {
  const bytes = slack.workspace.file(fileId ?? '')?.bytes ?? Buffer.of()
  const { data, width, height } = PNG.sync.read(bytes)
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
}

test('returns the short URL, and the QR code as a file', async () => {
  const ended = await outputs({ destination_url: 'https://example.com/step?a=1&b=2#c' })
  expect(ended).toEqual({
    [STEP_OUTPUTS.shortUrl]: expect.stringMatching(/^http:\/\/localhost:\d+\/\w{7,}$/) as unknown,
    [STEP_OUTPUTS.qrFile]: expect.stringMatching(/^F/) as unknown,
  })
  expect(await destinationOf(ended.short_url)).toBe('https://example.com/step?a=1&b=2#c')
  expect(scan(ended.qr_code_file)).toBe(ended.short_url)
})

test('accepts the same inputs as the command', async () => {
  const other = await outputs({ destination_url: 'https://example.com/other' })
  const { short_url: url } = await outputs({
    destination_url: '<https://example.com/all|all of it>',
    domain: new URL(other.short_url ?? '').host,
    back_half: ' from-a-workflow ',
    title: 'Everything',
    tags: ' print ',
    utm_source: 'newsletter',
    utm_campaign: 'spring sale',
    utm_id: '',
    utm_term: null,
  })
  expect(url).toMatch(/\/from-a-workflow$/)
  expect(await destinationOf(url)).toBe(
    'https://example.com/all?utm_source=newsletter&utm_campaign=spring+sale',
  )
})

test('returns the existing link of a duplicate', async () => {
  const first = await outputs({ destination_url: 'https://example.com/again' })
  const second = await outputs({ destination_url: 'https://example.com/again' })
  expect(second.short_url).toBe(first.short_url)
  expect(scan(second.qr_code_file)).toBe(first.short_url)
  // No user made it.
  expect(texts(await ana.asks('/shorten https://example.com/again qr=off'))).not.toContain(
    'Created by',
  )
})

test('runs once if Slack sends a step twice', async () => {
  const { workspace } = slack
  const { app: connection } = workspace.parts
  const { sendEvent } = connection
  let step: SlackJson = {}
  connection.sendEvent = (body) => {
    step = body
    return sendEvent(body)
  }
  // As Slack does when an acknowledgement is lost.
  const sendAgain = (): unknown => sendEvent(step)
  const files = (): number => Object.keys(workspace.state(ana.id).files).length
  const before = files()
  const id = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com/twice' })
  connection.sendEvent = sendEvent
  sendAgain()
  await until(() => ana.stepRun(id)?.outcome?.ok)
  sendAgain()
  await outputs({ destination_url: 'https://example.com/after-it' })
  expect(files() - before).toBe(2)
})

test.each<[Record<string, unknown>, string]>([
  [{ destination_url: ['https://example.com'] }, 'Destination: The workflow filled this in with'],
  [{ destination_url: '   ' }, 'Destination: Enter the link that you want to shorten.'],
  [{ destination_url: 'ftp://<!channel>', domain: 'x' }, 'Destination: “ftp://&lt;!channel&gt;”'],
  [{ destination_url: 'ftp://a', domain: '<!channel>' }, '\nDomain: “&lt;!channel&gt;” isn’t one'],
])('fails for %j with: %s', async (inputs, error) => {
  expect(await errorOf(inputs)).toContain(error)
})

test('names the input of an error from the link service', async () => {
  await outputs({ destination_url: 'https://example.com/one', back_half: 'taken' })
  expect(await errorOf({ destination_url: 'https://example.com/two', back_half: 'taken' })).toBe(
    'Back-half: This back-half is taken on this domain. Choose another back-half.',
  )
})

test('completes the step once Slack accepts it, if too many steps end at once', async () => {
  slack.failNext('functions.completeSuccess', { status: 429, retryAfterSeconds: 0 }, 2)
  expect(await outputs({ destination_url: 'https://example.com/many' })).toHaveProperty('short_url')
})

test('returns only the short URL if the app can’t upload files', async () => {
  const limited = await startApp({ slack: { scopes: ['commands', 'chat:write'] } })
  onTestFinished(() => limited.stop())
  const ended = await outputs({ destination_url: 'https://example.com/limited' }, limited)
  expect(Object.keys(ended)).toEqual([STEP_OUTPUTS.shortUrl])
})

test('returns the QR code’s address instead of a file if the app has a public address', async () => {
  const reachable = await startApp({ config: { publicUrl: 'https://links.example.com' } })
  onTestFinished(() => reachable.stop())
  const ended = await outputs({ destination_url: 'https://example.com/public' }, reachable)
  const address = ended.qr_code_url ?? ''
  expect(address).toMatch(/^https:\/\/links\.example\.com\/qr\/[\w-]+\.png$/)
  const picture = await fetch(`${reachable.running.appUrl}${new URL(address).pathname}`)
  expect(picture.headers.get('content-type')).toBe('image/png')
  expect(Object.keys(ended)).toEqual([STEP_OUTPUTS.shortUrl, STEP_OUTPUTS.qrAddress])
  expect(reachable.slack.refusals()).toEqual([])
})

test('follows the workspace’s settings', async () => {
  await settings.set({
    qr: { enabled: false },
    templates: [{ name: 'Spring', values: { utm_source: 'Newsletter', utm_campaign: 'spring' } }],
    naming: { lowerCase: true, spaces: '-', sources: ['newsletter'], mediums: [] },
    mayShorten: 'not_guests',
  })
  const destination_url = 'https://example.com/configured'
  const ended = await outputs({ destination_url, template: 'spring', utm_campaign: 'Summer Sale' })
  expect(Object.keys(ended)).toEqual([STEP_OUTPUTS.shortUrl])
  expect(await destinationOf(ended.short_url)).toBe(
    'https://example.com/configured?utm_source=newsletter&utm_campaign=summer-sale',
  )
  expect(await errorOf({ destination_url, utm_source: 'tv' })).toContain(
    'UTM source: “tv” isn’t one of this workspace’s sources.',
  )
  expect(await errorOf({ destination_url, template: 'autumn' })).toContain(
    'UTM template: There is no template “autumn”.',
  )
})
