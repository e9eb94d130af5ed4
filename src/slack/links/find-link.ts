import { createOperation, type Operation } from '../../client/operation.ts'
import type { Clock } from '../../timing/clock.ts'
import type { ListedLink } from '../../client/link-client.ts'
import { isSameShortUrl, type MadeLinks } from '../../workspaces/made-links.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { readableUrl } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { FIRST_PAGE } from './link-pages.ts'
import type { LinkService } from './link-service.ts'
import { searchPages } from './search-pages.ts'

/** A link that was found by its short URL. */
export interface FoundLink {
  /** The link service's ID. */
  name: string
  shortUrl: string
  title?: string | undefined
  /** The clicks in total; absent if the link was found in our own record, or if the service doesn't count. */
  clicks?: number | undefined
}

/** The lengths that a search accepts, in characters. */
const SEARCHABLE = { min: 3, max: 200 }

/** How many matches of a search are looked at. */
const MATCHES = 10

/**
 * Finds a link of the workspace by its short URL: in our own record of links, else by the service's search, else
 * on the pages of the list, the newest first.
 *
 * @param shortUrl in any spelling
 * @param counts whether the caller needs the clicks, which only the service knows
 * @throws SlackInputError if it can't be found; LinkServiceError, NotConnectedError
 */
export async function findLinkByShortUrl(
  {
    clock,
    linkService,
    madeLinks,
  }: { clock: Clock; linkService: LinkService; madeLinks: Pick<MadeLinks, 'find'> },
  workspace: Workspace,
  shortUrl: string,
  {
    counts = false,
    operation = createOperation({ clock }),
  }: { counts?: boolean; operation?: Operation } = {},
): Promise<FoundLink> {
  async function searchFor(isWanted: (link: ListedLink) => boolean) {
    const { search } = await linkService.offersSoon(workspace)
    const { host = '', pathname = '' } = URL.parse(shortUrl) ?? {}
    const q = `${host}${pathname}`.replace(/\/$/, '')
    if (!search || q.length < SEARCHABLE.min || q.length > SEARCHABLE.max) return undefined
    const { links } = await linkService.list(workspace, { q, per_page: MATCHES }, { operation })
    return links.find(isWanted)
  }

  const made = await madeLinks.find(workspace.id, shortUrl)
  if (made?.name !== undefined && !counts) {
    return { name: made.name, shortUrl, title: made.title }
  }
  const isWanted = (link: ListedLink): boolean =>
    made?.name === undefined
      ? isSameShortUrl(shortUrl, link.shortlink_url)
      : link.name === made.name
  const found =
    (await searchFor(isWanted)) ??
    (await searchPages(linkService, workspace, FIRST_PAGE, isWanted, operation))
  if (!found) {
    const shown = readableUrl(shortUrl, MAX_SHOWN_URL)
    throw new SlackInputError([
      {
        message: `Backhalf can’t find ${shown} among this workspace’s short links. Check the spelling, or look at ${COMMAND} list.`,
      },
    ])
  }
  const { name, shortlink_url, title, clicks } = found
  return { name, shortUrl: shortlink_url, title, clicks }
}

/** How many characters of a short URL an error message shows. */
const MAX_SHOWN_URL = 200
