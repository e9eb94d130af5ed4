import { KeyringError } from '../../workspaces/keyring-error.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import {
  DISCONNECTED,
  disconnectModal,
  NOT_CONNECTED,
} from '../blocks/settings/disconnect-modal.ts'
import type { SettingsForm } from './settings-form.ts'

/** Ends the workspace's connection to the link service. */
export function createDisconnectForm(workspaces: Workspaces): SettingsForm {
  const { connectsByItself: automatic } = workspaces
  return {
    async draw({ workspace }) {
      const state = await workspaces.standing(workspace).then(
        (standing) => standing.state,
        (error: unknown) => {
          // A key that can't be read any more can still be deleted.
          if (error instanceof KeyringError) return 'connected'
          throw error
        },
      )
      return state === 'connected' ? disconnectModal({ automatic }) : NOT_CONNECTED
    },
    async save({ workspace }, _values, userId) {
      await workspaces.disconnect(workspace.id, userId)
      return DISCONNECTED
    },
    redraw: async (_subject, _values, notice) => disconnectModal({ automatic, notice }),
  }
}
