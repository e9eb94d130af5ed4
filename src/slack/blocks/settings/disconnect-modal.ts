import type { ModalView } from '@slack/types'
import { COMMAND, VIEWS } from '../../ids.ts'
import { section } from '../../block-kit/elements.ts'
import { noticeModal } from '../notice-modal.ts'
import { formModal, type FormFrame } from './form-modal.ts'

export interface DisconnectForm extends FormFrame {
  /** Whether one press connects the workspace again, without anybody having a key. */
  automatic: boolean
}

const AGAIN = `until an admin connects this workspace again in \`${COMMAND} settings\``

/** Asks before the workspace's key goes, and says what stays. */
export function disconnectModal({ automatic, notice }: DisconnectForm): ModalView {
  return formModal({
    callbackId: VIEWS.disconnect,
    title: 'Disconnect Backhalf',
    submit: 'Disconnect',
    close: 'Cancel',
    notice,
    blocks: [
      section(
        [
          '*What goes:* the API key and the list of domains are deleted here, and nobody can make or list links ' +
            `${AGAIN}.`,
          '*What stays:* every link keeps working, with its QR code. The UTM templates and the other settings are kept for when you connect again.',
          automatic
            ? 'Connecting again is one press of a button; a key of your own is not needed for it.'
            : 'The key itself stays valid at the link service until somebody revokes it there. You will need a key to connect again.',
        ].join('\n\n'),
      ),
    ],
  })
}

/** What is told once it is done: mrkdwn. */
export const DISCONNECTED = `:white_check_mark: This workspace is disconnected. Its links keep working. Nobody can make new ones ${AGAIN}.`

/** Where there is nothing to disconnect. */
export const NOT_CONNECTED = noticeModal(
  'Disconnect Backhalf',
  `This workspace isn’t connected to a link service, so there is nothing to disconnect. \`${COMMAND} settings\` is where an admin can connect it.`,
)
