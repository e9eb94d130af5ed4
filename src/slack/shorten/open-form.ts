import type { ModalView } from '@slack/types'
import { NotConnectedError } from '../../workspaces/connection.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { Links } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'
import type { Platform } from '../platform/platform.ts'

const TITLE = 'Shorten a link'

/**
 * @param asksSlack whether `build` asks Slack. Otherwise, it may read the database and wait for the link service's
 *   capabilities (1.5 seconds), because a trigger expires after 3 seconds
 */
export async function openLinkForm(
  { permissions, views }: Platform & Links,
  caller: Caller,
  triggerId: string,
  build: () => Promise<ModalView>,
  asksSlack = false,
): Promise<void> {
  const formOrNotice = (): Promise<ModalView> =>
    build().catch((error: unknown) => {
      if (!(error instanceof NotConnectedError)) throw error
      return noticeModal(TITLE, errorTexts(error).join('\n'))
    })
  if (!asksSlack && !(await permissions.asksSlack(caller))) {
    await views.open(caller, triggerId, await formOrNotice())
    return
  }
  await views.openThenBuild(caller, { triggerId, title: TITLE }, async (show) => {
    await permissions.checkMayShorten(caller)
    await show(await formOrNotice())
  })
}
