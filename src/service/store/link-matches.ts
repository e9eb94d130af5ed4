import { sql, type RawBuilder } from 'kysely'
import { containsText } from '../../database/dialects.ts'
import { ownerMark, SEARCH_TEXT } from './link-indexer.ts'
import { isBackHalf } from './back-half.ts'
import type { ServiceContext } from './context.ts'
import {
  joinWithAnd,
  filterCondition,
  hasTags,
  domainCondition,
  IS_DEAD,
  type LinkFilter,
} from './link-filter.ts'

/** The shortest text that can be searched for, because the index contains groups of three characters. */
export const MIN_SEARCH_LENGTH = 3

/** At most this many matches are found, sorted and shown. Counting all matches of a common word takes seconds. */
export const MAX_MATCHES = 1_000

// At most this many of the newest links are compared with the text, and as many of those in the search index.
const MAX_CANDIDATES = 10_000

// At most this many groups of a text are looked up. Each costs time, on PostgreSQL even for each candidate.
const MAX_GROUPS = { sqlite: 8, postgres: 4 }

interface MatchQuery {
  /** Empty, or at least MIN_SEARCH_LENGTH characters. */
  text: string
  filter: LinkFilter
  first: 'newest' | 'oldest'
  /** The search can stop after this many matches: those up to the page after the requested one. */
  enough?: number | undefined
  compared?: number
}

/**
 * Finds links whose title, destination or short URL contains a text, or that have or had it as their short URL or
 * back-half. Case is ignored (on SQLite, only that of ASCII letters).
 *
 * The newest links are compared first, because enough of them contain a common word. If too few match, the search index
 * returns other candidates. `hasMore` is true if some matches might be missing.
 */
export async function findMatches(context: ServiceContext, query: MatchQuery) {
  const { kind, addresses } = context
  const { filter, first, enough = MAX_MATCHES, compared = MAX_CANDIDATES } = query
  const text = withoutOrigin(query.text, addresses.origin)
  const found = new Set<string>()
  const exactIds = idsOfShortUrl(text)
  if (exactIds) {
    const candidates = sql`select ${CANDIDATE_COLUMNS[kind]} from links where id in (${exactIds})`
    const source = { candidates, max: MAX_CANDIDATES }
    const { ids } = await compare(context, source, { text: '', filter })
    for (const id of ids) found.add(id)
  }
  let hasMore = false
  for (const source of candidateSources(kind, { text, filter, first, compared })) {
    const { ids, isComplete } = await compare(context, source, { text, filter })
    for (const id of ids) found.add(id)
    hasMore = !isComplete
    if (isComplete || found.size >= enough) break
  }
  const ids = [...found].sort()
  if (first === 'newest') ids.reverse()
  return { ids: ids.slice(0, MAX_MATCHES), hasMore: hasMore || ids.length > MAX_MATCHES }
}

/** @returns SQL for the ids of links that have or had this short URL or back-half; undefined if the text can't be one */
export function idsOfShortUrl(text: string): RawBuilder<unknown> | undefined {
  const { host, backHalf = '' } =
    /^(?:(?:https?:\/\/)?(?<host>[^/]+)?\/)?(?<backHalf>[^/]+)$/i.exec(text)?.groups ?? {}
  if (!isBackHalf(backHalf)) return undefined
  const hosts =
    host === undefined ? sql`select domain_name from domains` : sql`${host.toLowerCase()}`
  return sql`select coalesce(alias_of, id) from links
    where hostname in (${hosts}) and back_half = ${backHalf}`
}

const FILTER_COLUMNS =
  'id, owner_id, domain_id, person_id, tags, enabled, expires_at, deleted_at, alias_of, destination_hash'

const CANDIDATE_COLUMNS = {
  sqlite: sql.raw(`${FILTER_COLUMNS}, hostname, back_half, destination_url, title`),
  postgres: sql.raw(`${FILTER_COLUMNS}, search_text`),
}

// SQL that is true while an upgrade of PostgreSQL still builds the columns or the index for searches.
const IS_BEING_BUILT = sql`exists (
  select 1 from backfills where name in ('search_columns', 'links_search'))`

const DIRECTION = { newest: sql`desc`, oldest: sql`asc` }

type Wanted = Required<Omit<MatchQuery, 'enough'>>

// SQL for links that might match. If there are `max` of them, there might be more.
interface Source {
  candidates: RawBuilder<unknown>
  max: number
}

function candidateSources(kind: ServiceContext['kind'], wanted: Wanted): Source[] {
  const { text, filter } = wanted
  // A shorter text is a short URL on the built-in record without its origin, such as “/a”, and is already found.
  if (filter.domainIds?.length === 0 || (text !== '' && isTooShort(text))) return []
  const inOrder = { candidates: linksInOrder(kind, wanted), max: wanted.compared }
  // Each state but `active` has an index of its own, so the search index isn't needed.
  const { state = 'active' } = filter
  if (text === '' || state !== 'active') return [inOrder]
  const indexed = kind === 'sqlite' ? linksInSqliteIndex(wanted) : linksInPostgresIndex(wanted)
  return indexed ? [inOrder, { candidates: indexed, max: MAX_CANDIDATES }] : [inOrder]
}

// SQL for the newest or oldest links, in the order of an index. `+ 0` keeps SQLite from using another index.
function linksInOrder(
  kind: ServiceContext['kind'],
  { filter: { ownerId, domainIds, tags, state, personId }, first, compared }: Wanted,
): RawBuilder<unknown> {
  const direction = DIRECTION[first]
  const inOrder = (conditions: RawBuilder<unknown>[], time = sql``) =>
    sql`select ${CANDIDATE_COLUMNS[kind]} from links where ${joinWithAnd(conditions)}
      order by ${time} id ${direction} limit ${compared}`
  if (state === 'deleted') return inOrder([sql`deleted_at is not null`, sql`alias_of is null`])
  const isCurrent = sql`deleted_at is null`
  if (state === 'dead') return inOrder([isCurrent, IS_DEAD])
  if (state === 'off') return inOrder([isCurrent, sql`enabled = 0`])
  if (state === 'expired') return inOrder([isCurrent, sql`expires_at is not null`])
  const avoidsIndex = kind === 'sqlite' && (ownerId ?? tags) !== undefined
  const onDomains = domainCondition(domainIds, { avoidsIndex })
  if (tags !== undefined) {
    const owner = ownerId === undefined ? sql`select owner_id from tag_sets` : sql`${ownerId}`
    const tagged = [isCurrent, sql`owner_id in (${owner})`, onDomains, hasTags(tags, ownerId)]
    // The ids are read from an index alone, because many more links than are compared might have the tags.
    const ids = sql`select id from links where ${joinWithAnd(tagged)}
      order by created_at + 0 ${direction}, id ${direction} limit ${compared}`
    return sql`select ${CANDIDATE_COLUMNS[kind]} from links where id in (${ids}) order by id ${direction}`
  }
  if (ownerId === undefined) return inOrder([isCurrent, onDomains])
  const created = personId === undefined ? [] : [sql`person_id = ${personId}`]
  const conditions = [isCurrent, sql`owner_id = ${ownerId}`, ...created, onDomains]
  return inOrder(conditions, sql`created_at ${direction},`)
}

// SQL for links that contain all groups of the text, in any order. FTS5 finds those of the owner by the owner's mark.
// Links that the index doesn't have yet are candidates, too.
function linksInSqliteIndex({ text, filter: { ownerId }, first }: Wanted): RawBuilder<unknown> {
  const groups = trigrams(text, MAX_GROUPS.sqlite)
  const terms = [...groups, ...(ownerId === undefined ? [] : [ownerMark(ownerId)])]
  const match = terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' AND ')
  const end = sql`order by number ${DIRECTION[first]} limit ${MAX_CANDIDATES}`
  return sql`select ${CANDIDATE_COLUMNS.sqlite} from (
      select number from (
        select rowid as number from search_index where search_index match ${match}
        order by rowid ${DIRECTION[first]} limit ${MAX_CANDIDATES}
      )
      union select number from (select number from search_changes ${end})
      union select number from (
        select rowid as number from links where rowid > (select number from search_progress) ${end}
      )
      order by number ${DIRECTION[first]}
    ) as named left join links on links.rowid = named.number`
}

// SQL for links that contain all groups of the text. With a condition for each group, few other links are read.
function linksInPostgresIndex({ text, filter }: Wanted): RawBuilder<unknown> | undefined {
  const { ownerId } = filter
  const groups = trigrams(text, MAX_GROUPS.postgres, /^[\p{L}\p{N}]+$/u)
  if (groups.length === 0) return undefined
  const conditions = [
    sql`not ${IS_BEING_BUILT}`,
    sql`deleted_at is null`,
    ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
    ...groups.map((group) => sql`search_text like lower(${`%${group}%`})`),
  ]
  return sql`select * from (
    select ${CANDIDATE_COLUMNS.postgres} from links where ${joinWithAnd(conditions)} limit ${MAX_CANDIDATES}
  ) as named order by id desc`
}

// Compares candidates with the text and the filter until MAX_MATCHES match. Both databases keep the order of the rows
// of a `materialized` subquery. The statement returns a further row, with null, if the source might have more matches.
async function compare(
  { longReads, kind, now }: ServiceContext,
  { candidates, max }: Source,
  { text, filter }: Pick<Wanted, 'text' | 'filter'>,
): Promise<{ ids: string[]; isComplete: boolean }> {
  const conditions = [filterCondition(filter, now())]
  if (text !== '') conditions.push(containsText(kind, SEARCH_TEXT[kind], text))
  const { rows } = await sql<{ id: string | null }>`
    with candidates as materialized (${candidates}),
    matches as materialized (
      select id from candidates where ${joinWithAnd(conditions)} limit ${MAX_MATCHES + 1}
    )
    select id from matches union all select null
    where (select count(*) from candidates) >= ${max} or ${IS_BEING_BUILT}`.execute(longReads)
  const ids = rows.flatMap(({ id }) => id ?? [])
  return { ids, isComplete: ids.length === rows.length && ids.length <= MAX_MATCHES }
}

// Chooses up to `max` groups of three characters, spread over the text: “example”, at most 2 → “exa”, “ple”.
function trigrams(text: string, max: number, isIndexed = /./su): string[] {
  const characters = Array.from(text)
  const groups = characters
    .slice(MIN_SEARCH_LENGTH - 1)
    .map((_, start) => characters.slice(start, start + MIN_SEARCH_LENGTH).join(''))
    .filter((group) => isIndexed.test(group))
  const count = Math.min(groups.length, max)
  const step = (groups.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, index) => groups[Math.round(index * step)] ?? '')
}

export function isTooShort(text: string): boolean {
  return Array.from(text).length < MIN_SEARCH_LENGTH
}

/** Cuts `https://go.example.com/a` to `/a` if this is the service's origin, which isn't stored with its links. */
export function withoutOrigin(text: string, origin: string): string {
  const { host } = new URL(origin)
  const start = [origin, host].find((prefix) =>
    text.toLowerCase().startsWith(`${prefix.toLowerCase()}/`),
  )
  return start === undefined ? text : text.slice(start.length)
}
