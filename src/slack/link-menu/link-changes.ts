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

const REMEMBERED_DRAWINGS = 1_000

/** Shows what was done with a link. Never rejects, and nothing waits for it. */
export interface LinkChanges {
  /** Uses the message or the Home tab that the user saw the link in, or else a new message. */
  show(caller: Caller, done: Done): void
  /**
   * Records that a link was changed, or that it was deleted if there is no `after`, and draws it again.
   *
   * @param shown absent if the caller shows it in another way
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

/** What the actions of the menu use. Each checks that the user can change the link, and throws a SlackInputError if not. */
export interface MenuPlatform extends ShortenPlatform {
  changes: LinkChanges
  showClicks: ShowClicks
}

export function createLinkChanges(platform: ShortenPlatform): LinkChanges {
  const { clock, homeTab, tasks } = platform
  /** The latest drawing of each link. It waits for the earlier ones, because a slow one would replace it. */
  const drawings = new LRUCache<string, Promise<unknown>>({ max: REMEMBERED_DRAWINGS })

  function show(caller: Caller, done: Done): void {
    const earlier = drawings.get(done.name)
    const draw = async (): Promise<void> => {
      await earlier?.catch(() => undefined)
      if (!(await redraw(platform, caller, done))) await sendAnew(platform, caller, done)
    }
    const drawing = draw()
    drawings.set(done.name, drawing)
    tasks.runInBackground(() => drawing, 'what was done with a link could not be shown')
  }

  return {
    show,

    follow(caller, before, after, shown) {
      tasks.runInBackground(async () => {
        // First, because it decides who can change the link at its new short URL.
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

/** @returns false if what shows the link can't be changed */
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

/** Shows the QR code only after a click, because uploading it would take a while. */
async function sendAnew(platform: ShortenPlatform, caller: Caller, done: Done) {
  const { position: _, ...reply } = done.origin
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
