import type { ModalView } from '@slack/types'
import { KeyringError } from '../../workspaces/keyring.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { section } from '../block-kit/elements.ts'
import { formModal, type WithNotice } from '../block-kit/inputs.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { COMMAND, VIEWS } from '../ids.ts'
import type { SettingsForm } from './settings-form.ts'

const UNTIL_CONNECTED = `until an admin connects this workspace again in \`${COMMAND} settings\``

/** Disconnects the workspace from the link service, after asking. */
export function createDisconnectForm(workspaces: Workspaces): SettingsForm {
  const { connectsAutomatically } = workspaces
  return {
    async build({ workspace }) {
      const state = await workspaces.status(workspace).then(
        (status) => status.state,
        (error: unknown) => {
          // A key that can't be read anymore can still be deleted.
          if (error instanceof KeyringError) return 'connected'
          throw error
        },
      )
      return state === 'connected'
        ? disconnectModal({ connectsAutomatically })
        : notConnectedModal()
    },
    async save({ workspace }, _values, userId) {
      await workspaces.disconnect(workspace.id, userId)
      return `:white_check_mark: This workspace is disconnected. Its links keep working. No one can make new links ${UNTIL_CONNECTED}.`
    },
    rebuild: async (_subject, _values, notice) =>
      disconnectModal({ connectsAutomatically, notice }),
  }
}

function disconnectModal({
  connectsAutomatically,
  notice,
}: WithNotice & { connectsAutomatically: boolean }): ModalView {
  const connectingAgain = connectsAutomatically
    ? 'To connect again, you only have to press a button. You won’t need a key.'
    : 'To connect again, you will need a key. The current key stays valid at the link service until it is revoked there.'
  return formModal({
    callbackId: VIEWS.disconnect,
    title: 'Disconnect Backhalf',
    submit: 'Disconnect',
    notice,
    blocks: [
      section(
        [
          `*What is deleted:* the API key and the list of domains. No one can make or list links ${UNTIL_CONNECTED}.`,
          '*What stays:* all links and their QR codes keep working. The UTM templates and other settings are kept for when you connect again.',
          connectingAgain,
        ].join('\n\n'),
      ),
    ],
  })
}

function notConnectedModal(): ModalView {
  return noticeModal(
    'Disconnect Backhalf',
    `This workspace isn’t connected to a link service. You can connect it in \`${COMMAND} settings\`.`,
  )
}
