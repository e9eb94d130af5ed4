import { failureOf } from '../../port/failures.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import { parseLinkPosition, type MenuChoice } from '../block-kit/link-menu.ts'
import { decodeNamedLink, toShownLink } from '../block-kit/shown-link.ts'
import { findChosenLink } from '../links/find-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
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
  const operation = createOperation(platform)
  const read = await findChosenLink(platform, caller, chosen, operation)
  const link = toChangedLink(read, menuOrigin(request, chosen.position))
  // No etag is sent, because the user wants the link to be off or on, whatever else has changed.
  await update(platform, caller, link, { enabled: chosen.choice === 'on', operation })
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
  await update(platform, caller, link, { enabled: true, etag }).catch(async (cause: unknown) => {
    if (request.view) await platform.homeTab.refresh(caller) // It still shows the link as off.
    if (!failureOf(cause, 'changed')) throw cause
    const text =
      'This link has changed since you turned it off, so Undo changed nothing this time. If it is still off, choose Turn on in its menu.'
    throw new SlackInputError(text, { cause })
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
