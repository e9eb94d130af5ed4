import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { LinkDetails, ReadLink } from '../../port/links.ts'
import { textMessage } from '../block-kit/messages.ts'
import { MADE_LINK } from '../block-kit/link-menu.ts'
import { decodeListPosition } from '../block-kit/list-position.ts'
import { link, readableUrl } from '../block-kit/mrkdwn.ts'
import type { Notice } from '../block-kit/notices.ts'
import { toShownLink, type ShownLink } from '../block-kit/shown-link.ts'
import { sendList } from '../list/show-list.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { replyTarget, type Caller, type ReplyTarget } from '../platform/caller.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { deliverLink } from '../shorten/deliver-link.ts'

export const HOME = 'home'

export const TITLES = {
  edit: 'Edit a link',
  clicks: 'Clicks',
  delete: 'Delete a link',
  share: 'Share a link',
} as const

export const TOO_LONG = 'This link is too long to be changed from here.'

export const MAX_URL_LENGTH = 200

export function shownUrl(url: string): string {
  return link(url, readableUrl(url, MAX_URL_LENGTH))
}

const menuOriginSchema = replyTarget.extend({
  position: z.string().optional(), // A list's position, `made` or `home`; absent after a command.
})

/** Where the user chose an action for a link, which then shows what was done. */
export type MenuOrigin = z.infer<typeof menuOriginSchema>

export const changedLink = z.object({
  name: z.string(),
  shortUrl: z.string(),
  etag: z.string().optional(),
  origin: menuOriginSchema,
})

type ChangedLink = z.infer<typeof changedLink>

export function toChangedLink({ link: read, etag }: ReadLink, origin: MenuOrigin): ChangedLink {
  return { name: read.name, shortUrl: read.shortlink_url, etag, origin }
}

export function menuOrigin(
  { target, view }: Pick<ActionRequest, 'target'> & Partial<ActionRequest>,
  position?: string,
): MenuOrigin {
  return { ...target, position: view ? HOME : position }
}

interface Done {
  name: string // of the link
  origin: MenuOrigin
  after?: ShownLink | undefined // Absent if the link was deleted.
  notice: Notice
  isShared?: boolean
}

// The latest drawing of each link. The next drawing waits for it. Otherwise, an older state could be shown last.
const drawings = new LRUCache<string, Promise<void>>({ max: 1_000 })

/**
 * Shows what was done with a link, in the background: redraws the message or Home tab whose menu the user used. If that
 * is no longer possible, sends a new message.
 */
export function showDone(platform: ShortenPlatform, caller: Caller, done: Done): void {
  const key = `${caller.workspace.id} ${done.name}`
  const earlier = drawings.get(key)
  const draw = async (): Promise<void> => {
    await earlier?.catch(() => undefined)
    if (await redraw(platform, caller, done)) return
    // A new message has a button instead of the QR code, because uploading the picture takes a while.
    const after = done.after && { ...done.after, qrColor: undefined }
    await sendDone(platform, caller, done.origin, { ...done, after, isShared: false })
  }
  const drawing = draw()
  drawings.set(key, drawing)
  platform.tasks.runInBackground(() => drawing, 'what was done with a link could not be shown')
}

/**
 * Updates the app's record of a changed link, shows what was done, and redraws the Home tab, all in the background.
 * @param after undefined if the link was deleted
 * @param shown absent if the caller itself shows what was done
 */
export function followChange(
  platform: ShortenPlatform,
  caller: Caller,
  before: Pick<ChangedLink, 'name' | 'shortUrl'>,
  after: LinkDetails | undefined,
  shown?: Pick<Done, 'origin' | 'notice'>,
): void {
  const { clock, createdLinks, homeTab, logger, tasks } = platform
  const { id } = caller.workspace
  tasks.runInBackground(async () => {
    // The record is updated first, because it decides who can change the link at its new short URL.
    const recorded = after
      ? createdLinks.follow(id, before.shortUrl, after)
      : createdLinks.remove(id, before.name)
    await recorded.catch((err: unknown) =>
      logger.error({ err }, 'a change of a link could not be added to the record of links'),
    )
    if (shown) {
      const shownAfter = after && toShownLink(after, clock.now())
      showDone(platform, caller, { ...shown, name: before.name, after: shownAfter })
    }
    if (shown?.origin.position !== HOME) await homeTab.refresh(caller)
  }, 'what shows a changed link could not be drawn again')
}

/** @returns false if there is nothing to redraw, or if it can't be redrawn */
async function redraw(platform: ShortenPlatform, caller: Caller, done: Done): Promise<boolean> {
  const { position, ...reply } = done.origin
  if (position === undefined) return false
  if (position === HOME) return platform.homeTab.refresh(caller, done.notice)
  try {
    const target = { ...reply, replacesOriginal: 'only' as const }
    if (position === MADE_LINK) {
      await sendDone(platform, caller, target, done)
    } else {
      await sendList(platform, caller, target, decodeListPosition(position), done.notice)
    }
    return true
  } catch (err) {
    platform.logger.warn({ err }, 'the message of a changed link could not be replaced')
    return false
  }
}

async function sendDone(
  platform: ShortenPlatform,
  caller: Caller,
  target: ReplyTarget,
  { after, notice, isShared = false }: Done,
): Promise<void> {
  return after
    ? deliverLink(platform, caller, target, after, { notice, isShared })
    : platform.replies.send(caller.client, target, textMessage(notice.text))
}
