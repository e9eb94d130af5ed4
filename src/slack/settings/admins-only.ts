import type { ModalView } from '@slack/types'
import { mention } from '../blocks/mrkdwn.ts'
import { noticeModal } from '../blocks/notice-modal.ts'
import type { Caller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { SlackInputError } from '../input/slack-input-error.ts'
import { isAdmin } from '../is-admin.ts'
import { openAndDraw } from '../modal-drawing.ts'

const ADMINS_ONLY = 'Only admins and owners of this workspace can do this.'

/**
 * Opens a modal for admins; others are told who can help them. Asking Slack who is one takes longer
 * than a trigger may wait.
 */
export async function openForAdmins(
  deps: Pick<Deps, 'desk' | 'views' | 'logger'>,
  caller: Caller,
  { triggerId, userId, title }: { triggerId: string; userId: string; title: string },
  draw: () => Promise<ModalView>,
): Promise<void> {
  await openAndDraw(deps, caller, { triggerId, title }, async (show) =>
    show(
      (await isAdmin(caller.client, userId))
        ? await draw()
        : noticeModal(title, askAnAdmin(await deps.desk.contact(caller.workspace))),
    ),
  )
}

/**
 * Asked again where something is changed: somebody may have been an admin only when the form opened.
 *
 * @throws SlackInputError when the person is none
 */
export async function requireAdmin({ client }: Pick<Caller, 'client'>, userId: string) {
  if (await isAdmin(client, userId)) return
  throw new SlackInputError([{ message: `${ADMINS_ONLY} Nothing was changed.` }])
}

/** mrkdwn. @param admin the one who connected the workspace, where somebody did */
function askAnAdmin(admin: string | undefined): string {
  return admin === undefined
    ? `${ADMINS_ONLY} Ask one of them.`
    : `${ADMINS_ONLY} ${mention(admin)} is the one who last connected Backhalf here: ask them, or any other admin.`
}
