import type { ShowClicks } from '../clicks/index.ts'
import { ACTIONS, VIEWS } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Listeners } from '../platform/listeners.ts'
import { deleteLink } from './delete-link.ts'
import { saveEdit } from './edit-form.ts'
import { createLinkChanges, type MenuPlatform } from './link-changes.ts'
import { chooseFromMenu } from './choose-from-menu.ts'
import { openShareForm, shareInChannel } from './share-from-message.ts'
import { openNamedLink } from './change-named-link.ts'
import { submitShareForm } from '../share/share-link.ts'
import { undoTurnOff } from './turn-link.ts'
import { turnOnDuplicate } from './turn-on-duplicate.ts'

export function registerLinkMenu(
  listeners: Listeners,
  platform: ShortenPlatform,
  showClicks: ShowClicks,
): void {
  const menu: MenuPlatform = { ...platform, changes: createLinkChanges(platform), showClicks }
  listeners.action(ACTIONS.linkMenu, (request) => chooseFromMenu(menu, request))
  listeners.action(ACTIONS.copyLink, (request) => openShareForm(menu, request))
  listeners.action(ACTIONS.showQr, (request) => openShareForm(menu, request))
  listeners.action(ACTIONS.shareLink, (request) => shareInChannel(menu, request))
  listeners.action(ACTIONS.undoTurnOff, (request) => undoTurnOff(menu, request))
  listeners.action(ACTIONS.turnOnDuplicate, (request) => turnOnDuplicate(menu, request))
  listeners.command('edit', (request) => openNamedLink(menu, 'edit', request))
  listeners.command('delete', (request) => openNamedLink(menu, 'delete', request))
  listeners.formSubmission(VIEWS.edit, (submission) => saveEdit(menu, submission))
  listeners.formSubmission(VIEWS.deleteLink, (submission) => deleteLink(menu, submission))
  listeners.formSubmission(VIEWS.share, (submission) => submitShareForm(menu, submission))
}
