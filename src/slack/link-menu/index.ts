import type { ModalView } from '@slack/types'
import { createOperation } from '../../client/operation.ts'
import { webUrl } from '../../web/readable-url.ts'
import { code, context } from '../block-kit/elements.ts'
import {
  isMadeLink,
  parseMenuChoice,
  pictureApart,
  type MenuChoice,
} from '../block-kit/link-menu.ts'
import {
  decodeLink,
  decodeNamedLink,
  encodeLink,
  shownLinkOf,
  type ShownLink,
} from '../block-kit/shown-link.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import type { Clicks } from '../clicks/index.ts'
import { ACTIONS, COMMAND, VIEWS } from '../ids.ts'
import { currentLink } from '../links/current-link.ts'
import { findChosenLink, findNamedLink } from '../links/find-link.ts'
import type { Links } from '../links/links.ts'
import type { ShownLists } from '../list/index.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest, Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import type { Show } from '../platform/views.ts'
import type { Sharing } from '../share/index.ts'
import { sharedModal, shareModal } from '../share/share-messages.ts'
import type { Shorten } from '../shorten/index.ts'
import { linkCreatedModal } from '../shorten/link-created.ts'
import { moreModal } from './change-modals.ts'
import { changedLinkOf, createLinkChanges, originOf } from './link-changes.ts'
import { createLinkEdits } from './link-edits.ts'

const TITLES: Record<MenuChoice['choice'], string> = {
  edit: 'Edit a link',
  clicks: 'Clicks',
  off: 'Turn off',
  on: 'Turn on',
  delete: 'Delete a link',
  more: 'Share, QR code, copy',
  qr: 'QR code',
  share: 'Share a link',
  copy: 'Copy as text',
}

/**
 * The menu of a link, in a list, in the Home tab or below a link that was just made. It answers in a modal: below
 * a long list, an answer could be out of sight, and the Home tab has no conversation. `/shorten edit` and
 * `/shorten delete` show the same modals.
 */
export function registerLinkMenu(
  listeners: Listeners,
  platform: Platform & Links,
  {
    sharing,
    shorten,
    lists,
    clicks,
  }: { sharing: Sharing; shorten: Shorten; lists: ShownLists; clicks: Clicks },
): void {
  const { clock, linkService, permissions, settings, views } = platform
  const changes = createLinkChanges(platform, { ...shorten, lists })
  const edits = createLinkEdits(platform, { ...shorten, changes })

  listeners.action(ACTIONS.linkMenu, (request) => {
    const { action, caller, target, triggerId, view, messageTs } = request
    const chosen = parseMenuChoice(action)
    const { choice, position } = chosen
    const modal = { triggerId, title: TITLES[choice] }
    return views.openThenBuild(caller, modal, async (show) => {
      await permissions.checkMaySee(caller)
      const operation = createOperation({ clock })
      const [read, { qr }] = await Promise.all([
        findChosenLink(platform, caller, chosen, operation),
        settings.read(caller.workspace.id),
      ])
      const { link } = read
      const origin = originOf(request, position)
      const shown = shownLinkOf(link, clock.now(), qr.color)
      switch (choice) {
        case 'edit':
          return edits.open(caller, read, origin, show)
        case 'clicks':
          return clicks.showModal(caller, link, show, operation)
        case 'off':
        case 'on':
          return changes.turn(caller, changedLinkOf(read, origin), choice === 'on', show, {
            operation,
          })
        case 'delete':
          return changes.askToDelete(caller, read, origin, show)
        case 'more':
          return show(moreModal(shown))
        case 'copy':
          return show(copyableModal(shown))
        case 'qr':
          return sharing.showQr(caller, { ...shown, qrColor: link.qr_code_color ?? qr.color }, show)
        case 'share':
          // Only a list in a conversation has a place to share the link in.
          if (view || isMadeLink(position)) return show(shareForm(shown))
          return show(sharedModal(await sharing.share(caller, target, shown, messageTs)))
      }
    })
  })

  for (const choice of ['edit', 'delete'] as const) {
    listeners.command(choice, ({ caller, target, text, triggerId }) => {
      const { workspace } = caller
      return views.openThenBuild(caller, { triggerId, title: TITLES[choice] }, async (show) => {
        await permissions.checkMaySee(caller)
        const operation = createOperation({ clock })
        const named = { command: choice, text }
        const { name } = await findNamedLink(platform, workspace, named, { operation })
        const offers = await linkService.offers(workspace)
        if (!offers.get || !offers[choice === 'edit' ? 'update' : 'delete']) {
          throw new SlackInputError(
            offers.isUnknown
              ? `Backhalf couldn’t find out whether the link service lets it ${choice} links. Try again in a minute.`
              : `Backhalf can’t ${choice} this link. Its menu in ${COMMAND} list shows what Backhalf can do with it.`,
          )
        }
        const read = await linkService.get(workspace, name, { operation })
        const origin = originOf({ target })
        if (choice === 'edit') await edits.open(caller, read, origin, show)
        else await changes.askToDelete(caller, read, origin, show)
      })
    })
  }

  /** A button in a modal of the menu, which becomes the answer. */
  function answerHere(
    actionId: string,
    answer: (
      request: ActionRequest & { view: NonNullable<ActionRequest['view']> },
      show: Show,
    ) => Promise<void>,
  ): void {
    listeners.action(actionId, async (request) => {
      const { caller, view } = request
      if (view) await views.rebuild(caller, view, (show) => answer({ ...request, view }, show))
    })
  }

  answerHere(ACTIONS.turnOff, ({ caller, view }, show) =>
    changes.turnBack(caller, view, false, show),
  )
  answerHere(ACTIONS.turnOn, ({ caller, view }, show) => changes.turnBack(caller, view, true, show))
  answerHere(ACTIONS.showQrHere, ({ caller, value }, show) =>
    sharing.showQr(caller, decodeLink(value), show),
  )
  answerHere(ACTIONS.shareHere, ({ value }, show) => show(shareForm(decodeLink(value))))
  answerHere(ACTIONS.copyHere, async ({ caller, value }, show) =>
    show(copyableModal(await currentLink(platform, caller, decodeLink(value)))),
  )

  // The existing link of a destination is turned off. Turning it on replaces the message about it.
  listeners.action(ACTIONS.turnOnDuplicate, async ({ action, caller, target, value, view }) => {
    const { shortener } = shorten
    const existing = decodeNamedLink(value)
    if (!view) {
      const link = await changes.turnOn(caller, existing)
      const shown = pictureApart(action.block_id)
      return shortener.deliver(caller, { ...target, replacesOriginal: true }, link, shown)
    }
    const { target: answerTo } = shorten.duplicates.read(caller, view)
    await views.rebuild(caller, view, async (show) => {
      const link = await changes.turnOn(caller, existing)
      const done = `${link.shortlink_url} was turned on, and you get it as a message.`
      await Promise.all([
        shortener.deliver(caller, answerTo, link),
        show(linkCreatedModal(link), done),
      ])
    })
  })

  listeners.formSubmission(VIEWS.edit, (submission) => edits.submit(submission))
  listeners.formSubmission(VIEWS.deleteLink, (submission) => changes.delete(submission))
}

/** Asks in which conversation to share a link. @throws SlackInputError if the link is too long for that */
export function shareForm(link: ShownLink): ModalView {
  const metadata = encodeLink(link)
  if (metadata !== undefined) return shareModal(link, metadata)
  throw new SlackInputError('This link is too long to be shared from here.')
}

/** A link as text that the user can select and copy. */
export function copyableModal({
  shortlink_url: shortUrl,
  title,
  destination_url: destination = '',
}: ShownLink): ModalView {
  return readOnlyModal('Copy as text', [
    context('The short link:'),
    code(shortUrl),
    context(`With its ${title ? 'title and ' : ''}destination:`),
    code([title, shortUrl, webUrl(destination)?.href ?? destination].filter(Boolean).join('\n')),
  ])
}
