import { sql, type RawBuilder } from 'kysely'
import { isPostgres } from '../../database/dialects.ts'
import type { DbTransaction, Schema } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { keepFromHistory } from './link-destinations.ts'
import type { LinkRow } from './links.ts'
import { addToSegments, lockOwners, moveClicks } from './segments.ts'

interface Backfill {
  /** The table whose rows are read, in the order of some columns of its key. */
  table: keyof Schema
  order: readonly string[]
  /** Fills in what rows lack. The transaction has locked their owners. @param rows SQL for a condition of the rows */
  fill: (transaction: DbTransaction, rows: RawBuilder<unknown>) => Promise<void>
  linkIds: RawBuilder<unknown>
}

/**
 * After an upgrade from version 1.0.0, back-fills add what its rows lack, one after the other in this order. Until
 * then, some lists, searches and reports leave out links, but redirects, changes and counts are right.
 */
export const BACKFILLS: Record<string, Backfill> = {
  // Version 1.0.0 didn't tell the service who created a link. Lists of a person's links now come from the service.
  people: {
    table: 'made_links',
    order: ['workspace_id', 'short_url'],
    linkIds: sql`link_name`,
    async fill(transaction, rows) {
      const made = sql`(
        select link_name, min(workspace_id || '-' || made_by) as creator from made_links
        where ${rows} and made_by is not null group by link_name) as made`
      const clicked = await sql<LinkRow & { creator: string }>`
        select links.*, creator from ${made} join links on id = link_name join click_totals on link_id = id
        where person_id is null and segment_id is not null order by id`.execute(transaction)
      for (const { creator, ...link } of clicked.rows) {
        await moveClicks(transaction, link, { ...link, person_id: creator })
      }
      await sql`update links set person_id = creator from ${made}
        where id = link_name and person_id is null`.execute(transaction)
    },
  },
  // Fills in the owner, the domain record and the segment of each link's total.
  click_totals: {
    table: 'click_totals',
    order: ['link_id'],
    linkIds: sql`link_id`,
    async fill(transaction, rows) {
      // Locks the rows in the same order as a write of clicks, so that the two can't deadlock.
      const lock = isPostgres(transaction) ? sql`for no key update` : sql``
      const totals = await sql<{ link_id: string; isClicked: boolean | 0 | 1 }>`
        select link_id, people > 0 and segment_id is null as "isClicked" from click_totals
        where ${rows} order by link_id ${lock}`.execute(transaction)
      await sql`update click_totals set owner_id = links.owner_id, domain_id = links.domain_id
        from links where id = link_id and click_totals.owner_id = '' and ${rows}`.execute(
        transaction,
      )
      const clicked = totals.rows.filter(({ isClicked }) => isClicked)
      const noClicks = clicked.map(({ link_id }) => [link_id, '0', 0])
      if (clicked.length > 0) await addToSegments(transaction, JSON.stringify(noClicks))
    },
  },
  link_destinations: {
    table: 'link_history',
    order: ['link_id'],
    linkIds: sql`link_id`,
    fill: keepFromHistory,
  },
  // A trigger fills the columns of each row that is updated.
  search_columns: {
    table: 'links',
    order: ['id'],
    linkIds: sql`id`,
    async fill(transaction, rows) {
      await sql`update links set title = title where search_text is null and ${rows}`.execute(
        transaction,
      )
    },
  },
}

/**
 * Fills in the next rows of a back-fill, and removes the back-fill after the last row. @returns the milliseconds that
 * it took; undefined if another process is filling in rows, or nothing is left
 */
export const fillNext = defineWrite(async function fillNext(
  transaction,
  name: string,
  limit: number,
): Promise<number | undefined> {
  const begun = performance.now()
  const backfill = BACKFILLS[name]
  if (!backfill) return undefined
  const lock = isPostgres(transaction) ? sql`for update skip locked` : sql``
  const { rows: found } = await sql<{ position: string | null }>`
      select position from backfills where name = ${name} ${lock}`.execute(transaction)
  if (!found[0]) return undefined
  const { table, order, linkIds, fill } = backfill
  const columns = sql.join(order.map((column) => sql.ref(column)))
  const values = (position: string[]) => sql.join(position.map((value) => sql`${value}`))
  const { position } = found[0]
  const after = position
    ? sql`(${columns}) > (${values(JSON.parse(position) as string[])})`
    : sql`1 = 1`
  const { rows: last } = await sql<Record<string, string>>`
      select ${columns} from ${sql.table(table)} where ${after}
      order by ${columns} limit 1 offset ${limit - 1}`.execute(transaction)
  const end = last[0] && order.map((column) => last[0]?.[column] ?? '')
  const rows = end ? sql`${after} and (${columns}) <= (${values(end)})` : after
  const ids = sql`select ${linkIds} from ${sql.table(table)} where ${rows}`
  await lockOwners(
    transaction,
    sql`select owner_id from links where id in (${ids})`,
    'no key update',
  )
  await fill(transaction, rows)
  await (
    end
      ? sql`update backfills set position = ${JSON.stringify(end)}, filled = filled + ${limit}
          where name = ${name}`
      : sql`delete from backfills where name = ${name}`
  ).execute(transaction)
  return performance.now() - begun
})
