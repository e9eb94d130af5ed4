import { noticeModal } from '../block-kit/notices.ts'
import { decodeLinkRef } from '../block-kit/shown-link.ts'
import { ACTIONS, VIEWS } from '../ids.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import { sharedModal, sharedNoteMessage, shareModal } from './share-messages.ts'
import { createSharing, type Sharing } from './sharing.ts'

/** "Share in channel", the form that asks where to share a link, and "Show QR code". */
export function registerShare(listeners: Listeners, platform: Platform): Sharing {
  const { replies, views } = platform
  const sharing = createSharing(platform)

  listeners.action(ACTIONS.shareLink, async ({ caller, target, value, messageTs }) => {
    const ref = decodeLinkRef(value)
    const outcome = await sharing.share(caller, target, ref, messageTs)
    if (outcome !== 'shared' && outcome !== 'done_before') return
    await replies.replace(caller.client, target, sharedNoteMessage(ref))
  })

  listeners.action(ACTIONS.showQr, ({ caller, triggerId, value }) =>
    views.openThenBuild(caller, { triggerId, title: 'QR code' }, (show) =>
      sharing.showQr(caller, decodeLinkRef(value), show),
    ),
  )

  listeners.formSubmission(VIEWS.share, async (submission) => {
    const { caller, target, view } = submission
    const ref = decodeLinkRef(view.private_metadata)
    await answerForm(platform, submission, {
      work: () => sharing.share(caller, target, ref, view.id),
      waiting: noticeModal('Share a link', 'Sharing the link…'),
      rebuild: async (messages) => shareModal(ref, view.private_metadata, messages),
      done: sharedModal,
      closesWhenDone: (outcome) => outcome !== 'not_allowed',
    })
  })
  return sharing
}
