import type { Logger } from 'pino'
import type { CreateRequest } from '../contract/create-request.ts'
import type { Shortlink } from '../contract/shortlink.ts'
import type { MadeLink, MadeLinks, RememberedLink } from '../workspaces/made-links.ts'
import type { MadeBy } from './already-shortened-error.ts'
import type { Caller } from './caller.ts'
import type { Work } from './work.ts'

/** Keeps the record of the workspace's links beside the making of them. */
export interface LinkRecord {
  /**
   * Begins to remember a link that was made just now. Nobody waits for it, and nobody loses an answer
   * by it: a failure is in the log. A stop of the program waits for it.
   */
  add(caller: Caller, link: Shortlink, request: CreateRequest): void
  /** Who made a link in Slack, and when. Undefined where nobody did; never throws. */
  whoMade(caller: Caller, shortUrl: string): Promise<MadeBy | undefined>
  /** Whether a URL is a short one that was made in Slack; never throws. */
  knows(caller: Caller, url: string): Promise<boolean>
}

export function createLinkRecord({
  madeLinks,
  work,
  logger,
}: {
  madeLinks: MadeLinks
  work: Work
  logger: Logger
}): LinkRecord {
  /** @returns undefined where nothing is known of it, or the record can't be read */
  async function find({ workspace }: Caller, url: string): Promise<RememberedLink | undefined> {
    return madeLinks.find(workspace.id, url).catch((err: unknown) => {
      logger.error({ err }, 'the record of links could not be read')
      return undefined
    })
  }

  return {
    add({ workspace, userId }, link, request) {
      void work.track(() =>
        madeLinks
          .remember(workspace.id, { ...whatToKeep(link, request), madeBy: userId })
          .catch((err: unknown) => logger.error({ err }, 'a link that was made is not remembered')),
      )
    },
    async whoMade(caller, shortUrl) {
      const { madeBy, madeAt } = (await find(caller, shortUrl)) ?? {}
      return madeBy !== undefined && madeAt !== undefined ? { by: madeBy, at: madeAt } : undefined
    },
    knows: async (caller, url) => (await find(caller, url)) !== undefined,
  }
}

/** As the service tells it; a service that repeats less than it could is helped out. */
function whatToKeep(link: Shortlink, request: CreateRequest): MadeLink {
  const hasPreview = link.is_custom_preview ?? request.is_custom_preview ?? false
  return {
    shortUrl: link.shortlink_url,
    destinationUrl: link.destination_url,
    title: link.title ?? request.title,
    ...(hasPreview && {
      previewTitle: link.preview_title ?? request.preview_title,
      previewDescription: link.preview_description ?? request.preview_description,
      previewImageUrl: link.preview_image,
    }),
  }
}
