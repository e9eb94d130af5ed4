import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { jsonRows, number, text } from '../../database/dialects.ts'
import type { Db } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { addDays, dayOf } from '../../timing/days.ts'
import type { ServiceContext } from './context.ts'
import { deleteExpiredKeys } from './repeated-requests.ts'
import { LEASES, takeLease } from './leases.ts'
import { removeOldDestinations } from './link-history.ts'
import { dayNumber, lockOwners, removeEmptySegments } from './segments.ts'
import { deleteOldTokens } from './sessions.ts'

// Hours in UTC. If the removal isn't done by the end of the night, it continues in the next one.
const NIGHT = { from: 2, to: 5 }

const LOOK_EVERY_MS = 60_000

// A batch is small, because other writes wait for it. The pause after it is PAUSE_FACTOR times as long as the batch.
const ROWS_AT_ONCE = 500
const PAUSE_FACTOR = 3

const LISTED_AT_ONCE = 5_000

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

// The tables with a row for each day, and the tables that list the links or segments to which these rows belong.
const CLICKS = { days: 'clicks', key: 'link_id', list: 'click_totals', id: 'link_id', firstId: '' }
const SUMS = { days: 'segment_clicks', key: 'segment_id', list: 'segments', id: 'id', firstId: 0 }

/** Deletes clicks before a day, but no totals. @returns false if `mayContinue`, asked before each batch, ended it */
export async function removeOldClicks(
  { longReads, write }: Pick<ServiceContext, 'longReads' | 'write'>,
  before: string,
  mayContinue: () => Promise<boolean>,
): Promise<boolean> {
  // The sums are deleted last, because the clicks of a link that changes are subtracted from them.
  const steps = [
    { batches: readOldRows(longReads, CLICKS, before), remove: removeClicks },
    { batches: readOldRows(longReads, SUMS, dayNumber(before)), remove: removeSums },
  ]
  for (const { batches, remove } of steps) {
    for await (const rows of batches) {
      if (!(await mayContinue())) return false
      if (rows.length === 0) continue
      const start = performance.now()
      await write(remove(JSON.stringify(rows)))
      await sleep((performance.now() - start) * PAUSE_FACTOR)
    }
  }
  return true
}

// Reads the ids and days of old rows in batches, which can be empty. Each batch has to be deleted before the next one
// is read. Rows are read by link or segment, because the index starts with it. A further index that starts with the day
// would make each row a quarter larger.
async function* readOldRows(
  longReads: Db,
  { days, key, list, id, firstId }: typeof CLICKS | typeof SUMS,
  before: string | number,
): AsyncGenerator<[key: string | number, day: string | number][]> {
  const column = sql.ref(id)
  async function endOfPart(start: string | number): Promise<string | number | null> {
    const part = sql`select ${column} as id from ${sql.table(list)}
      where ${column} > ${start} order by ${column} limit ${LISTED_AT_ONCE}`
    const max = sql<{ last: string | number | null }>`select max(id) as last from (${part}) as part`
    return (await max.execute(longReads)).rows[0]?.last ?? null
  }

  let position: string | number = firstId
  let end = await endOfPart(position)
  while (end !== null) {
    const { rows } = await sql<{ id: string | number; day: string | number }>`
      select ${sql.ref(key)} as id, day from ${sql.table(days)}
      where ${sql.ref(key)} >= ${position} and ${sql.ref(key)} <= ${end} and day < ${before}
      order by ${sql.ref(key)}, day limit ${ROWS_AT_ONCE}`.execute(longReads)
    yield rows.map((row) => [row.id, row.day])
    position = rows.at(-1)?.id ?? end
    if (rows.length === 0) end = await endOfPart(position)
  }
}

/** @returns `kept_since`, the first day whose clicks are still stored, if a report starts before this day */
export async function keptSince(db: Db, from: string): Promise<{ kept_since?: string }> {
  const { at_link: since = '' } = (await readState(db)) ?? {}
  return from < since ? { kept_since: since } : {}
}

// In the row of the removal, the column `at_link` contains the first day whose clicks are stored.
async function readState(db: Db) {
  return db
    .selectFrom('destination_walk')
    .select(['at_link', 'walked_at'])
    .where('id', '=', LEASES.removal)
    .executeTakeFirst()
}

interface RemovalOptions extends ServiceContext {
  logger: Pick<FastifyBaseLogger, 'warn'>
  clicksDays: number | undefined
}

/** Each night, one process deletes old clicks, destinations of deleted links, sessions and Idempotency-Keys. */
export function createNightlyRemoval(options: RemovalOptions) {
  const { db, now, logger, clicksDays } = options
  const work = { id: LEASES.removal, processId: randomUUID(), firstDoneAt: 0 }
  let isStopped = false

  async function mayContinue(): Promise<boolean> {
    return !isStopped && isNight(now()) && (await takeLease(db, work, now())) !== undefined
  }

  async function run(): Promise<void> {
    if (!isNight(now())) return
    const { walked_at: doneAt = 0 } = (await readState(db)) ?? {}
    if (dayOf(doneAt) === dayOf(now())) return
    const lease = await takeLease(db, work, now())
    if (!lease) return
    await removeOldDestinations(db, now())
    await deleteOldTokens(db, now())
    while ((await deleteExpiredKeys(db, ROWS_AT_ONCE, now())) > 0n) {
      if (isStopped) return
    }
    const state = db.updateTable('destination_walk').where('id', '=', LEASES.removal)
    if (clicksDays !== undefined) {
      const before = addDays(dayOf(now()), -clicksDays)
      if (before > lease.at_link) await state.set({ at_link: before }).execute()
      if (!(await removeOldClicks(options, before, mayContinue))) return
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
