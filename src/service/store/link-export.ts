import { sql } from 'kysely'
import type { ServiceContext } from './context.ts'
import { pattern, withoutOrigin } from './link-matches.ts'
import type { FoundLink } from './link-search.ts'

/** How many links are read at once: few enough that other work gets a turn, and memory stays small. */
const LINKS_AT_ONCE = 500

/** Which links to read. An empty text, or an undefined condition, excludes none. */
export interface ExportFilter {
  /** What the title, the destination or the short URL contains. Case is ignored as in searches. */
  text: string
}

/**
 * Reads all links that fit a filter, oldest first, in parts. Each part compares a limited number of links, however
 * few of them fit. Links that are added meanwhile are left out.
 */
export async function* readAllLinks(
  context: ServiceContext,
  filter: ExportFilter,
): AsyncGenerator<FoundLink[], void> {
  const { longReads } = context
  const { newest } = await longReads
    .selectFrom('links')
    .select((select) => select.fn.max<string | null>('id').as('newest'))
    .executeTakeFirstOrThrow()
  for (let after = ''; newest !== null && after < newest;) {
    const end = await endOfPart(context, after, newest)
    yield await readPart(context, filter, after, end)
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
  { longReads, kind, addresses }: ServiceContext,
  { text }: ExportFilter,
  after: string,
  end: string,
): Promise<FoundLink[]> {
  const like = kind === 'sqlite' ? sql`like` : sql`ilike`
  const wanted = pattern(withoutOrigin(text, addresses.origin))
  return longReads
    .selectFrom('links')
    .innerJoin('owners', 'owners.id', 'links.owner_id')
    .innerJoin('click_totals', 'click_totals.link_id', 'links.id')
    .selectAll('links')
    .select(['owners.name as owner_name', 'click_totals.people'])
    .where('links.id', '>', after)
    .where('links.id', '<=', end)
    .where('links.deleted_at', 'is', null)
    .$if(text !== '', (query) =>
      query.where(
        sql<boolean>`(links.title ${like} ${wanted} escape '\\' or links.destination_url ${like} ${wanted} escape '\\'
          or case when links.hostname = '' then '' else 'https://' || links.hostname end || '/' || links.back_half
            ${like} ${wanted} escape '\\')`,
      ),
    )
    .orderBy('links.id')
    .execute()
}
