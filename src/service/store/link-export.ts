import { sql, type RawBuilder } from 'kysely'
import { containsText } from '../../database/dialects.ts'
import { SEARCH_TEXT } from './link-indexer.ts'
import { DESTINATION_STATUS } from './destination-problems.ts'
import type { ServiceContext } from './context.ts'
import { joinWithAnd, filterCondition, limitToReach, type LinkFilter } from './link-filter.ts'
import { idsOfShortUrl, withoutOrigin } from './link-matches.ts'
import type { FoundLink } from './link-list.ts'
import { type ShownReach, KEY_NAME } from './links.ts'

const LINKS_AT_ONCE = 500

interface ExportSearch {
  reach: ShownReach
  text: string
  filter: LinkFilter
}

type Place = Pick<FoundLink, 'created_at' | 'id'>

/**
 * Reads all links that match a search, oldest first, for exports and bulk actions. Each part compares a limited number
 * of links, so it can be small or empty. Links that are added meanwhile are left out.
 */
export async function* readAllLinks(context: ServiceContext, search: ExportSearch) {
  const walk = indexWalk(limitToReach(search.reach, search.filter))
  const newest = await findPlace(context, sql`where ${walk.all} order by ${walk.newestFirst}`)
  if (!newest) return
  let end: Place | undefined
  do {
    const rest: RawBuilder<unknown> = end ? sql`${walk.all} and ${walk.after(end)}` : walk.all
    // A query of its own finds the end of the part. With the upper bounds `newest` and `end` in one query, SQLite would
    // use only one of them for the lookup in the index, and read all rows up to it.
    const endOfPart = sql`where ${rest} and ${walk.until(newest)} order by ${walk.oldestFirst}`
    end = (await findPlace(context, endOfPart, LINKS_AT_ONCE - 1)) ?? newest
    yield await readPart(context, search, sql`${rest} and ${walk.until(end)}`, walk.oldestFirst)
  } while (end.id !== newest.id)
}

// SQL to walk through links in the order of an index: that of an owner's links by time, or that of all ids.
function indexWalk({ ownerId, state }: LinkFilter) {
  const isDeleted = state === 'deleted'
  const isByOwner = ownerId !== undefined && !isDeleted
  const columns = isByOwner ? sql`links.created_at, links.id` : sql`links.id`
  const position = (place: Place) =>
    isByOwner ? sql`${place.created_at}, ${place.id}` : sql`${place.id}`
  return {
    all: sql`${isDeleted ? sql`deleted_at is not null and alias_of is null` : sql`deleted_at is null`}
      ${isByOwner ? sql`and owner_id = ${ownerId}` : sql``}`,
    oldestFirst: columns,
    newestFirst: isByOwner ? sql`created_at desc, id desc` : sql`id desc`,
    after: (place: Place) => sql`(${columns}) > (${position(place)})`,
    until: (place: Place) => sql`(${columns}) <= (${position(place)})`,
  }
}

async function findPlace({ longReads }: ServiceContext, search: RawBuilder<unknown>, offset = 0) {
  const query = sql<Place>`select created_at, id from links ${search} limit 1 offset ${offset}`
  return (await query.execute(longReads)).rows[0]
}

// Reads the links of a part that match the search. Without `materialized`, SQLite would read all links with a tag for
// each part. Without `limit`, PostgreSQL would expect so many links that it compiles the statement, which takes 100 ms.
// The part is called `links`, because the conditions of a filter refer to that name.
async function readPart(
  { longReads, kind, addresses, now }: ServiceContext,
  { reach, text, filter }: ExportSearch,
  part: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<FoundLink[]> {
  const conditions = [filterCondition(limitToReach(reach, filter), now())]
  if (text !== '') {
    const wanted = withoutOrigin(text, addresses.origin)
    const contained = containsText(kind, SEARCH_TEXT[kind], wanted)
    const exactIds = idsOfShortUrl(wanted)
    conditions.push(exactIds ? sql`(${contained} or links.id in (${exactIds}))` : contained)
  }
  const { rows } = await sql<FoundLink>`
    with part as materialized (select * from links where ${part}
      order by ${order} limit ${LINKS_AT_ONCE})
    select links.*, owners.name as owner_name, ${KEY_NAME},
      ${DESTINATION_STATUS} as destination_status,
      coalesce((select people from click_totals where link_id = links.id), 0) as people
    from (select * from part as links where ${joinWithAnd(conditions)}) as links
    join owners on owners.id = links.owner_id
    order by ${order}`.execute(longReads)
  return rows
}
