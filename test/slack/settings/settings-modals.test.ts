import { expect, test } from 'vitest'
import { VIEWS } from '../../../src/slack/ids.ts'
import type { Views } from '../../../src/slack/platform/views.ts'
import type { FormSubmission } from '../../../src/slack/platform/listeners.ts'
import { createSettingsModals } from '../../../src/slack/settings/settings-modals.ts'
import type { ConnectionStatus } from '../../../src/workspaces/connection.ts'
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
 * The settings of a workspace.
 *
 * @param updateError the error of every update
 */
function setUp({
  status = CONNECTED,
  updateError,
}: { status?: ConnectionStatus; updateError?: Error } = {}) {
  const views: Partial<Views> = {
    update: async () => {
      if (updateError) throw updateError
      return true
    },
  }
  const platform = fakePlatform({ views: views as Views })
  const workspaces: Partial<Workspaces> = {
    connectsAutomatically: false,
    status: async () => status,
  }
  const modals = createSettingsModals(platform, {
    workspaces: workspaces as Workspaces,
    serviceUrl: 'https://links.example.com',
    clientFor: () => Promise.reject(new Error('not asked')),
  })
  return { modals, platform }
}

/** A form on top of the settings. */
const FORM = {
  id: 'V2',
  callback_id: VIEWS.settingsQr,
  root_view_id: 'V1',
  previous_view_id: 'V1',
} as FormSubmission['view']

test('logs that the settings below a form can’t be updated, and does not reject', async () => {
  const { modals, platform } = setUp({ updateError: new Error('internal_error') })
  await modals.refreshBelow(fakeCaller(), FORM)
  expect(platform.logged).toHaveLength(1)
  expect(platform.logged[0]).toContain('internal_error')
})

test('shows in the overview that the saved key can’t be read', async () => {
  const { modals } = setUp({ status: { state: 'unreadable' } })
  expect(JSON.stringify(await modals.overview(workspace))).toContain(
    'The saved API key can’t be read anymore. Please enter it again.',
  )
})
