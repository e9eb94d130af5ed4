import type { MadeLinks } from '../../workspaces/made-links.ts'
import { EVENTS } from '../ids.ts'
import type { Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import { createShowCards } from './unfurls.ts'

/** The cards below posted short links. */
export function registerUnfurl(
  listeners: Listeners,
  { logger }: Platform,
  { madeLinks, reachesLoopback }: { madeLinks: MadeLinks; reachesLoopback?: boolean | undefined },
): void {
  const showCards = createShowCards(madeLinks, logger, reachesLoopback)
  listeners.event(EVENTS.linkShared, async (caller, { event }) => {
    const { source, channel, message_ts: ts, links } = event
    // While a user is still writing, the link shows no card.
    if (source === 'composer') return
    await showCards(caller, { channel, ts, urls: links.map(({ url }) => url) })
  })
}
