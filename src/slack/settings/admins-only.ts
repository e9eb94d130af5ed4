import type { ModalView } from '@slack/types'
import { mention } from '../blocks/mrkdwn.ts'
import { noticeModal } from '../blocks/notice-modal.ts'
import type { Caller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { SlackInputError } from '../input/slack-input-error.ts'
import { isOrganization } from '../../workspaces/workspace-id.ts'
import { isAdmin } from '../is-admin.ts'
import { openAndDraw } from '../modal-drawing.ts'

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
      (await isAdmin(caller, userId))
        ? await draw()
        : noticeModal(title, askAnAdmin(caller, await deps.desk.contact(caller.workspace))),
    ),
  )
}

/**
 * Asked again where something is changed: somebody may have been an admin only when the form opened.
 *
 * @throws SlackInputError when the person is none
 */
export async function requireAdmin(
  caller: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<void> {
  if (await isAdmin(caller, userId)) return
  throw new SlackInputError([{ message: `${adminsOnly(caller)} Nothing was changed.` }])
}

function adminsOnly({ workspace }: Pick<Caller, 'workspace'>): string {
  const where = isOrganization(workspace.id) ? 'organization' : 'workspace'
  return `Only admins and owners of this ${where} can do this.`
}

/** mrkdwn. @param admin the one who connected the workspace, where somebody did */
function askAnAdmin(caller: Caller, admin: string | undefined): string {
  return admin === undefined
    ? `${adminsOnly(caller)} Ask one of them.`
    : `${adminsOnly(caller)} ${mention(admin)} is the one who last connected Backhalf here: ask them, or any other admin.`
}
