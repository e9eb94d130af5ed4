import type { FastifyBaseLogger } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isPostgres } from '../../database/dialects.ts'
import { indexes } from '../../database/migrations/004-backfills.ts'
import type { DbTransaction, Schema } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { createLogLimit } from '../../http/log-limit.ts'
import { systemClock, unlessAborted } from '../../timing/clock.ts'
import { keepFromHistory } from './link-history.ts'
import type { LinkRow } from './links.ts'
import { addToSegments, lockOwners, moveClicks } from './segments.ts'

interface Backfill {
  /** The table whose rows are read, in the order of these columns. */
  table: keyof Schema
  order: readonly string[]
  /** SQL for the ids of the links that a row belongs to. The owners of these links are locked. */
  linkIds: RawBuilder<unknown>
  /** Fills in what the rows lack. @param rows an SQL condition that is true for the next rows */
  fill: (transaction: DbTransaction, rows: RawBuilder<unknown>) => Promise<void>
}

/**
 * Back-fills add what rows of version 1.0.0 lack. After an upgrade, they run one after the other, in this order. Until
 * they are done, some lists, searches and reports lack links, but redirects, changes and counts are right.
 */
export const BACKFILLS: Record<string, Backfill> = {
  // In version 1.0.0, only the app stored who created a link. Now, the service lists a person's links.
  people: {
    table: 'made_links',
    order: ['workspace_id', 'short_url'],
    linkIds: sql`link_name`,
    async fill(transaction, rows) {
      const creators = sql`(
        select link_name, min(workspace_id || '-' || made_by) as creator from made_links
        where ${rows} and made_by is not null group by link_name) as creators`
      const clicked = await sql<LinkRow & { creator: string }>`
        select links.*, creator from ${creators} join links on id = link_name join click_totals on link_id = id
        where person_id is null and segment_id is not null order by id`.execute(transaction)
      for (const { creator, ...link } of clicked.rows) {
        await moveClicks(transaction, link, { ...link, person_id: creator })
      }
      await sql`update links set person_id = creator from ${creators}
        where id = link_name and person_id is null`.execute(transaction)
    },
  },
  // Fills in the owner, the domain record and the segment of each link's total.
  click_totals: {
    table: 'click_totals',
    order: ['link_id'],
    linkIds: sql`link_id`,
    async fill(transaction, rows) {
      // A write of clicks locks the rows in the same order, so that the two can't deadlock.
      const lock = isPostgres(transaction) ? sql`for no key update` : sql``
      const totals = await sql<{ link_id: string; isClicked: boolean | 0 | 1 }>`
        select link_id, people > 0 and segment_id is null as "isClicked" from click_totals
        where ${rows} order by link_id ${lock}`.execute(transaction)
      await sql`update click_totals set owner_id = links.owner_id, domain_id = links.domain_id
        from links where id = link_id and click_totals.owner_id = '' and ${rows}`.execute(
        transaction,
      )
      const clicked = totals.rows.filter(({ isClicked }) => isClicked)
      // Zero new clicks: the link's earlier clicks are added to its segment.
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
  // A trigger fills in the columns of each row that is updated.
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

/** @returns how many milliseconds this took; undefined if another process is filling in rows, or no rows are left */
export const fillNext = defineWrite(async function fillNext(
  transaction,
  name: string,
  limit: number,
): Promise<number | undefined> {
  const start = performance.now()
  const backfill = BACKFILLS[name]
  if (!backfill) return undefined
  const lock = isPostgres(transaction) ? sql`for update skip locked` : sql``
  const { rows: states } = await sql<{ position: string | null }>`
      select position from backfills where name = ${name} ${lock}`.execute(transaction)
  const [state] = states
  if (!state) return undefined
  const { table, order, linkIds, fill } = backfill
  const columns = sql.join(order.map((column) => sql.ref(column)))
  const values = (position: string[]) => sql.join(position.map((value) => sql`${value}`))
  const { position } = state
  const after = position
    ? sql`(${columns}) > (${values(JSON.parse(position) as string[])})`
    : sql`1 = 1`
  const { rows: lastRows } = await sql<Record<string, string>>`
      select ${columns} from ${sql.table(table)} where ${after}
      order by ${columns} limit 1 offset ${limit - 1}`.execute(transaction)
  const [lastRow] = lastRows
  const end = lastRow && order.map((column) => lastRow[column] ?? '')
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
  return performance.now() - start
})

// Few, because other writes wait. With still fewer, most of the time would go into the statements' overhead.
const ROWS_AT_ONCE = 1_000

const RETRY_AFTER_MS = 1_000

/** Runs the back-fills of an upgrade and builds its indexes, beside requests. Several processes take turns. */
export async function runBackfills(
  database: Pick<Database, 'db' | 'kind' | 'write' | 'buildIndex'>,
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  signal = new AbortController().signal,
): Promise<void> {
  const indexesToBuild = indexes(database.kind === 'postgres')
  const names = [...Object.keys(BACKFILLS), ...Object.keys(indexesToBuild)]
  let current: string | undefined
  const logLimit = createLogLimit(logger)
  const isAborted = (): boolean => signal.aborted

  /** Runs a part of the next back-fill. @returns the milliseconds to pause; undefined if all are done */
  async function runPart(): Promise<number | undefined> {
    const rows = await database.db.selectFrom('backfills').select('name').execute()
    const pending = names.filter((name) => rows.some((row) => row.name === name))
    const [name] = pending
    if (name !== current) {
      const progress = name === undefined ? 'all is done' : `${name}, of ${pending.length}`
      logger.info(`upgrading the database beside requests: ${progress}`)
    }
    current = name
    if (name === undefined) return undefined
    const index = indexesToBuild[name]
    if (index === undefined) {
      // Other writes get as much time as this one took.
      return (await database.write(fillNext(name, ROWS_AT_ONCE))) ?? RETRY_AFTER_MS
    }
    // If this process stops, PostgreSQL goes on building the index.
    const isBuilt = await unlessAborted(signal, database.buildIndex(name, index))
    if (!isBuilt) return RETRY_AFTER_MS
    await database.db.deleteFrom('backfills').where('name', '=', name).execute()
    return 0
  }

  while (!isAborted()) {
    try {
      const pauseMs = await runPart()
      if (pauseMs === undefined) return
      await systemClock.sleep(pauseMs, signal)
    } catch (err) {
      const problem = 'the upgrade of the database can’t go on; trying again'
      if (!isAborted()) logLimit.write(problem, () => logger.warn({ err }, problem))
      await systemClock.sleep(RETRY_AFTER_MS, signal).catch(() => undefined)
    }
  }
}
