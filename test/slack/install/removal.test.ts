import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { startApp } from '../../support/app.ts'
import { startInstallableApp, type InstallableApp } from '../../support/installing.ts'
import { openDatabase } from '../../support/open-database.ts'
import type { TestWorkspace } from '../../support/workspace.ts'

const ORG = {
  id: 'T0GRIDTEAM00',
  domain: 'grid',
  name: 'Grid team',
  enterprise: { id: 'E0GRIDORG000', name: 'Grid org', orgWide: true },
}

let now = Date.now()
let app: InstallableApp
let slack: TestWorkspace
let grid: TestWorkspace
let database: Database

beforeAll(async () => {
  app = await startInstallableApp({ teams: [TEAM, ORG], now: () => now })
  ;[slack, grid] = app.workspaces as [TestWorkspace, TestWorkspace]
  database = await openDatabase(app.databaseUrl)
})
beforeEach(async () => {
  now = Date.now()
  await app.installs(slack)
  await shorten(slack)
})
afterAll(async () => {
  await database.close()
  await app.stop()
})

const shorten = ({ ana }: TestWorkspace) => ana.asks('/shorten https://example.com/page qr=off')

/** The workspaces that have an installation, and those that have a connection. */
async function storedWorkspaces(): Promise<string[][]> {
  const { db } = database
  const tables = [
    await db.selectFrom('installations').select('workspace_id').execute(),
    await db.selectFrom('workspace_connections').select('workspace_id').execute(),
  ]
  return tables.map((rows) => rows.map(({ workspace_id: id }) => id))
}

test.each([
  [['app_uninstalled', 'tokens_revoked']],
  [['tokens_revoked', 'app_uninstalled']],
  [['app_uninstalled', 'app_uninstalled', 'tokens_revoked']],
] as const)('deletes everything about the workspace after the events %j', async (events) => {
  expect(await storedWorkspaces()).toEqual([[TEAM.id], [TEAM.id]])
  now += 60_000
  const uninstalled = slack.uninstall()
  for (const event of events) uninstalled.sendEvent(event)
  await expect.poll(storedWorkspaces).toEqual([[], []])
})

test('revokes the key that the workspace got from our own link service', async () => {
  const validKeys = () =>
    database.db
      .selectFrom('api_keys')
      .innerJoin('owners', 'owners.id', 'api_keys.owner_id')
      .select('prefix')
      .where('external_id', '=', TEAM.id)
      .where('revoked_at', 'is', null)
      .execute()
  expect((await validKeys()).length).toBeGreaterThan(0)
  now += 60_000
  slack.uninstall().sendEvent('app_uninstalled')
  await expect.poll(validKeys).toEqual([])
})

test('deletes an organization’s installation as a whole, and no other one', async () => {
  await app.installs(grid)
  await shorten(grid)
  now += 60_000
  grid.uninstall().sendEvent('app_uninstalled')
  await expect.poll(storedWorkspaces).toEqual([[TEAM.id], [TEAM.id]])
})

test('keeps a newer installation if an old event arrives late', async () => {
  const uninstalled = slack.uninstall()
  await app.installs(slack)
  // Events only have seconds.
  const installed_at = Math.floor(now / 1000 + 1) * 1000
  await database.db.updateTable('installations').set({ installed_at }).execute()
  uninstalled.sendEvent('app_uninstalled')
  uninstalled.sendEvent('tokens_revoked')
  await shorten(slack)
  expect(await storedWorkspaces()).toEqual([[TEAM.id], [TEAM.id]])
})

test('deletes a workspace that removes the app in the second of its installation', async () => {
  const installed_at = Math.floor(now / 1000) * 1000 + 999
  await database.db.updateTable('installations').set({ installed_at }).execute()
  slack.uninstall().sendEvent('app_uninstalled')
  await expect.poll(storedWorkspaces).toEqual([[], []])
})

test('keeps everything if only users’ tokens were revoked', async () => {
  now += 60_000
  slack.workspace.parts.events.send({
    type: 'tokens_revoked',
    tokens: { oauth: [slack.ana.id], bot: [] },
  })
  await shorten(slack)
  expect(await storedWorkspaces()).toEqual([[TEAM.id], [TEAM.id]])
})

test('also deletes the connection if one bot token is configured', async () => {
  const single = await startApp()
  const opened = await openDatabase(single.databaseUrl)
  await shorten(single.slack)
  const connections = () => opened.db.selectFrom('workspace_connections').selectAll().execute()
  expect(await connections()).toHaveLength(1)
  const uninstalled = single.slack.uninstall()
  uninstalled.sendEvent('tokens_revoked')
  uninstalled.sendEvent('app_uninstalled')
  await expect.poll(connections).toEqual([])
  await opened.close()
  await single.stop()
})
