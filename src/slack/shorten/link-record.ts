import type { CreateRequest } from '../../contract/link-requests.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import type { LinkDetails } from '../../port/links.ts'
import { within } from '../../timing/clock.ts'
import type { CreatedLink, RecordedLink } from '../../workspaces/created-links.ts'
import type { UtmValues } from '../../workspaces/utm.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'

// The response waits this long for the record, because Slack shows a card only for a recorded link.
const RECORDED_WITHIN_MS = 500

// The app's own record of the links that were created in Slack. These functions never reject, and log failures instead.

export async function recordLink(
  platform: ShortenPlatform,
  { workspace, userId }: Caller,
  link: Shortlink,
  request: CreateRequest,
  utm: UtmValues,
): Promise<void> {
  const { clock, createdLinks, recentUtm, tasks } = platform
  const created = { ...toCreatedLink(link, request), createdBy: userId }
  const recorded = logged(
    platform,
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
}

export function findRecord(
  platform: ShortenPlatform,
  { workspace }: Caller,
  shortUrl: string,
  name?: string,
): Promise<RecordedLink | undefined> {
  return logged(
    platform,
    () => platform.createdLinks.find(workspace.id, shortUrl, name),
    'the record of links could not be read',
  )
}

/** Records that the link `before` was changed, or deleted if `after` is undefined. */
export async function recordChange(
  platform: ShortenPlatform,
  { workspace: { id } }: Caller,
  before: { name: string; shortUrl: string },
  after: LinkDetails | undefined,
): Promise<void> {
  const { createdLinks } = platform
  await logged(
    platform,
    () =>
      after
        ? createdLinks.follow(id, before.shortUrl, toCreatedLink(after))
        : createdLinks.remove(id, before.name),
    'a change of a link could not be added to the record of links',
  )
}

async function logged<T>(platform: ShortenPlatform, work: () => Promise<T>, failure: string) {
  return platform.tasks.track(work).catch((err: unknown) => {
    platform.logger.error({ err }, failure)
    return undefined
  })
}

/** Takes from the request what the service's response leaves out. */
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
