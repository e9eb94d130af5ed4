import { failureOf } from '../../port/failures.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import { parseLinkPosition, type MenuChoice } from '../block-kit/link-menu.ts'
import { warningText } from '../block-kit/notices.ts'
import { decodeNamedLink, toShownLink } from '../block-kit/shown-link.ts'
import { findChosenLink } from '../links/find-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { turnedNotice } from './change-modals.ts'
import { followChange, menuOrigin, toChangedLink, type ChangedLink } from './link-changes.ts'

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
export async function undoTurnOff(
  platform: ShortenPlatform,
  request: ActionRequest,
): Promise<void> {
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
  work: () => Promise<void>,
): Promise<void> {
  await work().catch(async (error: unknown) => {
    if (!(error instanceof SlackInputError || failureOf(error, 'gone'))) throw error
    const text = errorTexts(error).map(warningText).join('\n')
    const isShown = view && (await homeTab.refresh(caller, { text }))
    if (!isShown) throw error
  })
}

async function update(
  platform: ShortenPlatform,
  caller: Caller,
  link: ChangedLink,
  { enabled, ...options }: { enabled: boolean; operation?: Operation; etag?: string | undefined },
): Promise<void> {
  const { clock, linkService, permissions } = platform
  await permissions.checkMayChange(caller, link)
  const read = await linkService.update(caller, link.name, { enabled }, options)
  const notice = turnedNotice(toShownLink(read.link, clock.now()), enabled, read.etag)
  followChange(platform, caller, link, read.link, { origin: link.origin, notice })
}
