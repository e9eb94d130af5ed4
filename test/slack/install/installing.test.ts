import { afterAll, beforeAll, expect, test } from 'vitest'
import { PEOPLE, TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { WORKFLOW_STEP } from '../../../src/slack/ids.ts'
import { OAUTH, startInstallableApp, type InstallableApp } from '../../support/installing.ts'
import { signed } from '../../support/mcp.ts'
import { openDatabase } from '../../support/open-database.ts'
import { texts } from '../../support/texts.ts'
import type { TestWorkspace } from '../../support/workspace.ts'

const OTHER = { id: 'T0OTHERTEAM0', domain: 'other', name: 'Other & <Sons>' }
const ORG = {
  id: 'T0GRIDTEAM00',
  domain: 'grid',
  name: 'Grid team',
  enterprise: { id: 'E0GRIDORG000', name: 'Grid org', orgWide: true, admins: [PEOPLE[1].id] },
}

const NOT_INSTALLED =
  'Backhalf isn’t installed in this workspace, or has lost its access. An admin can install it at https://backhalf.example.com/slack/install.'

let app: InstallableApp
let first: TestWorkspace
let second: TestWorkspace
let grid: TestWorkspace

beforeAll(async () => {
  app = await startInstallableApp({ teams: [TEAM, OTHER, ORG] })
  ;[first, second, grid] = app.workspaces as [TestWorkspace, TestWorkspace, TestWorkspace]
})
afterAll(() => app.stop())

const shorten = ({ ana }: TestWorkspace, url: string) =>
  ana.asks(`/shorten ${url} qr=off`, { for: url })

test('tells a user what to do in a workspace where the app is not installed', async () => {
  await first.ana.asks('/shorten help', { for: NOT_INSTALLED })
  expect(first.takeRefusals()).toEqual([])
})

test('has a button at / that leads to Slack, with the scopes of the manifest', async () => {
  const { html } = await app.browser().opens('/')
  expect(html).toContain('href="slack/install">Add to Slack</a>')
  for (const secret of Object.values(OAUTH)) expect(html).not.toContain(secret)
  const page = await app.browser().opens('/slack/install')
  expect([page.status, page.html]).toEqual([302, ''])
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('set-cookie')).toContain('HttpOnly')
  const url = new URL(await app.browser().beginsInstalling())
  expect(url.pathname).toBe('/oauth/v2/authorize')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: '1234.5678',
    redirect_uri: 'https://backhalf.example.com/slack/oauth_redirect',
    scope: expect.stringMatching(/commands.*chat:write.*files:read/) as string,
  })
})

test('confirms the installation, greets the user in Slack, and creates links at once', async () => {
  const page = await app.installs(first)
  expect(page.status).toBe(200)
  expect(page.html).toContain('Backhalf is in Playground.')
  expect(page.html).toContain(`app_redirect?app=A0PLAYGROUND&amp;team=${TEAM.id}`)
  const thanks = `Thank you for installing Backhalf, <@${first.ana.id}>.`
  const welcome = await first.ana.gets(thanks, { in: 'app' })
  expect(texts(welcome)).toContain('`/shorten https://example.com`')
  await first.ana.presses('Shorten a link', { in: 'app' })
  await first.ana.seesModal()
  await first.ana.closes()

  await shorten(first, 'https://example.com/first')
  expect(first.refusals()).toEqual([])
})

test('ends the Home tab and the help with links to the app’s pages', async () => {
  const links = ['', 'support', 'privacy'].map(
    (name) => `<https://backhalf.example.com/slack/${name}|`,
  )
  await first.ben.opensHome()
  const home = await first.ben.seesHome(links[0])
  const help = texts(await first.ana.asks('/shorten help'))
  for (const link of links) {
    expect(home.indexOf(link)).toBeGreaterThan(home.indexOf('/shorten help'))
    expect(help).toContain(link)
  }
  expect(first.refusals()).toEqual([])
})

test('gives each workspace its own token, connection and links', async () => {
  const page = await app.installs(second)
  expect(page.html).toContain('Backhalf is in Other &amp; &lt;Sons>.')
  await shorten(second, 'https://example.com/second')
  const list = await second.ana.asks('/shorten list', { for: 'example.com/second' })
  expect(texts(list)).not.toContain('example.com/first')
  expect(first.ana.sees('general').map(texts).join()).not.toContain('example.com/second')
  expect(second.refusals()).toEqual([])
})

test('greets another user who installs the app again, without the optional scope, and leaves the image out of the form', async () => {
  const scopes = ['commands', 'chat:write', 'files:write', 'users:read']
  await app.installs(second, { userId: second.ben.id, scopes })
  await second.ben.gets('Thank you', { in: 'app' })
  await second.ana.opens('/shorten')
  await second.ana.presses('Add a custom preview')
  const form = await second.ana.seesModal(
    'To add an image here, an admin has to allow Backhalf to read files, by installing it again.',
  )
  expect(form).not.toContain('file_input')
  await second.ana.closes()
})

test('uses the first authorization, not the outer team, in a channel that companies share', async () => {
  expect(first.ana.home()).toBeUndefined()
  const authorization = { team_id: OTHER.id, user_id: 'U0APPBOTUSER', is_bot: true }
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: TEAM.id,
    event_id: 'Ev1',
    event: { type: 'app_home_opened', tab: 'home', user: second.ana.id },
    authorizations: [{ ...authorization, enterprise_id: null, is_enterprise_install: false }],
    is_ext_shared_channel: true,
  })
  const headers = { 'content-type': 'application/json', ...signed(body) }
  const { appUrl } = app.running
  const response = await fetch(`${appUrl}/slack/events`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  await second.ana.seesHome()
  expect(first.ana.home()).toBeUndefined()
})

test('keeps a form open, and fails a workflow step with an explanation, if the token was deleted', async () => {
  const { ana, until } = second
  await shorten(second, 'https://example.com/before')
  await ana.types('/shorten', { in: 'general' })
  await until(() => ana.modal()?.view['submit'])
  ana.fills({ Destination: 'https://example.com/typed' })
  const database = await openDatabase(app.databaseUrl)
  await database.db.deleteFrom('installations').where('workspace_id', '=', OTHER.id).execute()
  await database.close()
  await ana.submits()
  await until(() => ana.modal()?.trouble)
  expect(ana.form()).toMatchObject({ destination_url: 'https://example.com/typed' })
  await ana.closes()

  const id = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com' })
  expect(await until(() => ana.stepRun(id)?.outcome)).toEqual({ ok: false, error: NOT_INSTALLED })
  await app.installs(second)
})

test('installs the app once for all workspaces of an organization, whose payloads name no team', async () => {
  const page = await app.installs(grid)
  expect(page.html).toContain('Backhalf is installed for Grid org.')
  await shorten(grid, 'https://example.com/grid')
  const { ana } = grid
  await ana.opensHome()
  await ana.seesHome()
  await ana.runsShortcut('shorten_link')
  await ana.seesModal()
  ana.fills({ Destination: 'https://example.com/from-the-form' })
  await ana.submits()
  await ana.gets('from-the-form', { in: 'app' })
  expect(grid.refusals()).toEqual([])
})

test('lets only an organization’s own admins change what affects all of it', async () => {
  const refused = 'Only admins and owners of this organization can do this.'
  await grid.ana.opens('/shorten settings', refused)
  await grid.ana.closes()
  await grid.ben.opens('/shorten settings', '*Connection*')
  await grid.ben.closes()
})

test('offers to start again if the user cancels at Slack', async () => {
  const page = await app.installs(first, { declines: true })
  expect(page.status).toBe(200)
  expect(page.html).toContain('Nothing was installed.')
  expect(page.html).toContain('href="install"')
})

test('installs nothing with the state of another browser', async () => {
  const consent = { userId: first.ana.id }
  const authorizeUrl = await app.browser().beginsInstalling()
  const elsewhere = await app.browser().opens(first.consent(authorizeUrl, consent))
  expect(elsewhere.status).toBe(400)
  expect(elsewhere.html).toContain('Please start again.')
})

test('explains that there is nothing left to do if the last page is loaded again', async () => {
  const browser = app.browser()
  const authorizeUrl = await browser.beginsInstalling()
  const back = first.consent(authorizeUrl, { userId: first.ana.id })
  expect((await browser.opens(back)).status).toBe(200)
  const again = await browser.opens(back)
  expect(again.status).toBe(400)
  expect(again.html).toContain('there is nothing left to do')
})

test('asks Slack nothing for a callback without a valid state', async () => {
  first.failNext('oauth.v2.access', { error: 'bad_client_secret' })
  for (const query of ['', '?code=1', '?code=1&state=', '?code=1&state=x', '?state=%ff&code=%ff']) {
    expect((await app.browser().opens(`/slack/oauth_redirect${query}`)).status).toBe(400)
  }
  // The failure still waits for the first call.
  expect((await app.installs(first)).status).toBe(502)
})

test.each([
  [{ error: 'bad_client_secret' }, 1, 502, 'The installation was not finished.'],
  [{ error: 'invalid_code' }, 1, 400, 'Please start again.'],
  [{ status: 500 }, 3, 502, 'The installation was not finished.'],
] as const)(
  'shows what to do if Slack answers the exchange of the code with %j',
  async (failure, times, status, heading) => {
    first.failNext('oauth.v2.access', failure, times)
    const page = await app.installs(first)
    expect(page.status).toBe(status)
    expect(page.html).toContain(heading)
    // After our own database failed, Slack has installed the app.
    expect(page.html).not.toContain('Nothing was installed')
  },
)

test('installs the app even if the welcome message can’t be sent', async () => {
  first.failNext('chat.postMessage', { error: 'channel_not_found' })
  expect((await app.installs(first, { userId: first.ben.id })).status).toBe(200)
  await shorten(first, 'https://example.com/no-welcome')
})

test('says in the welcome message how to connect a link service if the workspace has none yet', async () => {
  const unconnected = await startInstallableApp({
    teams: [TEAM],
    config: {
      linkService: { kind: 'external', service: 'backhalf', baseUrl: 'https://links.example.com' },
    },
  })
  const [slack] = unconnected.workspaces as [TestWorkspace]
  await unconnected.installs(slack)
  await slack.ana.gets('Before the first link, an admin connects this workspace', { in: 'app' })
  expect(slack.refusals()).toEqual([])
  await unconnected.stop()
})
