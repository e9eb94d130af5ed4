import type { ModalView } from '@slack/types'
import { NotConnectedError } from '../../workspaces/connection.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'

const TITLE = 'Shorten a link'

/** Opens the form at once if `build` does not ask Slack, because it is then done before the trigger expires. */
export async function openLinkForm(
  { permissions, views }: LinkPlatform,
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
