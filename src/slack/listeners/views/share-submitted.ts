import { noticeModal } from '../../blocks/notice-modal.ts'
import { shareModal } from '../../blocks/share-modal.ts'
import type { Deps } from '../../deps.ts'
import { explain } from '../../explain.ts'
import { parseLinkRef } from '../../input/link-ref.ts'
import { replyTarget } from '../../reply-target.ts'
import { answerSubmission } from '../../submission.ts'
import { inputBlocks, type ViewArgs } from './view-args.ts'

const NOT_SHARED =
  ':warning: Slack didn’t let me share the link there. I have sent it to you as a direct message.'

/** A conversation was chosen for a link of the Home tab: it is shared there. */
export const shareSubmitted =
  ({ sharing, logger }: Deps) =>
  async (args: ViewArgs): Promise<void> => {
    const { ack, body, view, client } = args
    const ref = parseLinkRef(view.private_metadata)
    const outcome = await answerSubmission({
      ack,
      client,
      viewId: view.id,
      blocks: inputBlocks(args),
      work: () => sharing.share(client, replyTarget(body), ref, view.id),
      explain,
      waiting: noticeModal('Share a link', 'Sharing the link…'),
      redraw: (messages) => Promise.resolve(shareModal(ref, view.private_metadata, messages)),
      done: (shared) => noticeModal('Share a link', shared ? 'The link is shared.' : NOT_SHARED),
      closesWhenDone: (shared) => shared,
      logger,
    })
    if (!outcome.ok && !outcome.shown) throw outcome.error
  }
