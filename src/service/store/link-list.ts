import { sql, type RawBuilder } from 'kysely'
import type { DestinationStatus } from '../../contract/extension-calls.ts'
import type { ListQuery } from '../../contract/list-query.ts'
import type { Db } from '../../database/schema.ts'
import type { ServiceContext } from './context.ts'
import { DESTINATION_STATUS } from './destination-problems.ts'
import {
  countLinks,
  joinWithAnd,
  filterCondition,
  domainCondition,
  type LinkFilter,
} from './link-filter.ts'
import { type LinkRow, KEY_NAME, type NamedCreator } from './links.ts'

export type ListedRow = LinkRow &
  NamedCreator & { people: number; destination_status: DestinationStatus | null }

export type FoundLink = ListedRow & { owner_name: string }

interface ListPage extends Pick<ListQuery, 'page' | 'per_page' | 'order'> {
  sort_by: ListQuery['sort_by'] | 'title'
}

// The links to sort: those with the ids in `matches`, the `filtered` ones (SQL after `from`), or those of an index.
interface Selection {
  filter: LinkFilter
  matches: readonly string[] | undefined
  filtered: RawBuilder<unknown> | undefined
  walksTitles: boolean
}

// If more links match a filter, they aren't sorted. Instead, all links are read in the order of their titles until the
// page is full, which takes less time. No index has an owner's links in the order of their titles.
const MAX_SORTED_TITLES = 20_000

const MAX_PARTLY_SORTED = 10_000

/**
 * Reads a page of the links that match a filter, and counts them. The ids of the page are read first, because an index
 * alone is enough for this (`isInIndex`). Then, the rows of these links are read.
 * @param matches the ids that a search has found for the filter; undefined without a search
 */
export async function selectLinks(
  { longReads, kind, now }: Pick<ServiceContext, 'longReads' | 'kind' | 'now'>,
  { page, per_page: perPage, sort_by: sortBy, order }: ListPage,
  filter: LinkFilter,
  matches?: readonly string[],
): Promise<{ rows: FoundLink[]; total: number }> {
  const { tags, expiresBefore, personId, state } = filter
  const needsFilter = (tags ?? expiresBefore ?? personId) !== undefined || state === 'dead'
  const filtered =
    needsFilter && !matches ? sql`links where ${filterCondition(filter, now())}` : undefined
  const total =
    matches?.length ??
    (filtered ? await countRows(longReads, filtered) : await countLinks(longReads, filter))
  const offset = (page - 1) * perPage
  if (offset >= total) return { rows: [], total }
  const column = sortBy === 'most_recent' ? 'created_at' : sortBy
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const walksTitles =
    column === 'title' &&
    !matches &&
    (!filtered || (state !== 'deleted' && total > MAX_SORTED_TITLES))
  const ordered = orderedIds(kind, column, direction, { filter, matches, filtered, walksTitles })
  // SQLite sorts only the rows up to the page. If the page is far from the start, sorting all rows takes less time.
  const sortsAll = kind === 'sqlite' && filtered && !walksTitles && offset > MAX_PARTLY_SORTED
  const ids = sortsAll
    ? sql`with sorted as materialized (${ordered}) select id from sorted`
    : ordered
  // SQLite joins tables of a `cross join` in the order in which they are written.
  const { rows } = await sql<FoundLink>`
    select links.*, owners.name as owner_name, ${KEY_NAME}, ${PEOPLE},
      ${DESTINATION_STATUS} as destination_status
    from (${ids} limit ${perPage} offset ${offset}) as page
    cross join links cross join owners left join click_totals on click_totals.link_id = links.id
    where links.id = page.id and owners.id = links.owner_id
      and links.deleted_at ${state === 'deleted' ? sql`is not null` : sql`is null`}
    ${orderBy(column, direction)}`.execute(longReads)
  return { rows, total }
}

/** Returns true if an index has the filter's links in this order. Otherwise, a search finds them (link-matches.ts). */
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

const PEOPLE = sql`coalesce(click_totals.people, 0) as people`

const TITLE = sql`substr(lower(coalesce(title, destination_url)), 1, 100)`

const COLUMNS = {
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  clicks: sql`people`,
  title: TITLE,
}

const orderBy = (column: SortColumn, direction: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`order by ${COLUMNS[column]} ${direction}, links.id ${direction}`

// Builds SQL for the ids of a selection in an order. Its parts keep each database from choosing a slower plan.
function orderedIds(
  kind: ServiceContext['kind'],
  column: SortColumn,
  direction: RawBuilder<unknown>,
  { filter: { ownerId, domainIds }, matches, filtered, walksTitles }: Selection,
): RawBuilder<unknown> {
  if (walksTitles) {
    // PostgreSQL never reads an expression from an index alone, so it has a column.
    const title = kind === 'sqlite' ? TITLE : sql`sort_title`
    const key = sql.ref(kind === 'sqlite' ? 'rowid' : 'id')
    const isFiltered = filtered
      ? sql`and (${key} in (select ${key} from ${filtered})) is true`
      : sql``
    return sql`select id from links where deleted_at is null ${isFiltered}
      order by ${title} ${direction}, id ${direction}`
  }
  const selectedIds = matches ? sql.join(matches) : filtered && sql`select id from ${filtered}`
  // SQLite looks up the clicks of many links sooner than the links of many clicks.
  const isIndexed =
    column === 'clicks'
      ? !matches && ownerId !== undefined && !(filtered && kind === 'sqlite')
      : column !== 'title'
  if (selectedIds && !isIndexed) {
    const selected = filtered ?? sql`links where id in (${selectedIds})`
    return sql`select links.id, ${PEOPLE} from (select * from ${selected}) as links
      left join click_totals on click_totals.link_id = links.id ${orderBy(column, direction)}`
  }
  // The indexes of an owner's links contain the domain record as well.
  const conditions = [domainCondition(domainIds, { avoidsIndex: ownerId !== undefined })]
  if (ownerId !== undefined) conditions.push(sql`owner_id = ${ownerId}`)
  if (column === 'clicks') {
    // `is true` keeps PostgreSQL from looking up each id.
    if (selectedIds) conditions.push(sql`(link_id in (${selectedIds})) is true`)
    return sql`select link_id as id from click_totals where ${joinWithAnd(conditions)}
      order by people ${direction}, link_id ${direction}`
  }
  conditions.push(sql`deleted_at is null`)
  const all = filtered ?? sql`links where ${joinWithAnd(conditions)}`
  const source = matches ? sql`links where id in (${selectedIds})` : all
  // `+ 0` keeps SQLite from reading all of the owner's links in their order to find the selected ones.
  const time = selectedIds ? sql`${COLUMNS[column]} + 0` : COLUMNS[column]
  // Without an owner, there is only an index by id.
  const byTime = selectedIds || ownerId !== undefined ? sql`${time} ${direction},` : sql``
  return sql`select id from ${source} order by ${byTime} id ${direction}`
}

async function countRows(db: Db, from: RawBuilder<unknown>): Promise<number> {
  const counted = sql<{ total: number }>`select count(*) as total from ${from}`
  return (await counted.execute(db)).rows[0]?.total ?? 0
}
