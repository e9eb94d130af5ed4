import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../../src/database/database.ts'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { startInstallableApp, type InstallableApp } from '../../support/installing.ts'
import { makeTempDir } from '../../support/temp-dir.ts'
import type { TestWorkspace } from '../../support/workspace.ts'

const ORG = {
  id: 'T0GRIDTEAM00',
  domain: 'grid',
  name: 'Grid team',
  enterprise: { id: 'E0GRIDORG000', name: 'Grid org', orgWide: true },
}

let clock = Date.now()
let app: InstallableApp
let slack: TestWorkspace
let grid: TestWorkspace
let database: Database

beforeAll(async () => {
  app = await startInstallableApp({ teams: [TEAM, ORG], now: () => clock })
  ;[slack, grid] = app.workspaces as [TestWorkspace, TestWorkspace]
  database = await openDatabase(app.databaseUrl)
})
beforeEach(async () => {
  clock = Date.now()
  await app.installs(slack)
  await shortens(slack)
})
afterAll(async () => {
  await database.close()
  await app.stop()
})

async function shortens({ ana, until }: TestWorkspace): Promise<void> {
  const seen = ana.sees('general').length
  await ana.types('/shorten https://example.com/page qr=off', { in: 'general' })
  await until(() => ana.sees('general').length > seen)
}

/** The workspaces of which something is kept, by table. */
async function kept(): Promise<{ installations: string[]; connections: string[] }> {
  const ids = async (table: 'installations' | 'workspace_connections'): Promise<string[]> =>
    (await database.db.selectFrom(table).select('workspace_id').execute()).map(
      ({ workspace_id: id }) => id,
    )
  return {
    installations: await ids('installations'),
    connections: await ids('workspace_connections'),
  }
}

test.each([
  [['app_uninstalled', 'tokens_revoked']],
  [['tokens_revoked', 'app_uninstalled']],
  [['app_uninstalled', 'app_uninstalled', 'tokens_revoked']],
] as const)('told by %j, it deletes everything of the workspace', async (events) => {
  expect(await kept()).toEqual({ installations: [TEAM.id], connections: [TEAM.id] })
  clock += 60_000
  const uninstalled = slack.workspace.uninstall()
  for (const event of events) uninstalled.tell(event)
  await expect.poll(kept).toEqual({ installations: [], connections: [] })
})

test('an organization’s installation goes as a whole, and no other one', async () => {
  await app.installs(grid)
  await shortens(grid)
  clock += 60_000
  grid.workspace.uninstall().tell('app_uninstalled')
  await expect.poll(kept).toEqual({ installations: [TEAM.id], connections: [TEAM.id] })
})

test('an old event does not take away what was installed again since', async () => {
  clock += 60_000
  const uninstalled = slack.workspace.uninstall()
  clock = Math.max(clock, Date.now()) + 60_000
  await reinstalledAt(clock)
  uninstalled.tell('app_uninstalled')
  uninstalled.tell('tokens_revoked')
  await shortens(slack)
  expect((await kept()).installations).toEqual([TEAM.id])
})

test('of one second, Slack is asked which came last', async () => {
  const second = Math.floor(clock / 1000) * 1000
  // Installed, and then taken out, within one second: the token is dead.
  await reinstalledAt(second + 100)
  clock = second + 900
  slack.workspace.uninstall().tell('app_uninstalled')
  await expect.poll(kept).toEqual({ installations: [], connections: [] })

  // Taken out, and then installed again, within one second: the new token lives.
  const uninstalled = slack.workspace.uninstall()
  await reinstalledAt(second + 950)
  uninstalled.tell('tokens_revoked')
  await shortens(slack)
  expect((await kept()).installations).toEqual([TEAM.id])
})

async function reinstalledAt(installed: number): Promise<void> {
  await app.installs(slack)
  await database.db.updateTable('installations').set({ installed_at: installed }).execute()
}

test('when only users’ tokens were revoked, everything stays', async () => {
  clock += 60_000
  slack.workspace.tell({ type: 'tokens_revoked', tokens: { oauth: [slack.ana.id], bot: [] } })
  await shortens(slack)
  expect((await kept()).installations).toEqual([TEAM.id])
})

test('with one bot token configured, the key and the settings go as well', async () => {
  const directory = await makeTempDir()
  const databaseUrl = `file:${directory.path}/single.db`
  const single: TestApp = await startApp({ config: { databaseUrl } })
  const own = await openDatabase(databaseUrl)
  await shortens(single.slack)
  const connections = () => own.db.selectFrom('workspace_connections').selectAll().execute()
  expect(await connections()).toHaveLength(1)
  const uninstalled = single.slack.workspace.uninstall()
  uninstalled.tell('tokens_revoked')
  uninstalled.tell('app_uninstalled')
  await expect.poll(connections).toEqual([])
  await own.close()
  await single.stop()
  await directory.remove()
})
