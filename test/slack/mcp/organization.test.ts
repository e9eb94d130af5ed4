import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { PEOPLE, TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { manifestText } from '../../../src/slack/install/manifest.ts'
import { startInstallableApp, type InstallableApp } from '../../support/installing.ts'
import { connectSlackbot, type SlackIdentity } from '../../support/mcp.ts'

const [, ORG_ADMIN] = PEOPLE
const enterprise = { id: 'E0GRIDORG000', name: 'Grid org', orgWide: true, admins: [ORG_ADMIN.id] }
const GRID = { id: 'T0GRIDTEAM00', domain: 'grid', name: 'Grid team', enterprise }

let app: InstallableApp
beforeAll(async () => {
  const target = { url: 'https://backhalf.example.com', hasMcp: true }
  const manifest: unknown = parse(manifestText(target, ['go.example.com']))
  app = await startInstallableApp({ teams: [TEAM, GRID], manifest, config: { slackMcp: true } })
})
afterAll(() => app.stop())

async function create(destination: string, identity: SlackIdentity) {
  const { calls } = await connectSlackbot(app.running.appUrl)
  const { isError, text, data } = await calls('create_short_link', { destination }, identity)
  return { isError, text, status: (data as { status?: string } | undefined)?.status }
}

const team = { team_id: TEAM.id }
const organization = { team_id: GRID.id, enterprise_id: enterprise.id }

test('serves each workspace and organization that has installed the app, and no other', async () => {
  for (const identity of [team, organization]) {
    expect(await create('https://example.com/early', identity)).toEqual({
      isError: true,
      status: undefined,
      text: 'Backhalf isn’t installed in this workspace, or has lost its access. An admin can install it at https://backhalf.example.com/slack/install.',
    })
  }
  const [first, grid] = app.workspaces
  await app.installs(first)
  await app.installs(grid, { userId: ORG_ADMIN.id })
  const created = { isError: false, status: 'created' }
  expect(await create('https://example.com/one', team)).toMatchObject(created)
  // Another owner: it is no duplicate.
  expect(await create('https://example.com/one', organization)).toMatchObject(created)
  const withoutTeam = { ...organization, team_id: null }
  expect(await create('https://example.com/two', withoutTeam)).toMatchObject(created)
  expect(await create('https://example.com/three', { team_id: GRID.id })).toMatchObject({
    isError: true,
  })
})

test('asks for the scope of Slackbot when a workspace installs the app', async () => {
  const url = new URL(await app.browser().beginsInstalling())
  expect(url.searchParams.get('scope')?.split(',')).toContain('mcp:connect')
})
