import { expect, test } from 'vitest'
import { VIEWS } from '../../../src/slack/ids.ts'
import type { Views } from '../../../src/slack/platform/views.ts'
import {
  createSettingsModals,
  SETTINGS_FORMS,
  type StackedView,
} from '../../../src/slack/settings/settings-modals.ts'
import type { ConnectionStatus } from '../../../src/workspaces/connection.ts'
import { KeyringError } from '../../../src/workspaces/keyring.ts'
import type { Workspaces } from '../../../src/workspaces/workspaces.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const workspace = { id: 'T_ONE' }
const connection = {
  apiKey: 'bh_1234',
  domains: [{ name: 'dom_1', domain_name: 'go.example.com' }],
  source: 'connected' as const,
}
const CONNECTED: ConnectionStatus = { state: 'connected', connection, by: 'U_ADMIN', since: 0 }

/**
 * The settings of a workspace, and the views that were updated.
 *
 * @param status the workspace's connection, or the error of reading it
 * @param updateError the error of every update
 */
function setUp({
  status = CONNECTED,
  updateError,
}: { status?: ConnectionStatus | Error; updateError?: Error } = {}) {
  const updated: unknown[][] = []
  const views: Partial<Views> = {
    update: async (_caller, ref, { callback_id }) => {
      if (updateError) throw updateError
      updated.push([ref, callback_id])
    },
  }
  const platform = fakePlatform({ views: views as Views })
  const workspaces: Partial<Workspaces> = {
    connectsAutomatically: false,
    status: async () => {
      if (status instanceof Error) throw status
      return status
    },
  }
  const modals = createSettingsModals(platform, {
    workspaces: workspaces as Workspaces,
    serviceUrl: 'https://links.example.com',
  })
  return { modals, platform, updated }
}

/** A form on top of the settings. */
const FORM: StackedView = {
  id: 'V2',
  callback_id: VIEWS.settingsQr,
  root_view_id: 'V1',
  previous_view_id: 'V1',
}

test.each(['V2', null])('updates nothing if there is no view below (root %s)', async (root) => {
  const { modals, updated } = setUp()
  await modals.refreshBelow(fakeCaller(), { ...FORM, root_view_id: root, previous_view_id: null })
  expect(updated).toEqual([])
})

test('logs an update that fails, and does not reject', async () => {
  const { modals, platform } = setUp({ updateError: new Error('internal_error') })
  await modals.refreshBelow(fakeCaller(), FORM)
  expect(platform.logged).toHaveLength(1)
  expect(platform.logged[0]).toContain('internal_error')
})

test('logs that the settings can’t be read, and does not reject', async () => {
  const { modals, platform, updated } = setUp({ status: new Error('the database is gone') })
  await modals.refreshBelow(fakeCaller(), FORM)
  expect(platform.logged.join()).toContain('the database is gone')
  expect(updated).toEqual([])
})

test.each<[string, ConnectionStatus | Error]>([
  ['no admin connected the workspace', { state: 'connected', connection }],
  ['an admin disconnected it', { state: 'disconnected', by: 'U_ADMIN', since: 0 }],
  ['it was never connected', { state: 'never_connected' }],
  ['the saved key can’t be read', new KeyringError('lost')],
])('finds no contact if %s', async (_case, status) => {
  expect(await setUp({ status }).modals.findContact(workspace)).toBeUndefined()
})

test('shows in the overview that the saved key can’t be read', async () => {
  const { modals } = setUp({ status: new KeyringError('lost') })
  expect(JSON.stringify(await modals.overview(workspace))).toContain(
    'The saved API key can’t be read anymore. Please enter it again.',
  )
})

test('has a form for each callback_id', () => {
  const { modals } = setUp()
  expect(Object.keys(modals.forms)).toEqual([...SETTINGS_FORMS])
})
