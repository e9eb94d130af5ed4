import { failureOf } from '../../port/failures.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import { parseLinkPosition, type MenuChoice } from '../block-kit/link-menu.ts'
import { warningText } from '../block-kit/mrkdwn.ts'
import type { Notice } from '../block-kit/notices.ts'
import {
  decodeNamedLink,
  encodeNamedLink,
  toShownLink,
  type ShownLink,
} from '../block-kit/shown-link.ts'
import { findChosenLink } from '../links/find-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { deliverLink, linkCreatedModal } from '../shorten/deliver-link.ts'
import { readExistingLinkModal } from '../shorten/duplicate/duplicates.ts'
import {
  followChange,
  menuOrigin,
  shownUrl,
  toChangedLink,
  type MenuOrigin,
} from './link-changes.ts'

export async function turnLink(
  platform: ShortenPlatform,
  request: ActionRequest,
  chosen: MenuChoice,
): Promise<void> {
  const { caller } = request
  await showErrorInHomeTab(platform, request, async () => {
    const operation = createOperation(platform)
    const read = await findChosenLink(platform, caller, chosen, operation)
    const link = toChangedLink(read, menuOrigin(request, chosen.position))
    // No etag is sent, because the user wants the link to be off or on, whatever else has changed.
    await update(platform, caller, link, { enabled: chosen.choice === 'on', operation })
  })
}

/** Turns a link on again. The button's etag makes this fail if the link has changed since it was turned off. */
export async function undoTurnOff(platform: ShortenPlatform, request: ActionRequest) {
  const { action, caller, value } = request
  const origin = menuOrigin(request, parseLinkPosition(action.block_id))
  const { etag, ...named } = decodeNamedLink(value)
  const link = { ...named, origin }
  await showErrorInHomeTab(platform, request, () =>
    update(platform, caller, link, { enabled: true, etag }).catch((cause: unknown) => {
      if (!failureOf(cause, 'changed')) throw cause
      const text =
        'This link has changed since you turned it off, so Undo changed nothing this time. If it is still off, choose Turn on in its menu.'
      throw new SlackInputError(text, { cause })
    }),
  )
}

/**
 * Runs `work`. If the user pressed a button of the Home tab, and isn't allowed to do this or the link is gone, the tab
 * shows the error, because it has no conversation for a message.
 * @throws any other error, for which the user gets a message. If the link service fails, the tab can't be redrawn
 */
async function showErrorInHomeTab(
  { homeTab }: ShortenPlatform,
  { caller, view }: ActionRequest,
  work: () => Promise<unknown>,
): Promise<void> {
  await work().catch(async (error: unknown) => {
    if (!(error instanceof SlackInputError || failureOf(error, 'gone'))) throw error
    const text = errorTexts(error).map(warningText).join('\n')
    const isShown = view && (await homeTab.refresh(caller, { text }))
    if (!isShown) throw error
  })
}

/**
 * Turns on the existing link of a destination. It then replaces the message or the modal that offered to turn it on.
 */
export async function turnOnDuplicate(platform: ShortenPlatform, request: ActionRequest) {
  const { caller, target, value, view } = request
  const turnOn = () => update(platform, caller, decodeNamedLink(value), { enabled: true })
  if (!view) {
    return deliverLink(platform, caller, { ...target, replacesOriginal: true }, await turnOn())
  }
  const { target: replyTo } = readExistingLinkModal(platform, caller, view)
  await platform.views.rebuild(caller, view, async (show) => {
    const link = await turnOn()
    const done = `${link.shortlink_url} was turned on, and you get it as a message.`
    await Promise.all([
      deliverLink(platform, caller, replyTo, link),
      show(linkCreatedModal(link), done),
    ])
  })
}

/** Changes a link, and shows what was done at its origin. Without an origin, the caller shows it. */
async function update(
  platform: ShortenPlatform,
  caller: Caller,
  { origin, ...link }: { name: string; shortUrl: string; origin?: MenuOrigin },
  { enabled, ...options }: { enabled: boolean; operation?: Operation; etag?: string | undefined },
): Promise<ShownLink> {
  const { clock, linkService, permissions } = platform
  await permissions.checkMayChange(caller, link)
  const read = await linkService.update(caller, link.name, { enabled }, options)
  const after = toShownLink(read.link, clock.now())
  const notice = turnedNotice(after, enabled, read.etag)
  followChange(platform, caller, link, read.link, origin && { origin, notice })
  return after
}

export function turnedNotice(link: ShownLink, enabled: boolean, etag?: string): Notice {
  const { name = '', shortlink_url: shortUrl, state } = link
  if (!enabled) {
    return {
      text: `*Turned off.* Visitors of ${shownUrl(shortUrl)} see a page saying that it is turned off.`,
      name,
      undo: etag === undefined ? undefined : encodeNamedLink({ name, shortUrl, etag }),
    }
  }
  const on =
    state === 'expired'
      ? `${shownUrl(shortUrl)} has expired, so it still doesn’t work. To use it again, choose _Edit_ and change when it expires.`
      : `${shownUrl(shortUrl)} leads to its destination again.`
  return { text: `*Turned on.* ${on}`, name }
}
