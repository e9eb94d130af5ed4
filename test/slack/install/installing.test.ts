import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { startInstallableApp, type InstallableApp } from '../../support/installing.ts'
import type { TestWorkspace } from '../../support/workspace.ts'

const OTHER = { id: 'T0OTHERTEAM0', domain: 'other', name: 'Other & <Sons>' }
const ORG = {
  id: 'T0GRIDTEAM00',
  domain: 'grid',
  name: 'Grid team',
  enterprise: { id: 'E0GRIDORG000', name: 'Grid org', orgWide: true },
}

let app: InstallableApp
let first: TestWorkspace
let second: TestWorkspace
let grid: TestWorkspace

beforeAll(async () => {
  app = await startInstallableApp({ teams: [TEAM, OTHER, ORG] })
  ;[first, second, grid] = app.workspaces as [TestWorkspace, TestWorkspace, TestWorkspace]
})
afterAll(() => app.stop())

const said = ({ ana }: TestWorkspace, where = 'app'): string =>
  JSON.stringify(ana.sees(where).filter(({ author }) => author.kind === 'app'))

async function shortens(slack: TestWorkspace, url: string): Promise<string> {
  await slack.ana.types(`/shorten ${url} qr=off`, { in: 'general' })
  return slack.until(() => said(slack, 'general').includes(url) && said(slack, 'general'))
}

test('where the app is not installed, whoever types the command is told what to do', async () => {
  await first.ana.types('/shorten help', { in: 'general' })
  await first.until(() => said(first, 'general').includes('isn’t installed'))
  expect(said(first, 'general')).toContain('https://backhalf.example.com/slack/install')
  expect(first.takeRefusals()).toEqual([])
})

test('the install page leads to Slack, and asks for the scopes of the manifest', async () => {
  const page = await app.browser().opens('/slack/install')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.html).toContain('Add to Slack')
  const url = new URL(await app.browser().beginsInstalling())
  expect(url.pathname).toBe('/oauth/v2/authorize')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: '1234.5678',
    redirect_uri: 'https://backhalf.example.com/slack/oauth_redirect',
    scope: expect.stringMatching(/commands.*chat:write.*files:read/) as string,
  })
})

test('who installs it is told so, is greeted in Slack, and makes links at once', async () => {
  const page = await app.installs(first)
  expect(page.status).toBe(200)
  expect(page.html).toContain('Backhalf is in Playground.')
  expect(page.html).toContain(`app_redirect?app=A0PLAYGROUND&#38;team=${TEAM.id}`)
  await first.until(() => said(first).includes('Thank you for installing Backhalf'))
  expect(said(first)).toContain('Shorten a link')
  await first.ana.presses('Shorten a link', { in: 'app' })
  await first.until(() => first.ana.modal())
  await first.ana.closes()

  await shortens(first, 'https://example.com/first')
  expect(first.refusals()).toEqual([])
})

test('two workspaces have a token, a connection and links of their own', async () => {
  const page = await app.installs(second)
  expect(page.html).toContain('Backhalf is in Other &#38; &#60;Sons&#62;.')
  await shortens(second, 'https://example.com/second')
  await second.ana.types('/shorten list', { in: 'general' })
  const list = await second.until(
    () => said(second, 'general').includes('example.com/second') && said(second, 'general'),
  )
  expect(list).not.toContain('example.com/first')
  expect(said(first, 'general')).not.toContain('example.com/second')
  expect(second.refusals()).toEqual([])
})

test('who installs it again is not greeted again; somebody else is', async () => {
  await app.installs(second)
  await app.installs(second, { userId: second.ben.id })
  await second.until(() => JSON.stringify(second.ben.sees('app')).includes('Thank you'))
  expect(second.ana.sees('app')).toHaveLength(1)
  await shortens(second, 'https://example.com/again')
})

test('without the optional scope the form leaves the image out', async () => {
  await app.installs(second, {
    scopes: ['commands', 'chat:write', 'files:write', 'im:write', 'users:read'],
  })
  await second.ana.types('/shorten', { in: 'general' })
  await second.until(() => second.ana.modal())
  await second.ana.presses('Add a custom preview')
  await second.until(() =>
    JSON.stringify(second.ana.modal()).includes('An admin can let the app read files'),
  )
  await second.ana.closes()
})

test('a form that nobody has a token for stays open, with what was typed', async () => {
  const { ana, until } = second
  await shortens(second, 'https://example.com/before')
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
  await app.installs(second)
})

test('an organization installs it once for all of its workspaces', async () => {
  const page = await app.installs(grid)
  expect(page.html).toContain('Backhalf is installed for Grid org.')
  await shortens(grid, 'https://example.com/grid')
  await grid.ana.opensHome()
  await grid.until(() => grid.ana.home())
  expect(grid.refusals()).toEqual([])
})

test('cancelling at Slack is no error, and there is a way to start again', async () => {
  const page = await app.installs(first, { declines: true })
  expect(page.status).toBe(200)
  expect(page.html).toContain('Nothing was installed.')
  expect(page.html).toContain('href="install"')
})

test('a state of another browser, or none, or another’s signature, installs nothing', async () => {
  const consent = { userId: first.ana.id }
  const authorizeUrl = await app.browser().beginsInstalling()
  const elsewhere = await app.browser().opens(first.workspace.consent(authorizeUrl, consent))
  expect(elsewhere.status).toBe(400)
  expect(elsewhere.html).toContain('Please start again.')

  const without = new URL(first.workspace.consent(authorizeUrl, consent))
  without.searchParams.delete('state')
  expect((await app.browser().opens(without.href)).status).toBe(400)
  expect((await app.browser().opens('/slack/oauth_redirect')).status).toBe(400)
})

test('loading the last page again does nothing twice, and says so', async () => {
  const browser = app.browser()
  const authorizeUrl = await browser.beginsInstalling()
  const back = first.workspace.consent(authorizeUrl, { userId: first.ana.id })
  expect((await browser.opens(back)).status).toBe(200)
  const again = await browser.opens(back)
  expect(again.status).toBe(400)
  expect(again.html).toContain('there is nothing left to do')
})

test.each([
  [{ error: 'bad_client_secret' }, 1, 502, 'Slack did not finish the installation.'],
  [{ error: 'invalid_code' }, 1, 400, 'Please start again.'],
  [{ status: 500 }, 3, 502, 'Slack can’t be reached right now.'],
] as const)(
  'where Slack answers the trade of the code with %j, a page says what to do',
  async (fault, times, status, words) => {
    first.failNext('oauth.v2.access', fault, times)
    const page = await app.installs(first)
    expect(page.status).toBe(status)
    expect(page.html).toContain(words)
  },
)

test('a welcome message that can’t be sent does not fail the installation', async () => {
  first.failNext('chat.postMessage', { error: 'channel_not_found' })
  expect((await app.installs(first, { userId: first.ben.id })).status).toBe(200)
  await shortens(first, 'https://example.com/no-welcome')
})

test('where there is no link service yet, the welcome says how to connect one', async () => {
  const unconnected = await startInstallableApp({
    teams: [TEAM],
    config: { linkService: { kind: 'outside', baseUrl: 'https://links.example.com' } },
  })
  const [slack] = unconnected.workspaces as [TestWorkspace]
  await unconnected.installs(slack)
  await slack.until(() => said(slack).includes('/shorten connect'))
  expect(slack.refusals()).toEqual([])
  await unconnected.stop()
})

test('in an organization’s workspace, whose payloads name no team, the form works too', async () => {
  const { ana, until } = grid
  await ana.runsShortcut('shorten_link')
  await until(() => ana.modal())
  ana.fills({ Destination: 'https://example.com/from-the-form' })
  await ana.submits()
  await until(() => said(grid).includes('from-the-form'))
  expect(grid.refusals()).toEqual([])
})
