import { listNewest, type LinkQuery } from '../../port/link-service.ts'
import { type ListedLink, type ReadLink, backHalfOf } from '../../port/links.ts'
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
import { fetchList, type ListLink } from './link-lists.ts'
import type { LinkPlatform, Links, WorkspaceLinkService } from './links.ts'

const MATCHES = 10
const MAX_DOMAINS = 10

/**
 * Finds the link that a command names by its short URL or its back-half. Looks in the app's own record, then uses the
 * service's search, and then reads the newest pages of the list.
 * @param counts true if the caller needs the number of clicks, which the record doesn't have
 * @throws SlackInputError if no link matches, or if several links on different domains do
 */
export async function findNamedLink(
  { linkService, createdLinks }: Pick<Links, 'linkService' | 'createdLinks'>,
  workspace: Workspace,
  { command, text }: { command: string; text: string },
  { counts = false, operation }: { counts?: boolean; operation?: Operation },
): Promise<ListLink> {
  const urlOrBackHalf = unwrapLink(text.trim())
  const url = URL.parse(isWebUrl(urlOrBackHalf) ? urlOrBackHalf : `https://${urlOrBackHalf}`)
  const isUrl = url !== null && (url.pathname !== '/' || url.search !== '')
  if (/^$|\s/.test(urlOrBackHalf) || (!isUrl && isWebUrl(urlOrBackHalf))) {
    throw new SlackInputError(
      `Type one short link or its back-half after \`${COMMAND} ${command}\`, like ${COMMAND} ${command} https://go.example.com/spring-sale or ${COMMAND} ${command} spring-sale.`,
    )
  }

  const deletions: string[] = []

  async function lookUp(shortUrl: string): Promise<ListLink | undefined> {
    const recorded = counts ? undefined : await createdLinks.find(workspace.id, shortUrl)
    if (recorded) return { ...recorded, shortlink_url: shortUrl, isUnchecked: true }
    const { search } = await linkService.capabilities(workspace)
    const { host = '', pathname = '' } = URL.parse(shortUrl) ?? {}
    const q = `${host}${pathname}`.replace(/\/$/, '')
    if (!search || q.length < SEARCH_LENGTH.min || q.length > SEARCH_LENGTH.max) return undefined
    const page = await linkService.list(workspace, { q, per_page: MATCHES }, { operation })
    const match = page.links.find((link) => isSameShortUrl(shortUrl, link.shortlink_url))
    if (!match && page.deletedAt !== undefined) deletions.push(deletedText(q, page.deletedAt))
    return match
  }

  const { domains } = await linkService.connection(workspace)
  const shortUrls = isUrl
    ? [url.href]
    : domains
        .slice(0, MAX_DOMAINS)
        .map(({ domain_name }) => `https://${domain_name}/${encodeURIComponent(urlOrBackHalf)}`)
  const links = await Promise.all(shortUrls.map(lookUp))
  const matches = new Map(links.flatMap((link) => (link ? [[link.name, link]] : [])))
  if (matches.size > 1) {
    const matchingUrls = [...matches.values()].map((link) => link.shortlink_url).join(', ')
    throw new SlackInputError(
      `${matches.size} short links have this back-half: ${matchingUrls}. Type one of them.`,
    )
  }
  if (matches.size === 0 && deletions.length > 0) throw new SlackInputError(deletions.join(' '))
  const isNamed = (link: ListedLink): boolean =>
    isUrl ? isSameShortUrl(url.href, link.shortlink_url) : backHalfOf(link) === urlOrBackHalf
  const [match] = matches.values()
  const link = match ?? (await searchNewest(linkService, workspace, isNamed, operation))
  if (link) return link
  const shown = isUrl ? readableUrl(url.href, MAX_SHOWN_URL) : cut(urlOrBackHalf, MAX_SHOWN_URL)
  throw new SlackInputError(
    `Backhalf can’t find ${shown} among this workspace’s short links. Check the spelling, or look at ${COMMAND} list.`,
  )
}

const MAX_SHOWN_URL = 200

/**
 * Finds the link whose menu the user has opened. If the service can't read a link by its name, or the menu has only a
 * hash of it, looks through the page of the list that has the menu, and then through the newest links.
 * @throws SlackInputError if the link can't be found
 */
export async function findChosenLink(
  platform: LinkPlatform,
  caller: Pick<Caller, 'workspace' | 'userId'>,
  { key, position }: Pick<MenuChoice, 'key' | 'position'>,
  operation: Operation,
): Promise<ReadLink<ReadLink['link'] & Pick<ListLink, 'isUnchecked'>>> {
  const { linkService } = platform
  const { workspace } = caller
  const { get: isOffered } = await linkService.capabilities(workspace)
  const get = (name: string) => linkService.get(workspace, name, { operation })
  if (isOffered && isWholeName(key)) return get(key)
  const options = { operation, details: false }
  const { links } = await fetchList(platform, caller, decodeListPosition(position), options)
  const isChosen = ({ name }: ListedLink): boolean => linkKey(name) === key
  // New links might have moved this link to a later page.
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
    const { links, hasNext } = await listNewest(list, page, PAGE_SIZE)
    const found = links.find(isWanted)
    if (found || !hasNext) return found
  }
  return undefined
}
