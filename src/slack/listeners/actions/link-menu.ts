import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { parseLinkMenu } from '../../input/link-menu.ts'
import { openAndDraw } from '../../modal-drawing.ts'
import { replyTarget } from '../../reply-target.ts'
import type { ActionArgs } from './action-args.ts'

const TITLES = { qr: 'QR code', share: 'Share a link', copy: 'Text to copy' }

/** The menu of a listed link. The Home tab has no conversation to answer in: a modal does. */
export const linkMenu =
  (deps: Deps) =>
  async ({ ack, action, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, body)
    const chosen = parseLinkMenu(action)
    if (body.view) {
      const modal = { triggerId: body.trigger_id, title: TITLES[chosen.choice] }
      await openAndDraw(deps, caller, modal, (show) =>
        deps.listedLinks.answerInModal(caller, chosen, show),
      )
      return
    }
    const place = String(body.container['message_ts'])
    await deps.listedLinks.answer(caller, replyTarget(body), chosen, place)
  }
