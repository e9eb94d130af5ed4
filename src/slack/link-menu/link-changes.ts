import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { LinkDetails, ReadLink } from '../../port/links.ts'
import { textMessage } from '../block-kit/elements.ts'
import { MADE_LINK } from '../block-kit/link-menu.ts'
import { decodeListPosition } from '../block-kit/list-position.ts'
import type { Notice } from '../block-kit/notices.ts'
import { toShownLink, type ShownLink } from '../block-kit/shown-link.ts'
import type { ShowClicks } from '../clicks/index.ts'
import { fetchListMessage } from '../list/show-list.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { deliverLink } from '../shorten/deliver-link.ts'
import { formState } from '../shorten/form.ts'
import { recordChange } from '../shorten/link-record.ts'

export const HOME = 'home'

const menuOriginSchema = formState.shape.reply.extend({
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

const REMEMBERED_DRAWINGS = 1_000

/** Records and shows what was done with a link. This happens in the background, and failures are only logged. */
export interface LinkChanges {
  /** Redraws the message or Home tab whose menu the user used. If that is no longer possible, sends a new message. */
  show(caller: Caller, done: Done): void
  /**
   * Updates the app's record of the link, shows what was done, and redraws the Home tab.
   * @param after undefined if the link was deleted
   * @param shown absent if the caller itself shows what was done
   */
  follow(
    caller: Caller,
    before: Pick<ChangedLink, 'name' | 'shortUrl'>,
    after: LinkDetails | undefined,
    shown?: Pick<Done, 'origin' | 'notice'>,
  ): void
}

interface Done {
  name: string
  origin: MenuOrigin
  after?: ShownLink | undefined
  notice: Notice
  isShared?: boolean
}

/** What the actions of a link's menu use. Each action first checks that the user can see or change the link. */
export interface MenuPlatform extends ShortenPlatform {
  changes: LinkChanges
  showClicks: ShowClicks
}

export function createLinkChanges(platform: ShortenPlatform): LinkChanges {
  const { clock, homeTab, tasks } = platform
  // The latest drawing of each link. The next drawing waits for it. Otherwise, an older state could be shown last.
  const drawings = new LRUCache<string, Promise<unknown>>({ max: REMEMBERED_DRAWINGS })

  function show(caller: Caller, done: Done): void {
    const { name, after } = done
    const key = `${caller.workspace.id} ${name || after?.shortlink_url}`
    const earlier = drawings.get(key)
    const draw = async (): Promise<void> => {
      await earlier?.catch(() => undefined)
      if (!(await redraw(platform, caller, done))) await sendAnew(platform, caller, done)
    }
    const drawing = draw()
    drawings.set(key, drawing)
    tasks.runInBackground(() => drawing, 'what was done with a link could not be shown')
  }

  return {
    show,

    follow(caller, before, after, shown) {
      tasks.runInBackground(async () => {
        // The record is updated first, because it decides who can change the link at its new short URL.
        await recordChange(platform, caller, before, after)
        const { name } = before
        if (shown) {
          show(caller, { ...shown, name, after: after && toShownLink(after, clock.now()) })
        }
        if (shown?.origin.position !== HOME) await homeTab.refresh(caller)
      }, 'what shows a changed link could not be drawn again')
    },
  }
}

/** Redraws the message or Home tab with the menu that the user used. @returns false if it can't be redrawn */
async function redraw(platform: ShortenPlatform, caller: Caller, done: Done): Promise<boolean> {
  const { position, ...reply } = done.origin
  if (position === undefined) return false
  if (position === HOME) return platform.homeTab.refresh(caller, done.notice)
  try {
    const target = { ...reply, replacesOriginal: 'only' as const }
    if (position === MADE_LINK) {
      await sendDone(platform, caller, target, done)
    } else {
      const shown = decodeListPosition(position)
      const list = await fetchListMessage(platform, caller, shown, done.notice)
      await platform.replies.send(caller.client, target, list)
    }
    return true
  } catch (err) {
    platform.logger.warn({ err }, 'the message of a changed link could not be replaced')
    return false
  }
}

/** Sends a new message. It has a button instead of the QR code, because uploading the picture takes a while. */
async function sendAnew(platform: ShortenPlatform, caller: Caller, done: Done) {
  const { position: _position, ...reply } = done.origin
  const after = done.after && { ...done.after, qrColor: undefined }
  await sendDone(platform, caller, reply, { ...done, after, isShared: false })
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
