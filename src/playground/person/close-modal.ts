import type { Parts } from '../parts.ts'
import { interaction } from '../../simulator/app/payloads.ts'
import type { ActionResult } from '../../simulator/protocol.ts'
import { viewPayload } from '../../simulator/workspace/views.ts'

/** A person closes a modal. The app hears of it only where it asked to (`notify_on_close`). */
export async function closeModal(
  { views, app }: Parts,
  viewerId: string,
  id: string,
): Promise<ActionResult> {
  const open = views.modals(viewerId).find((one) => one.id === id)
  if (!open) return { ok: true }
  const isCleared = open.view.clear_on_close === true
  if (isCleared) views.closeAll(viewerId)
  else views.close(open)
  if (open.view.notify_on_close === true) {
    await app.sendInteraction({
      type: 'view_closed',
      ...interaction(viewerId, app.verificationToken),
      view: viewPayload(open),
      is_cleared: isCleared,
    })
  }
  return { ok: true }
}
