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
import type { Caller } from '../platform/caller.ts'
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
  const { clock, homeTab, logger, replies, tasks } = platform
  /** The latest drawing of each link waits for the earlier ones, because a slow one would replace it. */
  const drawings = new LRUCache<string, Promise<unknown>>({ max: REMEMBERED_DRAWINGS })

  async function redraw(caller: Caller, { origin, after, notice, isShared = false }: Done) {
    const { position, ...reply } = origin
    if (position === undefined) return false
    if (position === HOME) return homeTab.refresh(caller, notice)
    const target = { ...reply, replacesOriginal: 'only' as const }
    const draw = async (): Promise<void> => {
      if (position !== MADE_LINK) {
        const shown = decodeListPosition(position)
        const list = await fetchListMessage(platform, caller, shown, notice)
        return replies.send(caller.client, target, list)
      }
      if (!after) return replies.send(caller.client, target, textMessage(notice.text))
      return deliverLink(platform, caller, target, after, { notice, isShared })
    }
    return draw().then(
      () => true,
      (err: unknown) => {
        logger.warn({ err }, 'the message of a changed link could not be replaced')
        return false
      },
    )
  }

  function show(caller: Caller, done: Done): void {
    const { name, origin, after, notice } = done
    const earlier = drawings.get(name)
    const draw = async (): Promise<void> => {
      await earlier?.catch(() => undefined)
      if (await redraw(caller, done)) return
      const { position: _, ...reply } = origin
      // Its QR code would be uploaded for an outcome. A button shows it.
      const withoutQr = after && { ...after, qrColor: undefined }
      if (withoutQr) await deliverLink(platform, caller, reply, withoutQr, { notice })
      else await replies.send(caller.client, reply, textMessage(notice.text))
    }
    const drawing = draw()
    drawings.set(name, drawing)
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
