import { z } from 'zod'
import type { LinkDetails, ReadLink } from '../../client/link-client.ts'
import { timeOf } from '../../client/responses.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { utmOf } from '../../workspaces/utm.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import type { ActionRequest } from '../platform/listeners.ts'

/** Where the user opened a link's menu: what shows the link, and is drawn again when the link has changed. */
export const menuOrigin = z.object({
  userId: z.string(),
  responseUrl: z.string().optional(),
  channelId: z.string().optional(),
  threadTs: z.string().optional(),
  /** The position of the list in the message, or MADE_LINK; absent in the Home tab. */
  position: z.string().optional(),
})

export type MenuOrigin = z.infer<typeof menuOrigin>

/** What the modals that change a link carry, encrypted. */
export const changedLink = z.object({
  name: z.string(),
  shortUrl: z.string(),
  etag: z.string().optional(),
  origin: menuOrigin,
})

export type ChangedLink = z.infer<typeof changedLink>

export function changedLinkOf({ link, etag }: ReadLink, origin: MenuOrigin): ChangedLink {
  return {
    name: link.name,
    shortUrl: link.shortlink_url,
    ...(etag !== undefined && { etag }),
    origin,
  }
}

export function originOf(
  { target, view }: Pick<ActionRequest, 'target' | 'view'>,
  position: string,
): MenuOrigin {
  const { userId, responseUrl, channelId, threadTs } = target
  return { userId, responseUrl, channelId, threadTs, ...(!view && { position }) }
}

/** A link as the message about it shows it. */
export function shownLinkFrom(link: LinkDetails): ShownLink {
  const { name, enabled, expires_at, qr_code_enabled, qr_code_color, ...shortlink } = link
  return {
    shortlink,
    utm: utmOf(link),
    ...(qr_code_enabled && { qrColor: qr_code_color ?? DEFAULT_COLOR }),
    ...(expires_at !== undefined && { expiresAt: timeOf(expires_at) }),
    changeable: { name, enabled },
  }
}
