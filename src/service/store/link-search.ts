import { sql, type RawBuilder } from 'kysely'
import type { ServiceContext } from './context.ts'
import { countLinks } from './link-counts.ts'
import type { LinkRow } from './links.ts'

export const LINK_SORTS = ['newest', 'oldest', 'clicks', 'title'] as const

export type LinkSort = (typeof LINK_SORTS)[number]

/** A link, with its owner and how many people clicked it. */
export type FoundLink = LinkRow & { owner_name: string; people: number }

/** The shortest text that can be searched for: the index holds groups of three characters. */
export const MIN_SEARCH_LENGTH = 3

/** At most this many matches are sorted and shown. Counting all matches of a common word takes seconds. */
export const MAX_MATCHES = 1_000

/** At most this many links from SQLite's index are compared with the text. */
const MAX_CANDIDATES = 10_000

/** At most this many groups of three characters are looked up on SQLite. Each takes a few milliseconds. */
const MAX_TRIGRAMS = 8

/** Links on a page. */
const PAGE_SIZE = 25

/** A page of links. */
export interface LinkPage {
  links: FoundLink[]
  /** At most MAX_MATCHES for a search. */
  total: number
  /** Whether there are, or may be, more matches than `total`. */
  hasMore: boolean
  page: number
  pages: number
}

type Search = { text: string; sort: LinkSort; page: number }

/**
 * Finds links of all owners whose title, destination or short URL contains a text. Case is ignored
 * (on SQLite, only that of ASCII letters). Of more than MAX_MATCHES, it finds the newest, or the oldest if these
 * come first. For a page past the end, it returns the last page.
 *
 * @param search.text empty, or at least MIN_SEARCH_LENGTH characters
 * @param search.page from 1
 */
export async function searchLinks(context: ServiceContext, search: Search): Promise<LinkPage> {
  const { longReads } = context
  const { text, sort } = search
  if (text === '') {
    const total = await countLinks(longReads, {})
    return {
      ...(await readPage(context, search, total, ALL_IN_ORDER[sort], FROM_END[sort])),
      hasMore: false,
    }
  }
  const { matches, total, hasMore } = await findMatches(context, text, sort)
  return { ...(await readPage(context, search, total, inOrder(matches, sort))), hasMore }
}

/** The ids of all links in order. Each is read from an index alone, however deep the page is. */
const ALL_IN_ORDER: Record<LinkSort, RawBuilder<unknown>> = {
  newest: sql`select id from links where deleted_at is null order by id desc`,
  oldest: sql`select id from links where deleted_at is null order by id`,
  clicks: sql`select link_id as id from click_totals order by people desc, link_id desc`,
  title: sql`select id from links where deleted_at is null order by substr(lower(coalesce(title, destination_url)), 1, 100), id`,
}

/** The same from the end, to which a page of the second half is nearer. */
const FROM_END: Record<LinkSort, RawBuilder<unknown>> = {
  newest: ALL_IN_ORDER.oldest,
  oldest: ALL_IN_ORDER.newest,
  clicks: sql`select link_id as id from click_totals order by people, link_id`,
  title: sql`select id from links where deleted_at is null order by substr(lower(coalesce(title, destination_url)), 1, 100) desc, id desc`,
}

const ORDERS: Record<LinkSort, RawBuilder<unknown>> = {
  newest: sql`links.id desc`,
  oldest: sql`links.id`,
  clicks: sql`click_totals.people desc, links.id desc`,
  title: sql`substr(lower(coalesce(links.title, links.destination_url)), 1, 100), links.id`,
}

function inOrder(matches: readonly string[], sort: LinkSort): RawBuilder<unknown> {
  return sql`select links.id from links join click_totals on click_totals.link_id = links.id
    where links.id in (${sql.join(matches)}) order by ${ORDERS[sort]}`
}

/**
 * Reads a page in two steps: first its ids, and then their rows. SQLite joins `cross join` in the order in which it is
 * written. Otherwise it reads all links in the order of the page.
 */
async function readPage(
  { longReads }: ServiceContext,
  { page: wanted, sort }: Search,
  total: number,
  ids: RawBuilder<unknown>,
  idsFromEnd?: RawBuilder<unknown>,
): Promise<Omit<LinkPage, 'hasMore'>> {
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  const page = Math.min(wanted, pages)
  if (total === 0) return { links: [], total, page, pages }
  const before = (page - 1) * PAGE_SIZE
  const limit = Math.min(PAGE_SIZE, total - before)
  const after = total - before - limit
  const [nearest, offset] = idsFromEnd && after < before ? [idsFromEnd, after] : [ids, before]
  const { rows: links } = await sql<FoundLink>`
    select links.*, owners.name as owner_name, click_totals.people
    from (${nearest} limit ${limit} offset ${offset}) as page
    cross join links cross join owners cross join click_totals
    where links.id = page.id and links.deleted_at is null and owners.id = links.owner_id and click_totals.link_id = links.id
    order by ${ORDERS[sort]}`.execute(longReads)
  return { links, total, page, pages }
}

/** Looks up which links contain a text. */
async function findMatches(
  { kind, longReads, addresses }: ServiceContext,
  search: string,
  sort: LinkSort,
): Promise<{ matches: string[]; total: number; hasMore: boolean }> {
  const direction = sort === 'oldest' ? sql`` : sql`desc`
  const text = withoutOrigin(search, addresses.origin)
  // A short URL with a back-half of one character.
  const query = isTooShort(text)
    ? sql<Match>`select id from links where deleted_at is null and hostname = '' and back_half = ${text.slice(1)}`
    : kind === 'sqlite'
      ? searchSqlite(text, direction)
      : searchPostgres(text, direction)
  const { rows } = await query.execute(longReads)
  const matches = rows.flatMap(({ id }) => id ?? [])
  const total = Math.min(matches.length, MAX_MATCHES)
  const hasMore = matches.length > MAX_MATCHES || rows.some(({ id }) => id === null)
  return { matches: matches.slice(0, MAX_MATCHES), total, hasMore }
}

/** A row of a search: a match, or null if not all candidates were compared. */
interface Match {
  id: string | null
}

/**
 * FTS5 names the links that contain the same groups of three characters, in any place. Then their texts are
 * compared, since the groups may be apart.
 */
function searchSqlite(text: string, direction: RawBuilder<unknown>): RawBuilder<Match> {
  const contains = (value: RawBuilder<unknown>) => sql`${value} like ${pattern(text)} escape '\\'`
  return sql`
    with candidates as materialized (
      select id, rowid as number from link_texts where link_texts match ${trigrams(text)}
      order by rowid ${direction} limit ${MAX_CANDIDATES}
    )
    select * from (
      select links.id from candidates cross join links on links.id = candidates.id
      where ${contains(sql`links.title`)} or ${contains(sql`links.destination_url`)} or
        ${contains(sql`case when links.hostname = '' then '' else 'https://' || links.hostname end || '/' || links.back_half`)}
      order by candidates.number ${direction} limit ${MAX_MATCHES + 1}
    )
    union all select null where (select count(*) from candidates) = ${MAX_CANDIDATES}`
}

/** PostgreSQL reads the newest links if the text is common, and its trigram index if it is rare. */
function searchPostgres(text: string, direction: RawBuilder<unknown>): RawBuilder<Match> {
  return sql`
    select id from links
    where deleted_at is null and link_text(title, destination_url, hostname, back_half) ilike ${pattern(text)}
    order by id ${direction} limit ${MAX_MATCHES + 1}`
}

/** An FTS5 query for groups of three characters of a text, evenly spread over it. */
function trigrams(text: string): string {
  const characters = Array.from(text)
  const last = characters.length - MIN_SEARCH_LENGTH
  const count = Math.min(last + 1, MAX_TRIGRAMS)
  const groups = Array.from({ length: count }, (_, at) => {
    const start = count === 1 ? 0 : Math.round((at * last) / (count - 1))
    return characters.slice(start, start + MIN_SEARCH_LENGTH).join('')
  })
  return groups.map((group) => `"${group.replaceAll('"', '""')}"`).join(' AND ')
}

/** Whether a text has fewer characters than the index can find. */
export function isTooShort(text: string): boolean {
  return Array.from(text).length < MIN_SEARCH_LENGTH
}

/** A pattern for LIKE. */
export function pattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** Removes the start of the short URLs on the built-in record, whose hostname is not stored. */
export function withoutOrigin(text: string, origin: string): string {
  const { host } = new URL(origin)
  const start = [origin, host].find((prefix) =>
    text.toLowerCase().startsWith(`${prefix.toLowerCase()}/`),
  )
  return start === undefined ? text : text.slice(start.length)
}
