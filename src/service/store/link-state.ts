import type { LinksTable } from '../../database/schema.ts'

/** What a short URL does: it redirects, or explains why it does not. */
export type LinkState = 'active' | 'off' | 'expired'

/**
 * The state of a link that is not deleted. A link that is turned off and has expired counts as expired.
 *
 * @param now the time in milliseconds since 1970
 */
export function linkState(
  link: Pick<LinksTable, 'enabled' | 'expires_at'>,
  now: number,
): LinkState {
  if (link.expires_at !== null && link.expires_at <= now) return 'expired'
  return link.enabled === 1 ? 'active' : 'off'
}
