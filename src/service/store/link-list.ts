import { sql, type RawBuilder } from 'kysely'
import type { DestinationStatus } from '../../contract/extension-calls.ts'
import type { ListQuery } from '../../contract/list-query.ts'
import type { Db } from '../../database/schema.ts'
import type { ServiceContext } from './context.ts'
import { DESTINATION_STATUS } from './destination-problems.ts'
import { countLinks } from './link-counts.ts'
import { all, fits, inDomains, type LinkFilter } from './link-filter.ts'
import type { LinkRow } from './links.ts'
import { KEY_NAME, type NamedCreator } from './creators.ts'

export type ListedRow = LinkRow &
  NamedCreator & { people: number; destination_status: DestinationStatus | null }

export type FoundLink = ListedRow & { owner_name: string }

interface ListPage extends Pick<ListQuery, 'page' | 'per_page' | 'order'> {
  sort_by: ListQuery['sort_by'] | 'title'
}

interface Listed {
  filter: LinkFilter
  matches: readonly string[] | undefined
  fitting: RawBuilder<unknown> | undefined
  readsAllTitles: boolean | undefined
}

/**
 * If more links fit a filter, all links are read in the order of their titles until the page is full. No index has an
 * owner's titles, and sorting so many takes longer.
 */
const MAX_SORTED_TITLES = 20_000

const MAX_PARTLY_SORTED = 10_000

/**
 * Reads a page of the links that fit a filter, and counts them. The ids of the page are found first, because an index
 * has all that is needed for it (`isInIndex`); then their rows are read. @param matches only these links, which fit the
 * filter
 */
export async function selectLinks(
  { longReads, kind, now }: Pick<ServiceContext, 'longReads' | 'kind' | 'now'>,
  { page, per_page: perPage, sort_by: sortBy, order }: ListPage,
  filter: LinkFilter,
  matches?: readonly string[],
): Promise<{ rows: FoundLink[]; total: number }> {
  const { tags, expiresBefore, personId, state } = filter
  const isFiltered =
    !matches && ((tags ?? expiresBefore ?? personId) !== undefined || state === 'dead')
  const fitting = isFiltered ? sql`links where ${all(fits(filter, now()))}` : undefined
  const total =
    matches?.length ??
    (fitting ? await countRows(longReads, fitting) : await countLinks(longReads, filter))
  const before = (page - 1) * perPage
  if (before >= total) return { rows: [], total }
  const by = sortBy === 'most_recent' ? 'created_at' : sortBy
  const direction = order === 'asc' ? ASCENDING : DESCENDING
  const readsAllTitles =
    fitting && state !== 'deleted' && by === 'title' && total > MAX_SORTED_TITLES
  const ordered = orderedIds(kind, by, direction, { filter, matches, fitting, readsAllTitles })
  // SQLite sorts only the rows up to the page. If the page is far from the start, sorting all rows takes less time.
  const sorted = kind === 'sqlite' && fitting && !readsAllTitles && before > MAX_PARTLY_SORTED
  const ids = sorted ? sql`with sorted as materialized (${ordered}) select id from sorted` : ordered
  // SQLite joins tables of a `cross join` in the order in which they are written.
  const { rows } = await sql<FoundLink>`
    select links.*, owners.name as owner_name, ${KEY_NAME}, ${PEOPLE},
      ${DESTINATION_STATUS} as destination_status
    from (${ids} limit ${perPage} offset ${before}) as page
    cross join links cross join owners left join click_totals on click_totals.link_id = links.id
    where links.id = page.id and owners.id = links.owner_id
      and links.deleted_at ${state === 'deleted' ? sql`is not null` : sql`is null`}
    ${orderBy(by, direction)}`.execute(longReads)
  return { rows, total }
}

/** True if an index has these links in this order. Otherwise, a search finds them (link-matches.ts). */
export function isInIndex(
  sortBy: ListPage['sort_by'],
  { ownerId, domainIds, tags, state }: LinkFilter,
): boolean {
  if (tags) return true
  if (state !== undefined) return false
  if (ownerId === undefined && domainIds === undefined) return true
  return sortBy !== 'title' && (sortBy !== 'clicks' || ownerId !== undefined)
}

type SortColumn = Exclude<ListPage['sort_by'], 'most_recent'>

const ASCENDING = sql`asc`
const DESCENDING = sql`desc`

const PEOPLE = sql`coalesce(click_totals.people, 0) as people`

const TITLE = sql`substr(lower(coalesce(title, destination_url)), 1, 100)`

const COLUMNS = {
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  clicks: sql`people`,
  title: TITLE,
}

const orderBy = (by: SortColumn, direction: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`order by ${COLUMNS[by]} ${direction}, links.id ${direction}`

function orderedIds(
  kind: ServiceContext['kind'],
  by: SortColumn,
  direction: RawBuilder<unknown>,
  { filter: { ownerId, domainIds }, matches, fitting, readsAllTitles }: Listed,
): RawBuilder<unknown> {
  if (by === 'title' && (readsAllTitles ?? !matches)) {
    // PostgreSQL never reads an expression from an index alone, so it has a column.
    const title = kind === 'sqlite' ? TITLE : sql`sort_title`
    const key = sql.ref(kind === 'sqlite' ? 'rowid' : 'id')
    const isWanted = readsAllTitles
      ? sql`and (${key} in (select ${key} from ${fitting})) is true`
      : sql``
    return sql`select id from links where deleted_at is null ${isWanted}
      order by ${title} ${direction}, id ${direction}`
  }
  const some = matches ? sql.join(matches) : fitting && sql`select id from ${fitting}`
  // SQLite looks up the clicks of many links sooner than the links of many clicks.
  const isIndexed =
    by === 'clicks'
      ? !matches && ownerId !== undefined && !(fitting && kind === 'sqlite')
      : by !== 'title'
  if (some && !isIndexed) {
    const wanted = fitting ?? sql`links where id in (${some})`
    return sql`select links.id, ${PEOPLE} from (select * from ${wanted}) as links
      left join click_totals on click_totals.link_id = links.id ${orderBy(by, direction)}`
  }
  // The indexes of an owner's links hold the domain record as well.
  const within = [
    ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
    ...inDomains(domainIds, ownerId !== undefined),
  ]
  if (by === 'clicks') {
    // `is true` keeps PostgreSQL from looking up each id.
    if (some) within.push(sql`(link_id in (${some})) is true`)
    const where = within.length > 0 ? sql`where ${all(within)}` : sql``
    return sql`select link_id as id from click_totals ${where}
      order by people ${direction}, link_id ${direction}`
  }
  // `+ 0` keeps SQLite from reading all of the owner's links in their order for those that fit.
  const time = some ? sql`${COLUMNS[by]} + 0` : COLUMNS[by]
  const source = matches
    ? sql`links where id in (${some})`
    : (fitting ?? sql`links where ${all([sql`deleted_at is null`, ...within])}`)
  // Without an owner, there is only an index by id.
  const first = some || ownerId !== undefined ? sql`${time} ${direction},` : sql``
  return sql`select id from ${source} order by ${first} id ${direction}`
}

async function countRows(db: Db, from: RawBuilder<unknown>): Promise<number> {
  const counted = sql<{ total: number }>`select count(*) as total from ${from}`
  return (await counted.execute(db)).rows[0]?.total ?? 0
}
