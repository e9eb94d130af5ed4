import { ACTIONS } from '../ids.ts'
import type { Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import type { Sharing } from '../share/sharing.ts'
import { parseMenuChoice } from './menu.ts'
import { createMenuActions } from './menu-actions.ts'

const TITLES = { qr: 'QR code', share: 'Share a link', copy: 'Copy as text' }

/**
 * The menu of a listed link, in a message or in the Home tab. It answers in a modal: below a long list, an
 * answer could be out of sight, and the Home tab has no conversation.
 */
export function registerLinkMenu(
  listeners: Listeners,
  platform: Platform,
  { sharing }: { sharing: Sharing },
): void {
  const actions = createMenuActions(platform, sharing)
  listeners.action(ACTIONS.linkMenu, (request) => {
    const { action, caller, target, triggerId, view, messageTs } = request
    const choice = parseMenuChoice(action)
    const modal = { triggerId, title: TITLES[choice.choice] }
    return platform.views.openThenBuild(caller, modal, (show) =>
      actions.answer(caller, choice, show, view ? undefined : { target, messageTs }),
    )
  })
}
