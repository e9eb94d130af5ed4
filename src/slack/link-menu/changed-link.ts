import { z } from 'zod'
import type { ReadLink } from '../../port/links.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { formState } from '../shorten/form.ts'

export const HOME = 'home'

const menuOriginSchema = formState.shape.reply.extend({
  /** A list's position, `made` or `home`; absent after a command. */
  position: z.string().optional(),
})

export type MenuOrigin = z.infer<typeof menuOriginSchema>

export const changedLink = z.object({
  name: z.string(),
  shortUrl: z.string(),
  etag: z.string().optional(),
  origin: menuOriginSchema,
})

export type ChangedLink = z.infer<typeof changedLink>

export function toChangedLink({ link, etag }: ReadLink, origin: MenuOrigin): ChangedLink {
  return { name: link.name, shortUrl: link.shortlink_url, etag, origin }
}

export function menuOrigin(
  { target, view }: Pick<ActionRequest, 'target'> & Partial<ActionRequest>,
  position?: string,
): MenuOrigin {
  const { userId, responseUrl, channelId, threadTs } = target
  return { userId, responseUrl, channelId, threadTs, position: view ? HOME : position }
}
