import type { ModalView } from '@slack/types'
import { notConnectedModal } from './blocks/not-connected-modal.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { openAndDraw } from './modal-drawing.ts'
import { NotConnectedError } from './not-connected-error.ts'

/**
 * Opens a form in which links are made, or says in its place why there is none: the workspace is
 * not connected, or the person may not make links.
 *
 * @param draw reads the database at most: a trigger doesn't wait for more
 */
export async function openLinkForm(
  deps: Pick<Deps, 'admission' | 'views' | 'logger'>,
  caller: Caller,
  triggerId: string,
  draw: () => Promise<ModalView>,
): Promise<void> {
  const drawn = (): Promise<ModalView> =>
    draw().catch((error: unknown) => {
      if (error instanceof NotConnectedError) return notConnectedModal()
      throw error
    })
  if (!(await deps.admission.asksSlack(caller))) {
    await deps.views.open(caller.token, triggerId, await drawn())
    return
  }
  await openAndDraw(deps, caller, { triggerId, title: 'Shorten a link' }, async (show) => {
    await deps.admission.check(caller)
    await show(await drawn())
  })
}
