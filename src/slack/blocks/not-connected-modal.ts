import type { ModalView } from '@slack/types'
import { COMMAND } from '../ids.ts'
import { noticeModal } from './notice-modal.ts'

/** What stands in place of the shorten form, while there is no service that could make links. */
export function notConnectedModal(): ModalView {
  return noticeModal(
    'Shorten a link',
    [
      '*One step first*',
      'This workspace isn’t connected to a link service.',
      `• If you are an admin: type \`${COMMAND} connect\` to see what it takes.`,
      `• If not: ask an admin to do that. Then \`${COMMAND}\` opens the form here.`,
    ].join('\n'),
  )
}
