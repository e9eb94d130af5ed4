import type { FastifyBaseLogger } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { DatabaseKind } from '../../database/database-url.ts'
import type { Db, DbTransaction } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { createLogLimit } from '../../http/log-limit.ts'

/** SQL for a link's title, destination and short URL in lower case. No search contains the separator, a line break. */
export const SEARCH_TEXT = {
  sqlite: sql`lower(coalesce(title, '') || char(10) || destination_url || char(10) ||
    case when hostname = '' then '' else 'https://' || hostname end || '/' || back_half)`,
  postgres: sql`search_text`,
} satisfies Record<DatabaseKind, RawBuilder<unknown>>

// Few, so that other writes don't wait long.
const LINKS_AT_ONCE = 500

const FIRST_MARK = 0xf0000

/**
 * Returns three private-use characters, which the index stores with each link, so that a search reads few links of
 * other owners. They encode the last three characters of the owner's id, so several owners can have the same mark.
 */
export function ownerMark(ownerId: string): string {
  const points = Array.from(`000${ownerId}`.slice(-3), (end) => FIRST_MARK + end.charCodeAt(0))
  return String.fromCodePoint(...points)
}

const OWNER_MARK = sql`char(${sql.join(
  [-3, -2, -1].map(
    (place) =>
      sql`${sql.lit(FIRST_MARK)} + unicode(substr('000' || owner_id, ${sql.lit(place)}, 1))`,
  ),
)})`

/**
 * Adds new and changed links to the search index of SQLite. `search_progress` has the newest link in the index, and
 * `search_changes` the links that have changed since they were added. Until links are indexed, searches compare each of
 * them, so a crash loses none. In the index, a link has its rowid.
 */
export const indexPending = defineWrite(async function indexPending(
  transaction,
  limit: number,
): Promise<void> {
  await restartIfRenumbered(transaction)
  await indexChanged(transaction, limit)
  await indexNew(transaction, limit)
})

export async function indexAll(
  { db, write }: Pick<Database, 'db' | 'write'>,
  isStopped = (): boolean => false,
): Promise<void> {
  while (!isStopped() && (await isIndexPending(db))) await write(indexPending(LINKS_AT_ONCE))
}

async function isIndexPending(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isPending: number }>`
    select exists (select 1 from search_changes) or exists (select 1 from links where ${IS_NEW})
      or exists (select 1 from search_progress where ${IS_RENUMBERED}) as "isPending"`.execute(db)
  return rows[0]?.isPending === 1
}

const IS_NEW = sql`rowid > (select number from search_progress)`

// SQL that is true if SQLite has changed the rowids of `links`, for example in a VACUUM.
const IS_RENUMBERED = sql`number > 0 and not exists (
  select 1 from links where rowid = search_progress.number and id = search_progress.link_id
)`

async function restartIfRenumbered(transaction: DbTransaction): Promise<void> {
  const { numAffectedRows } = await sql`
    update search_progress set number = 0, link_id = null where ${IS_RENUMBERED}`.execute(
    transaction,
  )
  if (numAffectedRows === 0n) return
  await sql`insert into search_index (search_index) values ('delete-all')`.execute(transaction)
}

async function indexChanged(transaction: DbTransaction, limit: number): Promise<void> {
  const { rows } = await sql<{ number: number }>`
    select number from search_changes limit ${limit}`.execute(transaction)
  if (rows.length === 0) return
  const numbers = sql.join(rows.map(({ number }) => number))
  await sql`delete from search_index where rowid in (${numbers})`.execute(transaction)
  await addToIndex(transaction, sql`rowid in (${numbers})`)
  await sql`delete from search_changes where number in (${numbers})`.execute(transaction)
}

async function indexNew(transaction: DbTransaction, limit: number): Promise<void> {
  const { rows } = await sql<{ last: number | null }>`
    select max(number) as last
    from (select rowid as number from links where ${IS_NEW} order by rowid limit ${limit})`.execute(
    transaction,
  )
  const last = rows[0]?.last ?? null
  if (last === null) return
  await addToIndex(transaction, sql`${IS_NEW} and rowid <= ${last}`)
  await sql`update search_progress
    set number = ${last}, link_id = (select id from links where rowid = ${last})`.execute(
    transaction,
  )
}

async function addToIndex(transaction: DbTransaction, which: RawBuilder<unknown>): Promise<void> {
  await sql`insert or replace into search_index (rowid, texts, owner)
    select rowid, ${SEARCH_TEXT.sqlite}, ${OWNER_MARK} from links
    where ${which} and deleted_at is null order by rowid`.execute(transaction)
}

const INDEX_EVERY_MS = 1_000

export function startLinkIndexer(
  database: Pick<Database, 'db' | 'kind' | 'write'>,
  logger: Pick<FastifyBaseLogger, 'warn'>,
): () => Promise<void> {
  // PostgreSQL updates its search index itself.
  if (database.kind === 'postgres') return async () => {}
  const logLimit = createLogLimit(logger)
  let running: Promise<void> | undefined
  let isClosing = false
  const timer = setInterval(() => {
    running ??= indexAll(database, () => isClosing)
      .catch((err: unknown) => {
        const problem = 'links can’t be added to the search index; trying again'
        logLimit.write(problem, () => logger.warn({ err }, problem))
      })
      .finally(() => (running = undefined))
  }, INDEX_EVERY_MS)

  return async () => {
    isClosing = true
    clearInterval(timer)
    await running
  }
}
