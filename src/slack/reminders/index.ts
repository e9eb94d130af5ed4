import { createOperation } from '../../client/operation.ts'
import { ACTIONS } from '../ids.ts'
import type { Links } from '../links/links.ts'
import type { Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import { decodeKeptLink, keptMessage } from './reminder-messages.ts'

/**
 * *Keep it* in a reminder: the link no longer expires. It works for everyone who may change the link, and a second
 * click changes nothing.
 */
export function registerReminders(
  listeners: Listeners,
  { clock, linkService, permissions, replies }: Platform & Links,
): void {
  listeners.action(ACTIONS.keepLink, async ({ caller, target, value }) => {
    const { name, shortUrl } = decodeKeptLink(value)
    await permissions.checkMayChange(caller, shortUrl)
    const { workspace } = caller
    const operation = createOperation({ clock })
    const { link } = await linkService.get(workspace, name, { operation })
    const isKeptBefore = link.expires_at === undefined
    if (!isKeptBefore) await linkService.update(workspace, name, { expires_at: '' }, { operation })
    await replies.replace(caller.client, target, keptMessage({ link, isKeptBefore }))
  })
}
