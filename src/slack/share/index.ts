import { noticeModal } from '../block-kit/notices.ts'
import { decodeLinkRef } from '../block-kit/shown-link.ts'
import { ACTIONS, VIEWS } from '../ids.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import { shareModal } from './share-messages.ts'
import { createSharing, type Sharing } from './sharing.ts'

const NOT_SHARED =
  ':warning: Slack didn’t allow Backhalf to share the link there. It was sent to you as a direct message instead.'

/** "Share in channel", the form that asks where to share a link, and "Show QR code". */
export function registerShare(listeners: Listeners, platform: Platform): Sharing {
  const sharing = createSharing(platform)

  listeners.action(ACTIONS.shareLink, async ({ caller, target, value, messageTs }) => {
    await sharing.share(caller, target, decodeLinkRef(value), messageTs)
  })

  listeners.action(ACTIONS.showQr, ({ caller, target, value }) =>
    sharing.showQr(caller, target, decodeLinkRef(value)),
  )

  listeners.formSubmission(VIEWS.share, async (submission) => {
    const { caller, target, view } = submission
    const ref = decodeLinkRef(view.private_metadata)
    await answerForm(platform, submission, {
      work: () => sharing.share(caller, target, ref, view.id),
      waiting: noticeModal('Share a link', 'Sharing the link…'),
      rebuild: async (messages) => shareModal(ref, view.private_metadata, messages),
      done: (shared) =>
        noticeModal('Share a link', shared ? 'The link has been shared.' : NOT_SHARED),
      closesWhenDone: (shared) => shared,
    })
  })
  return sharing
}
