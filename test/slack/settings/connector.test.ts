import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { buildConnectForm } from '../../../src/slack/settings/connect-form.ts'
import { connectWorkspace } from '../../../src/slack/settings/connect.ts'
import type { DomainRecord } from '../../../src/workspaces/connection.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createWorkspaces } from '../../../src/workspaces/workspaces.ts'
import { openTempDatabase } from '../../support/databases.ts'
import { settingsPlatform } from './settings-platform.ts'

const workspace = { id: 'T1' }
const ONE: DomainRecord = { name: 'dom_1', domain_name: 'go.example.com' }
const credentials = { apiKey: 'bh_secret_1234', domains: [ONE] as [DomainRecord] }

let database: Database
beforeEach(async () => {
  database = await openTempDatabase()
})
afterEach(() => database.close())

/** A platform that can't ask the link service. */
function setUp(source: Partial<Parameters<typeof createWorkspaces>[0]> = {}) {
  const keyring = createKeyring([Buffer.alloc(32, 1)])
  const workspaces = createWorkspaces({ database, keyring, now: () => 5_000, ...source })
  const linkClient = () => expect.unreachable()
  return { platform: settingsPlatform({ linkClient, workspaces }), workspaces }
}

test.each([
  ['Backhalf created the current one', { provision: async () => credentials }],
  ['the deployment sets it', { fallback: credentials }],
  ['the workspace is not connected', {}],
])('asks for a key if %s', async (_case, source) => {
  const { platform } = setUp(source)
  const form = await buildConnectForm(platform, workspace)
  const keyInput = form.blocks.find(({ block_id: id }) => id === 'api_key')
  expect(keyInput).toMatchObject({ optional: false })
  const typed = { ...credentials, apiKey: undefined }
  const withoutKey = connectWorkspace(platform, workspace, typed, 'U1')
  await expect(withoutKey).rejects.toMatchObject({
    issues: [{ field: 'api_key', message: 'Enter an API key.' }],
  })
})

test('says that the current domains don’t fit in the form', async () => {
  const { platform, workspaces } = setUp()
  const domains = Array.from({ length: 100 }, (_, index) => ({
    name: `dom_${index}`,
    domain_name: `${index}.${'h'.repeat(60)}.example`,
  }))
  await workspaces.connect(workspace.id, { ...credentials, domains }, 'U1')
  const form = await buildConnectForm(platform, workspace)
  expect(JSON.stringify(form)).toContain('The saved list is too long for this form')
})
