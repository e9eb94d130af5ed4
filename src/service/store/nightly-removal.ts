import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { jsonRows, number, text } from '../../database/dialects.ts'
import type { Db } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { addDays, dayOf } from '../../timing/days.ts'
import type { ServiceContext } from './context.ts'
import { hold, WORK } from './destination-walk.ts'
import { deleteExpiredKeys } from './idempotency-keys.ts'
import { removeOldDestinations } from './link-destinations.ts'
import { lockOwners, removeEmptySegments } from './segments.ts'
import { deleteOldTokens } from './sessions.ts'

/** Hours in UTC. If the removal isn't done by then, it continues in the next night. */
const NIGHT = { from: 2, to: 5 }

const LOOK_EVERY_MS = 60_000

/**
 * A batch is small, because other writes wait for it. Each pause is PAUSE_FACTOR times as long as the batch before it.
 */
const ROWS_AT_ONCE = 500
const PAUSE_FACTOR = 3

const OWNERS_READ = 5_000

/** @param days rows as JSON: the id of a link, and a day */
export const removeClicks = defineWrite(async function removeClicks(transaction, days: string) {
  for (const table of ['referrers', 'clicks'] as const) {
    await sql`delete from ${sql.table(table)} where (link_id, day) in (
        select ${text(0)}, ${text(1)} from ${jsonRows(transaction, days)})`.execute(transaction)
  }
})

/** @param days rows as JSON: the id of a segment, and a day */
export const removeSums = defineWrite(async function removeSums(transaction, days: string) {
  const rows = jsonRows(transaction, days)
  const ids = sql`select ${number(0)} from ${rows}`
  // Until the transaction ends, no click can be added to a segment that is about to be removed (segments.ts).
  const ownerIds = sql`select owner_id from segments where id in (${ids})`
  await lockOwners(transaction, ownerIds, 'no key update')
  await sql`delete from segment_clicks where (segment_id, day) in (
      select ${number(0)}, ${number(1)} from ${rows})`.execute(transaction)
  await removeEmptySegments(transaction, ids)
})

// The tables with one row a day, and the tables that list what these rows belong to: links, and segments.
const CLICKS = { list: 'click_totals', id: 'link_id', days: 'clicks', of: 'link_id', first: '' }
const SUMS = { list: 'segments', id: 'id', days: 'segment_clicks', of: 'segment_id', first: 0 }

/**
 * Deletes the clicks of all days before `before`, but keeps the totals of links. The sums of segments are deleted last,
 * because the clicks of a link that changes are subtracted from them. @returns false if `mayGoOn`, which is asked
 * before each batch, has stopped it
 */
export async function removeOldClicks(
  { longReads, write }: Pick<ServiceContext, 'longReads' | 'write'>,
  before: string,
  mayGoOn: () => Promise<boolean>,
): Promise<boolean> {
  for (const { list, id, days, of, first } of [CLICKS, SUMS]) {
    const isSum = list === SUMS.list
    const until = isSum ? Number(before.replaceAll('-', '')) : before
    const remove = isSum ? removeSums : removeClicks
    const key = sql.ref(of)
    const owner = sql.ref(id)
    for (let after: string | number = first; ;) {
      // Goes link by link, because the index starts with the link. One that starts with the day would make each row a
      // quarter larger.
      const next = sql`select ${owner} from ${sql.table(list)}
        where ${owner} > ${after} order by ${owner} limit ${OWNERS_READ}`
      const { rows: ends } = await sql<{ last: string | number | null }>`
        select max(${owner}) as last from (${next}) as passed`.execute(longReads)
      const last = ends[0]?.last ?? null
      if (last === null) break
      for (let from = after; ;) {
        if (!(await mayGoOn())) return false
        const { rows } = await sql<{ key: string | number; day: string | number }>`
          select ${key} as key, day from ${sql.table(days)}
          where ${key} >= ${from} and ${key} <= ${last} and day < ${until}
          order by ${key}, day limit ${ROWS_AT_ONCE}`.execute(longReads)
        const end = rows.at(-1)
        if (!end) break
        from = end.key
        const json = JSON.stringify(rows.map((row) => [row.key, row.day]))
        const start = performance.now()
        await write(remove(json))
        await sleep((performance.now() - start) * PAUSE_FACTOR)
      }
      after = last
    }
  }
  return true
}

/** @returns `kept_since`, the first day whose clicks are kept, if a report begins before that day (`from`) */
export async function keptSince(db: Db, from: string): Promise<{ kept_since?: string }> {
  const { at_link: since = '' } = (await readState(db)) ?? {}
  return from < since ? { kept_since: since } : {}
}

// In the row of the removal, the column `at_link` holds the first day that is kept.
async function readState(db: Db) {
  return db
    .selectFrom('destination_walk')
    .select(['at_link', 'walked_at'])
    .where('id', '=', WORK.removal)
    .executeTakeFirst()
}

interface RemovalOptions extends ServiceContext {
  logger: Pick<FastifyBaseLogger, 'warn'>
  clicksDays: number | undefined
}

/**
 * Deletes what is too old, each night and in one process: clicks (after `clicksDays`), destinations of deleted links,
 * ended sessions and expired Idempotency-Keys.
 */
export function createNightlyRemoval(options: RemovalOptions) {
  const { db, now, logger, clicksDays } = options
  const ownId = randomUUID()
  const holdWork = () => hold(db, { id: WORK.removal, ownId, first: 0 }, now())
  let isStopped = false

  async function mayGoOn(): Promise<boolean> {
    return !isStopped && isNight(now()) && (await holdWork()) !== undefined
  }

  async function run(): Promise<void> {
    if (!isNight(now())) return
    const { walked_at: doneAt = 0 } = (await readState(db)) ?? {}
    if (dayOf(doneAt) === dayOf(now())) return
    const held = await holdWork()
    if (!held) return
    await removeOldDestinations(db, now())
    await deleteOldTokens(db, now())
    while ((await deleteExpiredKeys(db, ROWS_AT_ONCE, now())) > 0) if (isStopped) return
    const state = db.updateTable('destination_walk').where('id', '=', WORK.removal)
    if (clicksDays !== undefined) {
      const before = addDays(dayOf(now()), -clicksDays)
      if (before > held.at_link) await state.set({ at_link: before }).execute()
      if (!(await removeOldClicks(options, before, mayGoOn))) return
    }
    await state.set({ walked_at: now() }).execute()
  }

  return {
    run,
    start(): () => Promise<void> {
      let running: Promise<void> | undefined
      const timer = setInterval(() => {
        running ??= run()
          .catch((err: unknown) => logger.warn({ err }, 'old data could not be deleted'))
          .finally(() => (running = undefined))
      }, LOOK_EVERY_MS)
      timer.unref()
      return async () => {
        isStopped = true
        clearInterval(timer)
        await running
      }
    },
  }
}

function isNight(time: number): boolean {
  const hour = new Date(time).getUTCHours()
  return hour >= NIGHT.from && hour < NIGHT.to
}
