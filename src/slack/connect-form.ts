import { connectModal } from './blocks/connect-modal.ts'
import { noticeModal } from './blocks/notice-modal.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { isAdmin } from './is-admin.ts'
import { openAndDraw } from './modal-drawing.ts'

const TITLE = 'Connect Backhalf'

/** Opens the connect form, for admins. Asking Slack who is one takes longer than a trigger may wait. */
export async function openConnectForm(
  { connector, ...deps }: Pick<Deps, 'connector' | 'views' | 'logger'>,
  caller: Caller,
  { triggerId, userId }: { triggerId: string; userId: string },
): Promise<void> {
  await openAndDraw(deps, caller, { triggerId, title: TITLE }, async (show) =>
    show(
      (await isAdmin(caller.client, userId))
        ? connectModal(await connector.current(caller.workspace))
        : noticeModal(TITLE, 'Only admins and owners of this workspace can connect it. Ask one.'),
    ),
  )
}
