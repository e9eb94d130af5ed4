import type { ModalView } from '@slack/types'
import { mention } from '../blocks/mrkdwn.ts'
import { noticeModal } from '../blocks/notice-modal.ts'
import type { Caller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { isAdmin } from '../is-admin.ts'
import { openAndDraw } from '../modal-drawing.ts'

/** Said to who is none, wherever it is: plain text. */
export const ADMINS_ONLY = 'Only admins and owners of this workspace can do this.'

/** Opens a modal for admins. Others are told, kindly, who can help them. */
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

/** mrkdwn. @param admin the one who connected the workspace, where somebody did */
function askAnAdmin(admin: string | undefined): string {
  return admin === undefined
    ? `${ADMINS_ONLY} Ask one of them.`
    : `${ADMINS_ONLY} ${mention(admin)} is the one who last connected Backhalf here: ask them, or any other admin.`
}
