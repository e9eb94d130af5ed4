import { sql, type RawBuilder } from 'kysely'
import type { ServiceContext } from './context.ts'
import { countLinks } from './link-counts.ts'
import type { LinkState } from './link-state.ts'

/** The shortest text that can be searched for: the index holds groups of three characters. */
export const MIN_SEARCH_LENGTH = 3

/** At most this many matches are found, sorted and shown. Counting all matches of a common word takes seconds. */
export const MAX_MATCHES = 1_000

/** At most this many links that the index names are compared with what is looked for. */
const MAX_CANDIDATES = 10_000

/** At most this many groups of three characters are looked up. Each takes a few milliseconds. */
const MAX_TRIGRAMS = 8

/** Which links to find. A condition that is undefined excludes none. */
export interface LinkFilter {
  ownerId?: string | undefined
  domainIds?: readonly string[] | undefined
  state?: LinkState | 'deleted' | undefined
}

/** What to look for, and whether to begin with the newest or with the oldest links. */
export interface MatchQuery {
  /** Empty, or at least MIN_SEARCH_LENGTH characters. */
  text: string
  filter: LinkFilter
  first: 'newest' | 'oldest'
}

/** The ids of links, and whether there are, or may be, more of them. */
export interface Matches {
  ids: string[]
  hasMore: boolean
}

/** A match, or null if not all candidates were compared. */
interface MatchRow {
  id: string | null
}

/**
 * Finds the first MAX_MATCHES links that fit a filter and whose title, destination or short URL contains a text. Case
 * is ignored (on SQLite, only that of ASCII letters).
 *
 * An index names candidates, which are then compared. It knows a link's owner, domain record and state, and which
 * groups of three characters its texts contain. A search of an owner with at most MAX_CANDIDATES links compares all
 * of them. Any other search ends after MAX_CANDIDATES, and `hasMore` says so.
 */
export async function findMatches(context: ServiceContext, query: MatchQuery): Promise<Matches> {
  const text = withoutOrigin(query.text, context.addresses.origin)
  const rows = await findRows(context, { ...query, text })
  const ids = rows.flatMap(({ id }) => id ?? [])
  return {
    ids: ids.slice(0, MAX_MATCHES),
    hasMore: ids.length < rows.length || ids.length > MAX_MATCHES,
  }
}

async function findRows(context: ServiceContext, query: MatchQuery): Promise<readonly MatchRow[]> {
  const { longReads, kind, now } = context
  const { text, filter } = query
  // A short URL with a back-half of one character.
  if (text !== '' && isTooShort(text)) {
    const conditions = [
      ...fits(filter, now()),
      sql`hostname = ''`,
      sql`back_half = ${text.slice(1)}`,
    ]
    return (await sql<MatchRow>`select id from links where ${all(conditions)}`.execute(longReads))
      .rows
  }
  if (filter.state === 'deleted')
    return (await searchDeleted(context, query).execute(longReads)).rows
  const trigrams = (await ownsFew(context, filter)) ? [] : trigramsOf(text)
  const search = kind === 'sqlite' ? searchSqlite : searchPostgres
  return (await (await search(context, query, trigrams)).execute(longReads)).rows
}

/** Whether an owner has so few links that all of them can be compared. */
async function ownsFew({ longReads }: ServiceContext, filter: LinkFilter): Promise<boolean> {
  return filter.ownerId !== undefined && (await countLinks(longReads, filter)) <= MAX_CANDIDATES
}

/** Marks of the search index that no text contains (src/database/migrations/001-baseline.ts). */
const STATE_MARKS = { off: '\u{100001}'.repeat(3), expired: '\u{100002}'.repeat(3) }

/** FTS5 names the links that have the same marks and groups of three characters, in any place. */
async function searchSqlite(
  { longReads, now }: ServiceContext,
  { text, filter, first }: MatchQuery,
  trigrams: readonly string[],
): Promise<RawBuilder<MatchRow>> {
  const { ownerId, domainIds, state } = filter
  const names = [
    ...(ownerId === undefined ? [] : [`owner ${ownerId}`]),
    ...(domainIds ?? []).map((id) => `domain ${id}`),
  ]
  const { rows: marks } = await sql<{ name: string; mark: string }>`
    select name, mark from link_marks where name in (${sql.join(names)})`.execute(longReads)
  const quoted = (groups: readonly string[]) =>
    groups.map((group) => `"${group.replaceAll('"', '""')}"`)
  const marksOf = (kind: string) =>
    quoted(marks.flatMap(({ name, mark }) => (name.startsWith(kind) ? [mark] : [])))
  const [owners, domains] = [marksOf('owner '), marksOf('domain ')]
  // An owner or a domain record without a mark has no links.
  if ((ownerId !== undefined && !owners.length) || (domainIds && !domains.length)) return NONE
  const terms = [
    ...quoted(trigrams),
    ...owners,
    ...(domains.length > 0 ? [`(${domains.join(' OR ')})`] : []),
    ...(state === 'off' || state === 'expired' ? quoted([STATE_MARKS[state]]) : []),
  ]
  const matching = terms.length > 0 ? sql`where searched_links match ${terms.join(' AND ')}` : sql``
  return compare({
    candidates: sql`select id, rowid as number from searched_links ${matching} order by rowid ${DIRECTION[first]}`,
    from: sql`candidates cross join links on links.id = candidates.id`,
    id: sql`links.id`,
    conditions: [
      ...fits(filter, now()),
      sql`(${contains(sql`title`, text)} or ${contains(sql`destination_url`, text)} or ${contains(SHORT_URL, text)})`,
    ],
  })
}

/** PostgreSQL's index has a part for each block of links. It is read block by block, until there are enough candidates. */
async function searchPostgres(
  { now }: ServiceContext,
  { text, filter, first }: MatchQuery,
  trigrams: readonly string[],
): Promise<RawBuilder<MatchRow>> {
  const { ownerId, domainIds, state } = filter
  if (domainIds?.length === 0) return NONE
  const mark = (name: RawBuilder<unknown>) => sql`link_mark(block, ${name})`
  const anyDomain = (domainIds ?? []).map((id) => mark(sql`${`domain ${id}`}`))
  // PostgreSQL reads the index faster if all marks must be there than if any of some must.
  const isOneDomain = anyDomain.length === 1
  const marks = [
    ...(isOneDomain ? anyDomain : []),
    ...trigrams.map((group) => mark(sql`lower(${group}::text)`)),
    ...(ownerId === undefined ? [] : [mark(sql`${`owner ${ownerId}`}`)]),
    ...(state === 'off' ? [mark(sql`'state off'`)] : []),
    ...(state === 'expired' ? [mark(sql`'state expiring'`)] : []),
  ]
  const indexed = sql`link_marks(number, texts, owner_id, domain_id, enabled, expires_at)`
  const matching = [
    ...(marks.length > 0 ? [sql`${indexed} @> array[${sql.join(marks)}]`] : []),
    ...(anyDomain.length > 1 ? [sql`${indexed} && array[${sql.join(anyDomain)}]`] : []),
  ]
  const last = sql`(select max(number) >> 13 from searched_links)`
  const blocks = first === 'newest' ? sql`${last}, 0, -1` : sql`0, ${last}`
  const candidates =
    matching.length === 0
      ? sql`select * from searched_links order by number ${DIRECTION[first]}`
      : sql`select found.* from generate_series(${blocks}) as block cross join lateral (
          select * from searched_links where ${all(matching)}
          order by number ${DIRECTION[first]} limit ${MAX_CANDIDATES}
        ) as found`
  return compare({
    candidates,
    from: sql`candidates`,
    id: sql`link_id`,
    conditions: [...fits(filter, now()), sql`texts ilike ${pattern(text)}`],
  })
}

/** The index of deleted links names them. Of their texts, only the short URL is left. */
function searchDeleted(
  { now }: ServiceContext,
  { text, filter, first }: MatchQuery,
): RawBuilder<MatchRow> {
  return compare({
    candidates: sql`select *, id as number from links
      where deleted_at is not null and alias_of is null order by id ${DIRECTION[first]}`,
    from: sql`candidates`,
    id: sql`id`,
    conditions: [...fits(filter, now()), contains(sql`lower(${SHORT_URL})`, text.toLowerCase())],
  })
}

const DIRECTION = { newest: sql`desc`, oldest: sql`asc` }

export const SHORT_URL = sql`case when hostname = '' then '' else 'https://' || hostname end || '/' || back_half`

const NONE = sql<MatchRow>`select null as id where 1 = 0`

/**
 * Compares candidates in their order until there are enough matches, and adds a row of null if not all candidates
 * were compared. Both databases keep the order of a materialized table.
 */
function compare(
  search: Record<'candidates' | 'from' | 'id', RawBuilder<unknown>> & {
    conditions: RawBuilder<unknown>[]
  },
): RawBuilder<MatchRow> {
  return sql`
    with candidates as materialized (${search.candidates} limit ${MAX_CANDIDATES}),
    matches as materialized (
      select ${search.id} as id from ${search.from} where ${all(search.conditions)}
      limit ${MAX_MATCHES + 1}
    )
    select id from matches union all select null
    where (select count(*) from matches) <= ${MAX_MATCHES}
      and (select count(*) from candidates) = ${MAX_CANDIDATES}`
}

/** The conditions of a filter on a row with the columns of `links`. Unlike the marks of the index, they are exact. */
export function fits(
  { ownerId, domainIds, state }: LinkFilter,
  now: number,
): RawBuilder<unknown>[] {
  const isOver = sql`coalesce(expires_at <= ${now}, ${sql.lit(false)})`
  const states = {
    active: [sql`enabled = 1`, sql`not ${isOver}`],
    off: [sql`enabled = 0`, sql`not ${isOver}`],
    expired: [isOver],
    deleted: [sql`deleted_at is not null`, sql`alias_of is null`],
  }
  return [
    ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
    ...(domainIds === undefined
      ? []
      : [domainIds.length > 0 ? sql`domain_id in (${sql.join(domainIds)})` : sql`1 = 0`]),
    ...(state === undefined ? [] : states[state]),
  ]
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`1 = 1`
}

/** Groups of three characters of a text, evenly spread over it. */
function trigramsOf(text: string): string[] {
  const characters = Array.from(text)
  const last = characters.length - MIN_SEARCH_LENGTH
  const count = Math.min(last + 1, MAX_TRIGRAMS)
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const start = count === 1 ? 0 : Math.round((at * last) / (count - 1))
    return characters.slice(start, start + MIN_SEARCH_LENGTH).join('')
  })
}

/** Whether a text has fewer characters than the index can find. */
export function isTooShort(text: string): boolean {
  return Array.from(text).length < MIN_SEARCH_LENGTH
}

function contains(value: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  return sql`${value} like ${pattern(text)} escape '\\'`
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
