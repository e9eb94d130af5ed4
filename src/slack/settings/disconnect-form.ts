import type { Workspaces } from '../../workspaces/workspaces.ts'
import { DISCONNECTED, disconnectModal } from '../blocks/settings/disconnect-modal.ts'
import type { SettingsForm } from './settings-form.ts'

/** Ends the workspace's connection to the link service. */
export function createDisconnectForm(workspaces: Workspaces): SettingsForm {
  const { connectsByItself: automatic } = workspaces
  return {
    draw: async () => disconnectModal({ automatic }),
    async save({ workspace }, _values, userId) {
      await workspaces.disconnect(workspace.id, userId)
      return DISCONNECTED
    },
    redraw: async (_subject, _values, notice) => disconnectModal({ automatic, notice }),
  }
}
