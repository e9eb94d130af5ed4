import { join } from 'node:path'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import type { StepRun } from '../../../src/simulator/protocol.ts'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { STEP_OUTPUTS, WORKFLOW_STEP } from '../../../src/slack/ids.ts'
import { createSettingsStore } from '../../../src/workspaces/settings.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { makeTempDir } from '../../support/temp-dir.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterEach(() => {
  expect(app.slack.takeRefusals()).toEqual([])
})
afterAll(() => app.stop())

type Outcome = NonNullable<StepRun['outcome']>

/** Runs the step, and waits for how it ended. */
async function outcome(inputs: Record<string, unknown>, { slack } = app): Promise<Outcome> {
  const id = await slack.ana.runsStep(WORKFLOW_STEP, inputs)
  return slack.until(() => slack.ana.stepRun(id)?.outcome)
}

/** The outputs of a run that went well. */
async function outputs(inputs: Record<string, unknown>, of = app): Promise<Record<string, string>> {
  const ended = await outcome(inputs, of)
  if (!ended.ok) throw new Error(ended.error)
  return ended.outputs as Record<string, string>
}

/** What the workflow is told of a run that went wrong. */
async function words(inputs: Record<string, unknown>, of = app): Promise<string> {
  const ended = await outcome(inputs, of)
  if (ended.ok) throw new Error(`it went well: ${JSON.stringify(ended.outputs)}`)
  return ended.error
}

async function follow(url: string | undefined): Promise<string | null> {
  return (await fetch(url ?? '', { redirect: 'manual' })).headers.get('location')
}

/** What a phone would read from an uploaded picture. */
function scan(fileId: string | undefined): string | undefined {
  const bytes = app.slack.workspace.file(fileId ?? '')?.bytes ?? Buffer.of()
  const { data, width, height } = PNG.sync.read(bytes)
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
}

test('a workflow gets the short URL, and the QR code as a file', async () => {
  const ended = await outputs({ destination_url: 'https://example.com/step?a=1&b=2#c' })
  expect(ended).toEqual({
    [STEP_OUTPUTS.shortUrl]: expect.stringMatching(/^http:\/\/localhost:\d+\/\w{7,}$/) as unknown,
    [STEP_OUTPUTS.qrFile]: expect.stringMatching(/^F/) as unknown,
  })
  expect(await follow(ended.short_url)).toBe('https://example.com/step?a=1&b=2#c')
  expect(scan(ended.qr_code_file)).toBe(ended.short_url)
})

test('every input does what it does in the command', async () => {
  const other = await outputs({ destination_url: 'https://example.com/other' })
  const { short_url: url } = await outputs({
    destination_url: '<https://example.com/all|all of it>',
    domain: new URL(other.short_url ?? '').host,
    back_half: ' from-a-workflow ',
    title: 'Everything',
    utm_source: 'newsletter',
    utm_campaign: 'spring sale',
    utm_id: '',
    utm_term: null,
  })
  expect(url).toMatch(/\/from-a-workflow$/)
  expect(await follow(url)).toBe(
    'https://example.com/all?utm_source=newsletter&utm_campaign=spring+sale',
  )
})

test('a link that is there already is handed on as it is', async () => {
  const first = await outputs({ destination_url: 'https://example.com/again' })
  const second = await outputs({ destination_url: 'https://example.com/again' })
  expect(second.short_url).toBe(first.short_url)
  expect(scan(second.qr_code_file)).toBe(first.short_url)
})

test('a step that Slack tells of twice runs once', async () => {
  const { ana, until, workspace } = app.slack
  const files = (): number => Object.keys(workspace.state(ana.id).files).length
  const before = files()
  const id = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com/twice' })
  workspace.tellOfStepAgain(id)
  await until(() => ana.stepRun(id)?.outcome?.ok)
  workspace.tellOfStepAgain(id)
  await outputs({ destination_url: 'https://example.com/after-it' })
  expect(files() - before).toBe(2)
})

test.each<[Record<string, unknown>, string]>([
  [{ destination_url: 'nonsense' }, 'Destination: “nonsense” isn’t a link.'],
  [{ destination_url: ['https://example.com'] }, 'Destination: The workflow filled this in with'],
  [{ destination_url: '   ' }, 'Destination: Give the link that you want to shorten.'],
  [
    { destination_url: `https://example.com/${'x'.repeat(4000)}` },
    'longer than the text of a workflow',
  ],
  [{ destination_url: 'https://example.com/a', domain: 'elsewhere.example' }, 'Domain: “elsewhere'],
  [{ destination_url: 'https://example.com/b', back_half: 'api' }, 'Back-half: '],
  [{ destination_url: 'https://example.com?utm_id=1', utm_id: '2' }, 'UTM ID: The link has'],
  [{ destination_url: 'ftp://<!channel>' }, '&lt;!channel&gt;'],
])('%j fails in words: %s', async (inputs, said) => {
  expect(await words(inputs)).toContain(said)
})

test('it names every fault at once', async () => {
  const said = await words({
    destination_url: 'nonsense',
    domain: 'elsewhere.example',
  })
  expect(said.split('\n').map((line) => line.split(':')[0])).toEqual(['Destination', 'Domain'])
})

test('a back-half that is taken is a fault, at the input that it belongs to', async () => {
  await outputs({ destination_url: 'https://example.com/one', back_half: 'taken' })
  expect(await words({ destination_url: 'https://example.com/two', back_half: 'taken' })).toBe(
    'Back-half: “taken” is taken on this domain. Choose another back-half.',
  )
})

test('where Slack loses the completion, the workflow is told that something went wrong', async () => {
  app.slack.failNext('functions.completeSuccess', { error: 'parameter_validation_failed' })
  expect(await words({ destination_url: 'https://example.com/lost' })).toContain(
    'Something went wrong on our side',
  )
})

test('where too many steps end at once, each is told all the same', async () => {
  app.slack.failNext('functions.completeSuccess', { status: 429, retryAfterSeconds: 0 }, 2)
  expect(await outputs({ destination_url: 'https://example.com/many' })).toHaveProperty('short_url')
})

test('without files:write the workflow gets the short URL alone', async () => {
  const poor = await startApp({ slack: { scopes: ['commands', 'chat:write'] } })
  try {
    const ended = await outputs({ destination_url: 'https://example.com/poor' }, poor)
    expect(Object.keys(ended)).toEqual([STEP_OUTPUTS.shortUrl])
  } finally {
    await poor.stop()
  }
})

test('with a public address the QR code has one too, and nothing is uploaded', async () => {
  const open = await startApp({ config: { publicUrl: 'https://links.example.com' } })
  try {
    const ended = await outputs({ destination_url: 'https://example.com/public' }, open)
    const address = ended.qr_code_url ?? ''
    expect(address).toMatch(/^https:\/\/links\.example\.com\/qr\/[\w-]+\.png$/)
    const picture = await fetch(`${open.running.appUrl}${new URL(address).pathname}`)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(Object.keys(ended)).toEqual([STEP_OUTPUTS.shortUrl, STEP_OUTPUTS.qrAddress])
    expect(open.slack.refusals()).toEqual([])
  } finally {
    await open.stop()
  }
})

test('the workspace’s settings decide what the workflow left open; nobody is named as the maker', async () => {
  const directory = await makeTempDir()
  const databaseUrl = `file:${join(directory.path, 'backhalf.db')}`
  const settled = await startApp({ config: { databaseUrl } })
  const database = await openDatabase(databaseUrl)
  try {
    await createSettingsStore({ database }).update(TEAM.id, 'U1', () => ({
      qr: { enabled: false },
      templates: [{ name: 'Spring', values: { utm_source: 'Newsletter', utm_campaign: 'spring' } }],
      naming: { lowerCase: true, spaces: '-', sources: ['newsletter'], mediums: [] },
      mayShorten: 'not_guests',
    }))
    const ended = await outputs(
      {
        destination_url: 'https://example.com/settled',
        template: 'spring',
        utm_campaign: 'Summer Sale',
      },
      settled,
    )
    expect(Object.keys(ended)).toEqual([STEP_OUTPUTS.shortUrl])
    expect(await follow(ended.short_url)).toBe(
      'https://example.com/settled?utm_source=newsletter&utm_campaign=summer-sale',
    )
    expect(
      await words({ destination_url: 'https://example.com/x', utm_source: 'tv' }, settled),
    ).toContain('UTM source: “tv” isn’t one of this workspace’s sources.')
    expect(
      await words({ destination_url: 'https://example.com/x', template: 'autumn' }, settled),
    ).toContain('UTM template: There is no template “autumn”.')

    const made = await database.db.selectFrom('made_links').selectAll().execute()
    expect(made).toMatchObject([{ destination_url: 'https://example.com/settled', made_by: null }])
  } finally {
    await database.close()
    await settled.stop()
    await directory.remove()
  }
})
