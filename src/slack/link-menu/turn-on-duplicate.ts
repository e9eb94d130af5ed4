import { decodeNamedLink, toShownLink, type ShownLink } from '../block-kit/shown-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { deliverLink, linkCreatedModal } from '../shorten/deliver-link.ts'
import { readExistingLinkModal } from '../shorten/duplicate/duplicates.ts'
import { followChange } from './link-changes.ts'

/**
 * Turns on the existing link of a destination. It then replaces the message or the modal that offered to turn it on.
 */
export async function turnOnDuplicate(
  platform: ShortenPlatform,
  { caller, target, value, view }: ActionRequest,
): Promise<void> {
  const { clock, linkService, permissions, views } = platform
  const existing = decodeNamedLink(value)

  async function turnOn(): Promise<ShownLink> {
    await permissions.checkMayChange(caller, existing)
    const { link } = await linkService.update(caller, existing.name, { enabled: true })
    followChange(platform, caller, existing, link)
    return toShownLink(link, clock.now())
  }

  if (!view) {
    return deliverLink(platform, caller, { ...target, replacesOriginal: true }, await turnOn())
  }
  const { target: replyTo } = readExistingLinkModal(platform, caller, view)
  await views.rebuild(caller, view, async (show) => {
    const link = await turnOn()
    const done = `${link.shortlink_url} was turned on, and you get it as a message.`
    await Promise.all([
      deliverLink(platform, caller, replyTo, link),
      show(linkCreatedModal(link), done),
    ])
  })
}
