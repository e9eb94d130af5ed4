import { sql, type RawBuilder } from 'kysely'
import { containsText } from '../database/dialects.ts'
import type { Database } from '../database/database.ts'

const MAX_LISTED = 1_000
const MAX_CANDIDATES = 10_000

export interface CreatedLinkQuery {
  createdBy?: string | undefined
  text?: string | undefined
  order: 'asc' | 'desc'
  page: number
  perPage: number
}

/** A `text` is compared only with the newest links, and case is ignored (on SQLite, only that of ASCII letters). */
export async function listCreatedLinks(
  { longReads, kind }: Pick<Database, 'longReads' | 'kind'>,
  workspaceId: string,
  { createdBy, text, order, page, perPage }: CreatedLinkQuery,
) {
  const byCreator = createdBy === undefined ? sql`` : sql`and made_by = ${createdBy}`
  const contains = (column: string, wanted: string): RawBuilder<unknown> =>
    containsText(kind, sql`lower(${sql.ref(column)})`, wanted)
  // The record holds short URLs without their scheme and without a slash at the end.
  const matching =
    text === undefined
      ? sql`1 = 1`
      : sql`(${contains('title', text)} or ${contains('destination_url', text)}
          or ${contains('short_url', text.replace(/^https?:\/\//i, '').replace(/\/$/, ''))})`
  // Both databases keep the order of a materialized table. A last row of null says that not all links were compared.
  const found = await sql<{ short_url: string | null }>`
    with candidates as materialized (
      select short_url, title, destination_url from made_links
      where workspace_id = ${workspaceId} and superseded = 0 ${byCreator}
      order by made_at desc, short_url desc limit ${MAX_CANDIDATES}
    ),
    matches as materialized (
      select short_url from candidates where ${matching} limit ${MAX_LISTED + 1}
    )
    select short_url from matches union all select null
    where (select count(*) from matches) <= ${MAX_LISTED}
      and (select count(*) from candidates) = ${MAX_CANDIDATES}`.execute(longReads)
  const addresses = found.rows.flatMap(({ short_url }) => short_url ?? [])
  const listed = addresses.slice(0, MAX_LISTED)
  if (order === 'asc') listed.reverse()
  const onPage = listed.slice((page - 1) * perPage, page * perPage)
  const rows =
    onPage.length === 0
      ? []
      : await longReads
          .selectFrom('made_links')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('short_url', 'in', onPage)
          .execute()
  const rowsByUrl = new Map(rows.map((row) => [row.short_url, row]))
  return {
    rows: onPage.flatMap((address) => rowsByUrl.get(address) ?? []),
    total: listed.length,
    hasMore: addresses.length < found.rows.length || addresses.length > MAX_LISTED,
  }
}
