import { sql } from 'kysely'
import { containsText } from '../../database/dialects.ts'
import { SEARCH_TEXT } from './link-indexer.ts'
import { DESTINATION_STATUS } from './destination-problems.ts'
import type { ServiceContext } from './context.ts'
import { fits, within, type LinkFilter } from './link-filter.ts'
import { movedFrom, withoutOrigin } from './link-matches.ts'
import type { FoundLink } from './link-list.ts'
import type { ShownReach } from './links.ts'
import { KEY_NAME } from './makers.ts'

/** How many links are read at once: few enough that other work gets a turn, and memory stays small. */
const LINKS_AT_ONCE = 500

/** Which links to read. An empty text excludes none. */
export interface ExportSearch {
  reach: ShownReach
  /** What the title, the destination or the short URL contains. Case is ignored as in searches. */
  text: string
  filter: LinkFilter
}

/**
 * Reads all links that fit a filter, oldest first, in parts. Each part compares a limited number of links,
 * even if few of them fit. Links that are added meanwhile are left out.
 */
export async function* readAllLinks(
  context: ServiceContext,
  search: ExportSearch,
): AsyncGenerator<FoundLink[], void> {
  const { longReads } = context
  const { newest } = await longReads
    .selectFrom('links')
    .select((select) => select.fn.max<string | null>('id').as('newest'))
    .executeTakeFirstOrThrow()
  for (let after = ''; newest !== null && after < newest;) {
    const end = await endOfPart(context, after, newest)
    yield await readPart(context, search, after, end)
    after = end
  }
}

/** The id of the last link of a part: there may be fewer links than fit in one. */
async function endOfPart(
  { longReads }: ServiceContext,
  after: string,
  newest: string,
): Promise<string> {
  const row = await longReads
    .selectFrom('links')
    .select('id')
    .where('id', '>', after)
    .where('id', '<=', newest)
    .orderBy('id')
    .limit(1)
    .offset(LINKS_AT_ONCE - 1)
    .executeTakeFirst()
  return row?.id ?? newest
}

async function readPart(
  { longReads, kind, addresses, now }: ServiceContext,
  { reach, text, filter }: ExportSearch,
  after: string,
  end: string,
): Promise<FoundLink[]> {
  const wanted = withoutOrigin(text, addresses.origin)
  const [contained, moved] = [containsText(kind, SEARCH_TEXT[kind], wanted), movedFrom(wanted)]
  const conditions = [
    sql`links.id > ${after}`,
    sql`links.id <= ${end}`,
    ...fits(within(reach, filter), now()),
    ...(text === '' ? [] : [moved ? sql`(${contained} or links.id in (${moved}))` : contained]),
  ]
  const { rows } = await sql<FoundLink>`
    select links.*, owners.name as owner_name, ${KEY_NAME},
      ${DESTINATION_STATUS} as destination_status,
      coalesce((select people from click_totals where link_id = links.id), 0) as people
    from (select * from links where ${sql.join(conditions, sql` and `)}) as links
    join owners on owners.id = links.owner_id
    order by links.id`.execute(longReads)
  return rows
}
