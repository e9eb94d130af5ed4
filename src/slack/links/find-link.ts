import type { LinkQuery } from '../../port/link-service.ts'
import { type ListedLink, type ReadLink, backHalfOf } from '../../port/links.ts'
import { listNewest } from '../../port/newest-links.ts'
import type { Operation } from '../../port/operation.ts'
import { isSameShortUrl } from '../../workspaces/created-links.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { isWholeName, linkKey, type MenuChoice } from '../block-kit/link-menu.ts'
import { decodeListPosition, SEARCH_LENGTH } from '../block-kit/list-position.ts'
import { cut, isWebUrl, readableUrl, unwrapLink } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import type { Caller } from '../platform/caller.ts'
import { deletedText } from '../platform/error-messages.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { listedLink, type ListLink } from './link-lists.ts'
import type { WorkspaceLinkService } from './workspace-link-service.ts'
import type { Links } from './links.ts'

const MATCHES = 10
const MAX_DOMAINS = 10

/**
 * Finds the link that a command names by its short URL or its back-half. It first looks in our own record, then uses
 * the service's search, and then reads the newest pages of the list.
 * @param counts true if the caller needs the number of clicks, which only the service knows
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
        .map(({ domain_name }) => `https://${domain_name}/${encodeURIComponent(typed)}`)
  const links = await Promise.all(shortUrls.map(lookUp))
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
  const [only = await searchNewest(linkService, workspace, isNamed, operation)] = found.values()
  if (only) return only
  const shown = isUrl ? readableUrl(url.href, MAX_SHOWN_URL) : cut(typed, MAX_SHOWN_URL)
  throw new SlackInputError(
    `Backhalf can’t find ${shown} among this workspace’s short links. Check the spelling, or look at ${COMMAND} list.`,
  )
}

const MAX_SHOWN_URL = 200

/**
 * Finds the link whose menu the user has opened. The service is asked for the link by its name. If it can't show single
 * links, or if the name is too long for a menu, this looks through the list that has the menu, and then through the
 * newest links.
 */
export async function findChosenLink(
  { fetchList, linkService }: Pick<Links, 'fetchList' | 'linkService'>,
  caller: Pick<Caller, 'workspace' | 'userId'>,
  { key, position }: Pick<MenuChoice, 'key' | 'position'>,
  operation: Operation,
): Promise<ReadLink<ReadLink['link'] & Pick<ListLink, 'isUnchecked'>>> {
  const { workspace } = caller
  const { get: isOffered } = await linkService.capabilities(workspace)
  const get = (name: string) => linkService.get(workspace, name, { operation })
  if (isOffered && isWholeName(key)) return get(key)
  const options = { operation, details: false }
  const { links } = await fetchList(caller, decodeListPosition(position), options)
  const isChosen = ({ name }: ListedLink): boolean => linkKey(name) === key
  // New links might have pushed the link to a later page.
  const link =
    links.find(isChosen) ?? (await searchNewest(linkService, workspace, isChosen, operation))
  if (link) return isOffered ? get(link.name) : { link }
  throw new SlackInputError(
    'This link can’t be found anymore. It was deleted, or the list has changed a lot since you opened it. Open the list again to see the current links.',
  )
}

const PAGE_SIZE = 100
const MAX_PAGES = 20
const SEARCH_WITHIN_MS = 6_000

async function searchNewest(
  linkService: WorkspaceLinkService,
  workspace: Workspace,
  isWanted: (link: ListedLink) => boolean,
  operation?: Operation,
): Promise<ListedLink | undefined> {
  const options = { signal: AbortSignal.timeout(SEARCH_WITHIN_MS), operation }
  const list = (query: LinkQuery) => linkService.list(workspace, query, options)
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { links, hasNext } = await listNewest(list, { page, perPage: PAGE_SIZE })
    const found = links.find(isWanted)
    if (found || !hasNext) return found
  }
  return undefined
}
