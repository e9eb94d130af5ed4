import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { WORKFLOW_STEP } from '../../../src/slack/ids.ts'
import { startInstallableApp, type InstallableApp } from '../../support/installing.ts'
import { SIGNING_SECRET, type TestWorkspace } from '../../support/workspace.ts'

const OTHER = { id: 'T0OTHERTEAM0', domain: 'other', name: 'Other' }

let app: InstallableApp
let first: TestWorkspace
let other: TestWorkspace

beforeAll(async () => {
  app = await startInstallableApp({ teams: [TEAM, OTHER] })
  ;[first, other] = app.workspaces as [TestWorkspace, TestWorkspace]
  await app.installs(first)
  await app.installs(other)
})
afterAll(() => app.stop())

test('in a channel that companies share, the first authorization counts, not the outer team', async () => {
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: TEAM.id,
    api_app_id: 'A0PLAYGROUND',
    event_id: 'Ev1',
    event_time: Math.floor(Date.now() / 1000),
    event: { type: 'app_home_opened', tab: 'home', user: other.ana.id },
    authorizations: [
      {
        enterprise_id: null,
        team_id: OTHER.id,
        user_id: 'U0APPBOTUSER',
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: true,
  })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', SIGNING_SECRET)
    .update(`v0:${timestamp}:${body}`)
    .digest('hex')
  const response = await fetch(`${app.running.appUrl}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  })
  expect(response.status).toBe(200)
  await other.until(() => other.ana.home())
  expect(first.ana.home()).toBeUndefined()
})

test('a token is not remembered: what is gone from the database is gone at once', async () => {
  const database = await openDatabase(app.databaseUrl)
  await database.db.deleteFrom('installations').execute()
  await database.close()
  const said = (): string => JSON.stringify(first.ana.newest('general') ?? {})
  await first.ana.types('/shorten help', { in: 'general' })
  await first.until(() => said().includes('isn’t installed'))
})

test('then a workflow is told so, rather than left waiting for its step', async () => {
  const id = await first.ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com' })
  const outcome = await first.until(() => first.ana.stepRun(id)?.outcome)
  expect(outcome).toEqual({
    ok: false,
    error: expect.stringContaining('isn’t installed in this workspace any more') as unknown,
  })
})
