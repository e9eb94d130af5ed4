import { ACTIONS, VIEWS } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Listeners } from '../platform/listeners.ts'
import { submitShareForm } from '../share/share-link.ts'
import { deleteLink } from './delete-link.ts'
import { saveEdit } from './edit-form.ts'
import { chooseFromMenu, openNamedLink, openShareForm, shareInChannel } from './link-modals.ts'
import { turnOnDuplicate, undoTurnOff } from './turn-link.ts'

export function registerLinkMenu(listeners: Listeners, platform: ShortenPlatform): void {
  listeners.action(ACTIONS.linkMenu, (request) => chooseFromMenu(platform, request))
  listeners.action(ACTIONS.copyLink, (request) => openShareForm(platform, request))
  listeners.action(ACTIONS.showQr, (request) => openShareForm(platform, request))
  listeners.action(ACTIONS.shareLink, (request) => shareInChannel(platform, request))
  listeners.action(ACTIONS.undoTurnOff, (request) => undoTurnOff(platform, request))
  listeners.action(ACTIONS.turnOnDuplicate, (request) => turnOnDuplicate(platform, request))
  listeners.command('edit', (request) => openNamedLink(platform, 'edit', request))
  listeners.command('delete', (request) => openNamedLink(platform, 'delete', request))
  listeners.formSubmission(VIEWS.edit, (submission) => saveEdit(platform, submission))
  listeners.formSubmission(VIEWS.deleteLink, (submission) => deleteLink(platform, submission))
  listeners.formSubmission(VIEWS.share, (submission) => submitShareForm(platform, submission))
}
