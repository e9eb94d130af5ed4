import type { LinkDetails } from '../../client/link-client.ts'
import { timeOf } from '../../client/responses.ts'
import { within } from '../../timing/clock.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import type { MadeLink, MadeLinks, StoredLink } from '../../workspaces/made-links.ts'
import type { RecentUtm } from '../../workspaces/recent-utm.ts'
import type { UtmValues } from '../../workspaces/utm.ts'
import type { Caller } from '../platform/caller.ts'
import type { Platform } from '../platform/platform.ts'

/** The user who made a link with this app, and the time (milliseconds since 1970). */
export interface MadeBy {
  by: string
  at: number
}

/**
 * How long an answer waits until its link is recorded, in milliseconds. Then its maker may post it at once and see
 * its card.
 */
const RECORDED_WITHIN_MS = 500

/** Records what users make in Slack. A failure only goes to the log. */
export interface LinkRecord {
  /** Stores a link that was just made, and the UTM values that its maker used. Soon gives up waiting. */
  add(caller: Caller, link: Shortlink, request: CreateRequest, utm: UtmValues): Promise<void>
  /** Who made a link in Slack. Undefined if that is not known. Never rejects. */
  whoMade(caller: Caller, shortUrl: string): Promise<MadeBy | undefined>
  /**
   * Records that a link was changed.
   *
   * @param shortUrl the short URL before the change
   * @returns resolves when it is stored. Never rejects
   */
  follow(caller: Caller, shortUrl: string, link: LinkDetails): Promise<void>
  /** Forgets a link that was deleted. Never rejects. */
  remove(caller: Caller, link: Pick<Shortlink, 'name' | 'shortlink_url'>): Promise<void>
  /** Whether a URL is a short URL that was made in Slack. Never rejects. */
  isKnown(caller: Caller, url: string): Promise<boolean>
}

export function createLinkRecord(
  { tasks, logger, clock }: Pick<Platform, 'tasks' | 'logger' | 'clock'>,
  { madeLinks, recentUtm }: { madeLinks: Omit<MadeLinks, 'list'>; recentUtm: RecentUtm },
): LinkRecord {
  async function find({ workspace }: Caller, url: string): Promise<StoredLink | undefined> {
    return madeLinks.find(workspace.id, url).catch((err: unknown) => {
      logger.error({ err }, 'the record of links could not be read')
      return undefined
    })
  }

  return {
    async add({ workspace, userId }, link, request, utm) {
      const made = { ...madeLinkOf(link, request), madeBy: userId }
      const recorded = tasks
        .track(() => madeLinks.add(workspace.id, made))
        .catch((err: unknown) => {
          logger.error({ err }, 'a new link could not be added to the record of links')
        })
      if (userId !== undefined && Object.keys(utm).length > 0) {
        tasks.runInBackground(
          () => recentUtm.save(workspace.id, userId, utm),
          'the UTM values of a new link could not be stored',
        )
      }
      await within(clock, RECORDED_WITHIN_MS, recorded)
    },
    async whoMade(caller, shortUrl) {
      const { madeBy, madeAt } = (await find(caller, shortUrl)) ?? {}
      return madeBy !== undefined && madeAt !== undefined ? { by: madeBy, at: madeAt } : undefined
    },
    async follow({ workspace }, shortUrl, link) {
      const changed = {
        shortUrl: link.shortlink_url,
        destinationUrl: link.destination_url,
        title: link.title,
        name: link.name,
        ...(link.expires_at !== undefined && { expiresAt: timeOf(link.expires_at) }),
        ...(link.is_custom_preview !== false && {
          previewTitle: link.preview_title,
          previewDescription: link.preview_description,
          previewImageUrl: link.preview_image,
        }),
      }
      await tasks
        .track(() => madeLinks.follow(workspace.id, shortUrl, changed))
        .catch((err: unknown) => {
          logger.error({ err }, 'a changed link could not be changed in the record of links')
        })
    },
    async remove({ workspace }, { name, shortlink_url: shortUrl }) {
      await tasks
        .track(() => madeLinks.remove(workspace.id, shortUrl, name))
        .catch((err: unknown) => {
          logger.error({ err }, 'a deleted link could not be removed from the record of links')
        })
    },
    isKnown: async (caller, url) => (await find(caller, url)) !== undefined,
  }
}

/** The link as the service answered it. What the answer leaves out is taken from the request. */
function madeLinkOf(link: Shortlink, request: CreateRequest): MadeLink {
  const hasPreview = link.is_custom_preview ?? request.is_custom_preview ?? false
  return {
    shortUrl: link.shortlink_url,
    name: link.name,
    ...(request.expires_at !== undefined && { expiresAt: Date.parse(request.expires_at) }),
    destinationUrl: link.destination_url,
    title: link.title ?? request.title,
    ...(hasPreview && {
      previewTitle: link.preview_title ?? request.preview_title,
      previewDescription: link.preview_description ?? request.preview_description,
      previewImageUrl: link.preview_image,
    }),
  }
}
