import type { CreateRequest } from '../../contract/link-requests.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import type { LinkDetails } from '../../port/links.ts'
import { within } from '../../timing/clock.ts'
import type { CreatedLink, CreatedLinks, StoredLink } from '../../workspaces/created-links.ts'
import type { RecentUtm } from '../../workspaces/settings.ts'
import type { UtmValues } from '../../workspaces/utm.ts'
import type { Caller } from '../platform/caller.ts'
import type { Platform } from '../platform/platform.ts'
import type { CreatedBy } from './duplicate/find-duplicate.ts'

/** A response waits until its link is recorded, so that the user can post the link at once and see its card. */
const RECORDED_WITHIN_MS = 500

/** The app's own record of the links that were created in Slack. Never rejects: failures are only logged. */
export interface LinkRecord {
  add(caller: Caller, link: Shortlink, request: CreateRequest, utm: UtmValues): Promise<void>
  whoCreated(
    caller: Caller,
    link: Pick<Shortlink, 'name' | 'shortlink_url'>,
  ): Promise<CreatedBy | undefined>
  /** Records a changed link that was at `shortUrl` before. */
  follow(caller: Caller, shortUrl: string, link: LinkDetails): Promise<void>
  remove(caller: Caller, name: string): Promise<void>
  isKnown(caller: Caller, url: string): Promise<boolean>
}

export function createLinkRecord(
  { tasks, logger, clock }: Platform,
  { createdLinks, recentUtm }: { createdLinks: Omit<CreatedLinks, 'list'>; recentUtm: RecentUtm },
): LinkRecord {
  async function logged<T>(work: () => Promise<T>, failed: string): Promise<T | undefined> {
    return tasks.track(work).catch((err: unknown) => {
      logger.error({ err }, failed)
      return undefined
    })
  }

  const find = (
    { workspace }: Caller,
    url: string,
    name?: string,
  ): Promise<StoredLink | undefined> =>
    logged(
      () => createdLinks.find(workspace.id, url, name),
      'the record of links could not be read',
    )

  return {
    async add({ workspace, userId }, link, request, utm) {
      const created = { ...toCreatedLink(link, request), createdBy: userId }
      const recorded = logged(
        () => createdLinks.add(workspace.id, created),
        'a new link could not be added to the record of links',
      )
      if (userId !== undefined && Object.keys(utm).length > 0) {
        tasks.runInBackground(
          () => recentUtm.save(workspace.id, userId, utm),
          'the UTM values of a new link could not be stored',
        )
      }
      await within(clock, RECORDED_WITHIN_MS, recorded)
    },

    async whoCreated(caller, { name, shortlink_url: shortUrl }) {
      const { createdBy, createdAt } = (await find(caller, shortUrl, name)) ?? {}
      return createdBy !== undefined && createdAt !== undefined
        ? { by: createdBy, at: createdAt }
        : undefined
    },

    async follow({ workspace }, shortUrl, link) {
      await logged(
        () => createdLinks.follow(workspace.id, shortUrl, toCreatedLink(link)),
        'a changed link could not be changed in the record of links',
      )
    },

    async remove({ workspace }, name) {
      await logged(
        () => createdLinks.remove(workspace.id, name),
        'a deleted link could not be removed from the record of links',
      )
    },

    isKnown: async (caller, url) => (await find(caller, url)) !== undefined,
  }
}

/** What the service's response leaves out is taken from the request that created the link. */
function toCreatedLink(link: LinkDetails, request: Partial<CreateRequest> = {}): CreatedLink {
  const hasPreview = (link.is_custom_preview ?? request.is_custom_preview) !== false
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
