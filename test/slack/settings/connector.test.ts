import { expect, onTestFinished, test } from 'vitest'
import { buildConnectForm } from '../../../src/slack/settings/connect-form.ts'
import { connectWorkspace } from '../../../src/slack/settings/connect.ts'
import type { DomainRecord } from '../../../src/workspaces/connection.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createWorkspaces } from '../../../src/workspaces/workspaces.ts'
import { openTempDatabase } from '../../support/databases.ts'
import { settingsPlatform } from './settings-platform.ts'

const workspace = { id: 'T1' }
const domains: [DomainRecord] = [{ name: 'dom_1', domain_name: 'go.example.com' }]
const credentials = { apiKey: 'bh_secret_1234', domains }

test.each([
  ['Backhalf created the current one', { provision: async () => credentials }],
  ['the deployment sets it', { fallback: credentials }],
  ['the workspace is not connected', {}],
])('asks for a key if %s', async (_case, source) => {
  const database = await openTempDatabase()
  onTestFinished(() => database.close())
  const keyring = createKeyring([Buffer.alloc(32, 1)])
  const workspaces = createWorkspaces({ database, keyring, now: () => 5_000, ...source })
  // It can't ask the link service.
  const platform = settingsPlatform({ linkClient: () => expect.unreachable(), workspaces })
  const form = await buildConnectForm(platform, workspace)
  const keyInput = form.blocks.find(({ block_id: id }) => id === 'api_key')
  expect(keyInput).toMatchObject({ optional: false })
  const typed = { ...credentials, apiKey: undefined }
  const withoutKey = connectWorkspace(platform, workspace, typed, 'U1')
  await expect(withoutKey).rejects.toMatchObject({
    issues: [{ field: 'api_key', message: 'Enter an API key.' }],
  })
})
