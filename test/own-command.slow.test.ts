import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import ts from 'typescript'
import { afterAll, describe, expect, test } from 'vitest'
import { DEFAULT_COMMAND, setCommand } from '../src/config/command.ts'
import { runDoctor } from '../src/doctor/run-doctor.ts'
import { TEAM } from '../src/simulator/workspace/seeds.ts'
import { endingMessage, stoppedMessage } from '../src/slack/alerts/alert-message.ts'
import { GLOBAL_SHORTCUT, MESSAGE_SHORTCUT, WORKFLOW_STEP } from '../src/slack/ids.ts'
import { readManifest } from '../src/slack/install/manifest.ts'
import { notSharedText } from '../src/slack/share/share-link.ts'
import { sessionEndedPage } from '../src/service/dashboard/problem-pages.ts'
import { NEW_MEMORY, type StoredAlert } from '../src/workspaces/alerts.ts'
import { startApp, type TestApp } from './support/app.ts'
import { startAppElsewhere } from './support/app-elsewhere.ts'
import { parseSource, readSource, sourceFiles, SRC } from './support/architecture.ts'
import { browserTest } from './support/browser.ts'
import { created, failure, WHOLE_LINK, type Answer } from './support/fake-link-service.ts'
import { withStarted } from './support/fixtures.ts'
import { startInstallableApp } from './support/installing.ts'
import { startPlayground, write } from './support/playground.ts'
import { texts } from './support/texts.ts'
import { SIGNING_SECRET, BOT_TOKEN } from './support/workspace.ts'

/*
 * The app with another slash command. Everything that it sends to Slack is recorded, and none of it names the default
 * command.
 */

const OWN = '/go-links'

// Other files run in the same process.
afterAll(() => setCommand(DEFAULT_COMMAND))

/** As JSON: the arguments of the app’s calls, its answers to response_urls, and the modals that people see. */
const sent: string[] = []

function record({ slack }: Pick<TestApp, 'slack'>): void {
  const { fromApp } = slack.workspace
  const callApi = fromApp.callApi.bind(fromApp)
  const postToResponseUrl = fromApp.postToResponseUrl.bind(fromApp)
  fromApp.callApi = (call) => {
    sent.push(JSON.stringify(call.args))
    return callApi(call)
  }
  fromApp.postToResponseUrl = (id, body) => {
    sent.push(JSON.stringify(body))
    return postToResponseUrl(id, body)
  }
  // An acknowledgement can change a modal without a call.
  slack.workspace.parts.changes.on('change', () => {
    const modals = [slack.ana, slack.ben, slack.gil].map((person) => person.modal())
    sent.push(
      ...modals.filter((modal) => modal !== undefined).map((modal) => JSON.stringify(modal)),
    )
  })
}

/** Sets the command before the simulated Slack gets the manifest. */
async function started<A extends TestApp>(start: (options: object) => Promise<A>): Promise<A> {
  setCommand(OWN)
  const app = await start({ slack: { manifest: readManifest() } })
  record(app)
  return app
}

const bundled = withStarted(() =>
  started((options) => startApp({ config: { command: OWN }, ...options })),
)
const elsewhere = withStarted(() =>
  started((options) =>
    startAppElsewhere({ config: { command: OWN, fallback: undefined }, ...options }),
  ),
)

/** Checks everything that was sent since the last check. @param others texts of pages */
function expectOwnCommand(...others: string[]): void {
  const all = [...sent.splice(0), ...others]
  expect(all.filter((text) => text.includes(DEFAULT_COMMAND))).toEqual([])
  expect(all.some((text) => text.includes(OWN))).toBe(true)
}

const page = async (url: string): Promise<string> => (await fetch(url)).text()

describe('with the bundled link service', () => {
  const { test, app, ana, ben, until } = bundled

  test('responds only to its own command', async () => {
    await ana.asks(`${OWN} help`, { for: `How to use ${OWN}` })
    await expect(ana.types('/shorten help', { in: 'general' })).rejects.toThrow(
      '/shorten is not a valid command.',
    )
    expectOwnCommand()
  })

  test('helps with every topic, and with words that it does not know', async () => {
    const help = await ana.asks(`${OWN} help`, { for: 'For admins' })
    const topics: [string, string][] = [
      ['Options', 'utm_source=newsletter'],
      ['Lists and clicks', `${OWN} clicks spring-sale`],
      ['Reports', `${OWN} report spring-sale last week`],
      ['For admins', `${OWN} settings`],
    ]
    for (const [title, words] of topics) {
      await ana.presses(title, { in: 'general', message: help })
      await ana.seesModal(words)
      await ana.closesAll()
    }
    for (const word of ['stats', 'tags', 'qr']) {
      await ana.asks(`${OWN} ${word}`, { for: `doesn’t know “${word}”. \`${OWN} ` })
    }
    await ana.asks(`${OWN} lsit`, { for: 'Did you mean' })
    expectOwnCommand()
  })

  test('has its command in an empty list and in the Home tab', async () => {
    await ana.opensHome()
    await ana.seesHome(`\`${OWN} help\` shows what else`)
    await ana.asks(`${OWN} list`, { for: `Make the first one: \`${OWN} https://` })
    expectOwnCommand()
  })

  test('creates links by the command, the form, the shortcuts and the step', async () => {
    await ana.asks(`${OWN} https://example.com/a first tags=spring qr=off`, { for: '/first|' })
    await ana.asks(`${OWN} https://example.com/a qr=off`, { for: 'first' })
    await ana.asks(`${OWN} https://example.com/b first qr=off`, { for: 'Change something' })
    await ana.asks(`${OWN} https://example.com/b titel=x`, { for: 'titel' })
    await ana.asks(`${OWN} example`, { for: 'example' })
    await ana.asks(`${OWN} https://example.com/b template=Newsletter`, {
      for: `An admin can add some with ${OWN} settings.`,
    })
    await ana.opens(OWN, 'Destination')
    ana.fills({ Destination: 'https://example.com/c', 'Back-half': 'first' })
    await ana.submits()
    await ana.seesErrors()
    await ana.closesAll()
    await ana.runsShortcut(GLOBAL_SHORTCUT)
    await ana.seesModal('Destination')
    await ana.closesAll()
    const message = await ben.posts('See https://example.com/d and https://example.com/e')
    await ana.runsMessageShortcut(MESSAGE_SHORTCUT, 'general', message)
    await ana.seesModal('example.com/e')
    await ana.submits()
    await ana.gets('shortened 2 links')
    const run = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'nothing' })
    await until(() => ana.stepRun(run)?.outcome)
    expectOwnCommand(JSON.stringify(ana.stepRun(run)))
  })

  test('finds, changes and reports links', async () => {
    await ana.asks(`${OWN} list`, { for: 'first' })
    await ana.asks(`${OWN} clicks`, { for: `after \`${OWN} clicks\`` })
    await ana.asks(`${OWN} clicks nowhere`, { for: `look at ${OWN} list` })
    await ana.asks(`${OWN} clicks first`, { for: 'first' })
    for (const command of ['edit', 'delete']) {
      await ana.opens(`${OWN} ${command} nowhere`, `look at ${OWN} list`)
      await ana.closesAll()
      await ana.opens(`${OWN} ${command} first`, 'first')
      await ana.closesAll()
    }
    await ana.asks(`${OWN} report nowhere`, { for: `${OWN} report tag:NAME` })
    await ana.asks(`${OWN} report color:red`, { for: `For a single link, use ${OWN} clicks.` })
    await ana.asks(`${OWN} report`, { for: 'clicks' })
    expect(notSharedText('https://go.example.com/a', 'off')).toContain(`${OWN} list`)
    expectOwnCommand()
  })

  test('has its command in what alerts and weekly reports say', async () => {
    await ana.opens(`${OWN} alerts`, 'There are no alerts yet.')
    await ana.closesAll()
    const one: StoredAlert = {
      ...{ id: 'V1', workspaceId: TEAM.id, createdBy: 'U1', memory: NEW_MEMORY, stored: '' },
      alert: { about: { kind: 'tag', name: 'spring' }, condition: 'dead', channel: 'C1' },
    }
    for (const { text } of [
      endingMessage('left', [one]),
      endingMessage('channel', [one]),
      stoppedMessage(one, 'U2'),
    ]) {
      expect(text).toContain(`\`${OWN} alerts\``)
      sent.push(text)
    }
    await ana.opens(`${OWN} settings`, '*Weekly report*')
    await ana.presses('edit_weekly_report')
    await ana.seesModal('In your time zone')
    ana.fills({ Channel: 'general', Day: '1', Hour: '9' })
    await ana.submits()
    await ana.seesModal('Every Monday')
    await ana.presses('edit_weekly_report')
    await ana.seesModal('Stop these reports')
    await ana.presses('Stop these reports')
    await ana.seesModal('No more weekly reports.')
    await ana.closes()
    await ana.seesModal('None. Backhalf can post')
    expectOwnCommand()
  })

  test('has its command while the workspace is disconnected', async () => {
    await ana.opens(`${OWN} disconnect`, `connects this workspace again in \`${OWN} settings\``)
    await ana.submits()
    await ana.seesModal(`is disconnected`)
    await ana.closesAll()
    await ana.asks(`${OWN} https://example.com/z`, {
      for: `Admins can connect it with ${OWN} connect.`,
    })
    await ana.opens(`${OWN} disconnect`, `You can connect it in \`${OWN} settings\``)
    await ana.closesAll()
    await ben.opensHome()
    await ben.seesHome(`or to type \`${OWN} connect\``)
    await ana.opens(`${OWN} connect`, 'Connect again')
    await ana.presses('Connect again')
    await ana.seesModal('This workspace is connected.')
    expectOwnCommand()
  })

  test('has its command on the pages of the app and the dashboard', async () => {
    const { appUrl, serviceUrl } = app.running
    const pages = [
      await page(`${appUrl}/`),
      await page(`${serviceUrl}/dashboard/sign-in`),
      await page(`${serviceUrl}/dashboard/sign-in/${'a'.repeat(43)}`),
      sessionEndedPage({ isForm: true }).html,
    ]
    for (const html of pages) expect(html).toContain(`<code>${OWN}`)
    await ana.opens(`${OWN} dashboard`, 'Open the dashboard')
    expectOwnCommand(...pages)
  })
})

describe('with another link service', () => {
  const { test, app, ana, ben, until } = elsewhere

  async function connects(apiKey: string): Promise<void> {
    const list = { status: 200, body: { links: [] } }
    app.service.answers(({ method }) => (method === 'GET' ? list : created()))
    await ana.opens(`${OWN} connect`, 'api_key')
    ana.fills({ 'API key': apiKey, Domains: 'dom_1 go.example.com' })
    await ana.submits()
    await ana.seesModal('accepts the key')
    await ana.closesAll()
  }

  test('says that the link service can’t do something', async () => {
    await connects('key-1')
    app.service.answers(() => ({ status: 200, body: { links: [WHOLE_LINK] } }))
    await ana.asks(`${OWN} list clicks`, { for: `put it in quotes: \`${OWN} list` })
    await ana.asks(`${OWN} report`, { for: `type ${OWN} clicks and the link` })
    await ana.opens(`${OWN} dashboard`, `or use ${OWN} list`)
    await ana.closesAll()
    for (const command of ['edit', 'delete']) {
      await ana.opens(`${OWN} ${command} https://go.example.com/x`, `look at ${OWN} list`)
      await ana.closesAll()
    }
    await ana.types(`${OWN} clicks https://go.example.com/x`, { in: 'general' })
    expectOwnCommand()
  })

  const FAILURES: Answer[] = [
    failure(400, 'INVALID'),
    failure(403, 'FORBIDDEN'),
    failure(403, 'PERMISSION_DENIED'),
    failure(404, 'NOT_FOUND'),
    failure(409, 'CONFLICT'),
    failure(409, 'DUPLICATE_DESTINATION'),
    failure(409, 'BACK_HALF_TAKEN'),
    failure(422, 'UNPROCESSABLE_ENTITY'),
    { status: 200, body: 'no JSON' },
  ]

  test.each(FAILURES)('explains the failure $status $body.error.code', async (answer) => {
    app.service.answers(() => answer)
    for (const command of ['https://example.com/page spring', 'list', 'clicks spring']) {
      await ana.asks(`${OWN} ${command}`)
    }
    expectOwnCommand()
  })

  test('reports a refused key to the user and to the admin, and so does the doctor', async () => {
    app.service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
    await ben.asks(`${OWN} https://example.com/page`, { for: `replace it with ${OWN} connect.` })
    await until(() => ana.sees('app').some((one) => texts(one).includes(`${OWN} connect`)))
    expectOwnCommand(...ana.sees('app').map(texts))

    const env = {
      SLACK_COMMAND: OWN,
      SLACK_API_URL: app.slack.apiUrl,
      SLACK_BOT_TOKEN: BOT_TOKEN,
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      SHORTLINK_BASE_URL: app.service.baseUrl,
      DATABASE_URL: app.databaseUrl,
    }
    const otherKey = randomBytes(32).toString('base64')
    for (const more of [{}, { ENCRYPTION_KEYS: otherKey }]) {
      // The doctor has a process of its own.
      setCommand(DEFAULT_COMMAND)
      let printed = ''
      const print = (text: string): void => void (printed += text)
      const dotenv = { path: '/no/such/.env', names: [] }
      const options = { env: { ...env, ...more }, dotenv, colors: false, out: print, err: print }
      expect(await runDoctor([], options)).toBe(1)
      expect(printed).toContain(`${OWN} connect`)
      expect(printed).not.toContain(DEFAULT_COMMAND)
    }
  })
})

test('is on the app’s pages and in the welcome', async () => {
  setCommand(OWN)
  const app = await startInstallableApp({ teams: [TEAM], config: { command: OWN } })
  try {
    const [workspace] = app.workspaces
    if (workspace) record({ slack: workspace })
    const pages = [
      await page(`${app.running.appUrl}/`),
      await page(`${app.running.appUrl}/slack/privacy`),
      await page(`${app.running.appUrl}/slack/support`),
      (await app.installs(workspace)).html,
    ]
    expect(pages[0]).toContain(`<code>${OWN}</code>`)
    await workspace?.ana.gets(`\`${OWN} help\` shows what else`, { in: 'app' })
    expectOwnCommand(...pages)
  } finally {
    await app.stop()
  }
})

browserTest('is what the playground suggests and completes', async ({ page }) => {
  const program = await startPlayground({ command: OWN })
  try {
    await page.goto(program.url)
    await page.getByRole('button', { name: `${OWN} https://example.com/some/long/page` }).waitFor()
    const composer = page.getByLabel(/^Message #/)
    await composer.fill('/go')
    expect(await page.locator('.usage').innerText()).toContain(OWN)
    await composer.press('Tab')
    expect(await composer.inputValue()).toBe(`${OWN} `)
    await write(page, `${OWN} help`)
    await page.getByText('opens a form with everything').waitFor()
    expect(await page.locator('body').innerText()).not.toContain(DEFAULT_COMMAND)
    await write(page, '/shorten help')
    await page.getByText('/shorten is not a valid command.').waitFor()
  } finally {
    await program.stop()
  }
})

describe('every text in src', () => {
  test('has the command from the configuration', () => {
    const named = sourcesWith(DEFAULT_COMMAND).flatMap((file) =>
      literals(parseSource(file)).filter((text) => /\/shorten(?![\w/-])/.test(text)),
    )
    expect(named).toEqual([DEFAULT_COMMAND])
    const others = globSync('**/*.{css,html,json,cjs,svg}', { cwd: SRC })
    expect(others.length).toBeGreaterThan(0)
    for (const file of others) {
      expect(readSource(file)).not.toContain(DEFAULT_COMMAND)
    }
  })

  test('is built when it is shown, because the command is set after the modules are loaded', () => {
    const early = sourcesWith('COMMAND').flatMap((file) => usedWhenLoaded(parseSource(file), file))
    expect(early).toEqual([])
  })
})

/** Parsing all files of src would take seconds. */
function sourcesWith(text: string): string[] {
  const found = sourceFiles().filter((file) => readSource(file).includes(text))
  expect(found.length).toBeGreaterThan(0)
  return found
}

/** The texts of string literals and templates, except in imports. The syntax tree contains no comments. */
function literals(source: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      found.push(node.text)
    } else if (node.kind === ts.SyntaxKind.TemplateHead) {
      found.push((node as ts.TemplateHead).text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Lists the file once for each COMMAND outside of a function, which is read when the module is loaded. */
function usedWhenLoaded(source: ts.SourceFile, file: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      return
    }
    const isDeclared = ts.isVariableDeclaration(node.parent) && node.parent.name === node
    if (ts.isIdentifier(node) && node.text === 'COMMAND' && !isDeclared) found.push(file)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return found
}
