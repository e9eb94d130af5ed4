import { noticeModal } from '../../blocks/notice-modal.ts'
import { shareModal } from '../../blocks/share-modal.ts'
import type { Deps } from '../../deps.ts'
import { parseLinkRef } from '../../input/link-ref.ts'
import { replyTarget } from '../../reply-target.ts'
import { answerForm } from './answer-form.ts'
import type { ViewArgs } from './view-args.ts'

const NOT_SHARED =
  ':warning: Slack didn’t let me share the link there. I have sent it to you as a direct message.'

/** A conversation was chosen for a link of the Home tab: it is shared there. */
export const shareSubmitted =
  (deps: Deps) =>
  async (args: ViewArgs): Promise<void> => {
    const { body, view, client } = args
    const ref = parseLinkRef(view.private_metadata)
    await answerForm(deps, args, {
      work: () => deps.sharing.share(client, replyTarget(body), ref, view.id),
      waiting: noticeModal('Share a link', 'Sharing the link…'),
      redraw: (messages) => Promise.resolve(shareModal(ref, view.private_metadata, messages)),
      done: (shared) => noticeModal('Share a link', shared ? 'The link is shared.' : NOT_SHARED),
      closesWhenDone: (shared) => shared,
    })
  }
