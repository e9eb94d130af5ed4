import { type ListedLink, type ReadLink, backHalfOf } from '../../port/links.ts'
import { isQueryRefused } from '../../port/newest-links.ts'
import type { Operation } from '../../port/operation.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import { isSameShortUrl } from '../../workspaces/created-links.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { isWholeName, linkKey, type MenuChoice } from '../block-kit/link-menu.ts'
import {
  decodeListPosition,
  FIRST_PAGE,
  SEARCH_LENGTH,
  type ListPosition,
} from '../block-kit/list-position.ts'
import { cut, isWebUrl, readableUrl, unwrapLink } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import type { Caller } from '../platform/caller.ts'
import { deletedText } from '../platform/error-messages.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { listedLink, PER_PAGE, type ListLink } from './link-lists.ts'
import type { WorkspaceLinkService } from './workspace-link-service.ts'
import type { Links } from './links.ts'

const MATCHES = 10

const MAX_DOMAINS = 10
const CONCURRENCY = 4

/**
 * Finds the link that a command names by its short URL or its back-half. It first looks in our own record, then uses the
 * service's search, and then reads the pages of the list.
 *
 * @param counts whether the caller needs the clicks, which only the service knows
 */
export async function findNamedLink(
  { linkService, createdLinks }: Pick<Links, 'linkService' | 'createdLinks'>,
  workspace: Workspace,
  { command, text }: { command: string; text: string },
  { counts = false, operation }: { counts?: boolean; operation?: Operation },
): Promise<ListLink> {
  const typed = unwrapLink(text.trim())
  const url = URL.parse(isWebUrl(typed) ? typed : `https://${typed}`)
  const isUrl = url !== null && (url.pathname !== '/' || url.search !== '')
  if (/^$|\s/.test(typed) || (!isUrl && isWebUrl(typed))) {
    throw new SlackInputError(
      `Type one short link or its back-half after \`${COMMAND} ${command}\`, like ${COMMAND} ${command} https://go.example.com/spring-sale or ${COMMAND} ${command} spring-sale.`,
    )
  }

  const deleted: string[] = []

  async function lookUp(shortUrl: string): Promise<ListLink | undefined> {
    const recorded = counts ? undefined : await createdLinks.find(workspace.id, shortUrl)
    if (recorded) return listedLink({ ...recorded, shortUrl })
    const { search } = await linkService.capabilities(workspace)
    const { host = '', pathname = '' } = URL.parse(shortUrl) ?? {}
    const q = `${host}${pathname}`.replace(/\/$/, '')
    if (!search || q.length < SEARCH_LENGTH.min || q.length > SEARCH_LENGTH.max) return undefined
    const page = await linkService.list(workspace, { q, per_page: MATCHES }, { operation })
    const match = page.links.find((link) => isSameShortUrl(shortUrl, link.shortlink_url))
    if (!match && page.deletedAt !== undefined) deleted.push(deletedText(q, page.deletedAt))
    return match
  }

  const { domains } = await linkService.connection(workspace)
  const shortUrls = isUrl
    ? [url.href]
    : domains
        .slice(0, MAX_DOMAINS)
        .map((one) => `https://${one.domain_name}/${encodeURIComponent(typed)}`)
  const links = await inParallel(shortUrls, CONCURRENCY, lookUp)
  const found = new Map(links.flatMap((link) => (link ? [[link.name, link]] : [])))
  if (found.size > 1) {
    const all = [...found.values()].map((link) => link.shortlink_url).join(', ')
    throw new SlackInputError(
      `${found.size} short links have this back-half: ${all}. Type one of them.`,
    )
  }
  if (found.size === 0 && deleted.length > 0) throw new SlackInputError(deleted.join(' '))
  const isNamed = (link: ListedLink): boolean =>
    isUrl ? isSameShortUrl(url.href, link.shortlink_url) : backHalfOf(link) === typed
  const [only = await searchPages(linkService, workspace, FIRST_PAGE, isNamed, operation)] =
    found.values()
  if (only) return only
  const shown = isUrl ? readableUrl(url.href, MAX_SHOWN_URL) : cut(typed, MAX_SHOWN_URL)
  throw new SlackInputError(
    `Backhalf can’t find ${shown} among this workspace’s short links. Check the spelling, or look at ${COMMAND} list.`,
  )
}

const MAX_SHOWN_URL = 200

type Lookup = Pick<Links, 'fetchList' | 'linkService'>

/** Looks through the list if the service can't show a single link, or if the link's name is too long for its menu. */
export async function findChosenLink(
  links: Lookup,
  caller: Pick<Caller, 'workspace' | 'userId'>,
  choice: Pick<MenuChoice, 'key' | 'position'>,
  operation: Operation,
): Promise<ReadLink<ReadLink['link'] & Pick<ListLink, 'isUnchecked'>>> {
  const { linkService } = links
  const { workspace } = caller
  const { get: isOffered } = await linkService.capabilities(workspace)
  if (isOffered && isWholeName(choice.key))
    return linkService.get(workspace, choice.key, { operation })
  const link = await findListedLink(links, caller, choice, operation)
  return isOffered ? linkService.get(workspace, link.name, { operation }) : { link }
}

/** Also looks at the pages around the link's page, because new links push the others to later pages. */
export async function findListedLink(
  { fetchList, linkService }: Lookup,
  caller: Pick<Caller, 'workspace' | 'userId'>,
  { key, position }: Pick<MenuChoice, 'key' | 'position'>,
  operation?: Operation,
): Promise<ListLink> {
  const decoded = decodeListPosition(position)
  const isChosen = ({ name }: ListedLink): boolean => linkKey(name) === key
  const { links, isRecord } = await fetchList(caller, decoded, { operation, details: false })
  // The record's pages are not the service's.
  const around = isRecord ? { ...decoded, q: undefined } : decoded
  const found =
    links.find(isChosen) ??
    (await searchPages(linkService, caller.workspace, around, isChosen, operation))
  if (found) return found
  throw new SlackInputError(
    'This link can’t be found anymore. It was deleted, or the list has changed a lot since you opened it. Open the list again to see the current links.',
  )
}

/** A service might allow less than 100. */
const PAGE_SIZES = [100, PER_PAGE] as const

const MAX_PAGES = 20
const SEARCH_WITHIN_MS = 6_000

async function searchPages(
  linkService: WorkspaceLinkService,
  workspace: Workspace,
  position: ListPosition,
  isWanted: (link: ListedLink) => boolean,
  operation?: Operation,
): Promise<ListedLink | undefined> {
  const signal = AbortSignal.timeout(SEARCH_WITHIN_MS)
  const { mine: _mine, page: shown, ...listed } = position
  let pagesLeft = MAX_PAGES
  for (const size of PAGE_SIZES) {
    let last = Infinity
    let isAllowed = true
    for (const page of pagesAround(Math.ceil((shown * PER_PAGE) / size), () => last)) {
      if (pagesLeft-- === 0) return undefined
      const query = { ...listed, page, per_page: size }
      const answer = await linkService
        .list(workspace, query, { signal, operation })
        .catch((error: unknown) => {
          if (!isQueryRefused(error) || size === PER_PAGE) throw error
          return undefined
        })
      const found = answer?.links.find(isWanted)
      if (found) return found
      // The service has another page size: the next smaller one might suit it.
      isAllowed = answer !== undefined && answer.perPage >= size
      if (!isAllowed) break
      if (!answer?.hasNext) last = Math.min(last, page)
    }
    if (isAllowed) return undefined
  }
  return undefined
}

function* pagesAround(start: number, last: () => number): Generator<number> {
  yield start
  for (let distance = 1; distance < start || start + distance <= last(); distance++) {
    if (start + distance <= last()) yield start + distance
    if (distance < start) yield start - distance
  }
}
