import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { WORKFLOW_STEP } from '../../../src/slack/ids.ts'
import { startInstallableApp, type InstallableApp } from '../../support/installing.ts'
import { texts } from '../../support/texts.ts'
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

test('uses the first authorization, not the outer team, in a channel that companies share', async () => {
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

test('stops using a token as soon as it is deleted from the database', async () => {
  const database = await openDatabase(app.databaseUrl)
  await database.db.deleteFrom('installations').execute()
  await database.close()
  await first.ana.types('/shorten help', { in: 'general' })
  await first.until(() =>
    texts(first.ana.newest('general')).includes(
      'Backhalf isn’t installed in this workspace, or has lost its access.',
    ),
  )
})

test('then fails a workflow step with an explanation, so that the workflow does not wait for it', async () => {
  const id = await first.ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com' })
  const outcome = await first.until(() => first.ana.stepRun(id)?.outcome)
  expect(outcome).toEqual({
    ok: false,
    error:
      'Backhalf isn’t installed in this workspace, or has lost its access. An admin can install it at https://backhalf.example.com/slack/install.',
  })
})
