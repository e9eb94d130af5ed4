import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/schema.ts'
import { defineWrite, type Write } from '../../database/write.ts'
import { createInFlightTasks } from '../../http/in-flight-tasks.ts'
import { addDays, dayOf } from '../../timing/days.ts'
import type { ServiceContext } from './context.ts'
import { deleteExpiredKeys } from './repeated-requests.ts'
import { removeOldDestinations } from './link-history.ts'
import { dayNumber, lockOwners, removeEmptySegments } from './segments.ts'
import { deleteOldTokens } from './sessions.ts'

const LOOK_EVERY_MS = 60_000

// Links or segments of a transaction are few, because other writes wait for it. The pause after it is PAUSE_FACTOR times
// as long.
const LINKS_AT_ONCE = 50
const PAUSE_FACTOR = 3

const KEYS_AT_ONCE = 500

/** Deletes clicks before a day, of the links whose id is after `from` and not after `to`. */
export const removeClicks = defineWrite(async function removeClicks(
  transaction,
  from: string,
  to: string,
  before: string,
) {
  for (const table of ['referrers', 'clicks'] as const) {
    await sql`delete from ${sql.table(table)}
      where link_id > ${from} and link_id <= ${to} and day < ${before}`.execute(transaction)
  }
})

/** Deletes sums before a day, of the segments whose id is after `from` and not after `to`. */
export const removeSums = defineWrite(async function removeSums(
  transaction,
  from: number,
  to: number,
  before: string,
) {
  const isPart = sql`id > ${from} and id <= ${to}`
  // Until the transaction ends, no click can be added to a segment that is about to be removed (segments.ts).
  const ownerIds = sql`select owner_id from segments where ${isPart}`
  await lockOwners(transaction, ownerIds, 'no key update')
  await sql`delete from segment_clicks
    where segment_id > ${from} and segment_id <= ${to} and day < ${dayNumber(before)}`.execute(
    transaction,
  )
  await removeEmptySegments(transaction, sql`select id from segments where ${isPart}`)
})

/** Deletes clicks before a day, but no totals. `isStopped` is asked before each transaction. */
export async function removeOldClicks(
  { longReads, write }: Pick<ServiceContext, 'longReads' | 'write'>,
  before: string,
  isStopped: () => boolean,
): Promise<void> {
  async function inParts<Id>(
    ids: RawBuilder<unknown>,
    first: Id,
    removePart: (from: Id, to: Id) => Write<void>,
  ): Promise<void> {
    for (let from = first; !isStopped();) {
      const { rows } = await sql<{ last: Id | null }>`select max(id) as last from (
        select id from (${ids}) as ids where id > ${from} order by id limit ${LINKS_AT_ONCE}
      ) as part`.execute(longReads)
      const to = rows[0]?.last ?? null
      if (to === null) return
      const start = performance.now()
      await write(removePart(from, to))
      await sleep((performance.now() - start) * PAUSE_FACTOR)
      from = to
    }
  }

  const linkIds = sql`select link_id as id from click_totals`
  await inParts(linkIds, '', (from, to) => removeClicks(from, to, before))
  // The sums are deleted last, because the clicks of a link that changes are subtracted from them.
  const segmentIds = sql`select id from segments`
  await inParts(segmentIds, 0, (from, to) => removeSums(from, to, before))
}

// The removal's row of `destination_walk`. Its `walked_at` is the last start, and its `at_link` the first day whose
// clicks are stored.
const REMOVAL_ID = 2

/** @returns `kept_since`, the first day whose clicks are still stored, if a report starts before this day */
export async function keptSince(db: Db, from: string): Promise<{ kept_since?: string }> {
  const { at_link: since = '' } =
    (await db
      .selectFrom('destination_walk')
      .select('at_link')
      .where('id', '=', REMOVAL_ID)
      .executeTakeFirst()) ?? {}
  return from < since ? { kept_since: since } : {}
}

// Claims a day's removal. Undefined if any process has claimed it before.
async function claimDay(db: Db, now: number) {
  await db
    .insertInto('destination_walk')
    .values({ id: REMOVAL_ID, held_by: '', held_until: 0, at_link: '', walked_at: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db
    .updateTable('destination_walk')
    .set({ walked_at: now })
    .where('id', '=', REMOVAL_ID)
    .where('walked_at', '<', Date.parse(dayOf(now)))
    .returning('at_link')
    .executeTakeFirst()
}

interface RemovalOptions extends ServiceContext {
  logger: Pick<FastifyBaseLogger, 'error'>
  clicksDays: number | undefined
}

/** Each day (UTC), one process deletes what is too old. If it stops in the middle, the rest is deleted a day later. */
export function createDailyRemoval(options: RemovalOptions) {
  const { db, now, logger, clicksDays } = options
  let isStopped = false

  async function run(): Promise<void> {
    const claimed = await claimDay(db, now())
    if (!claimed) return
    await removeOldDestinations(db, now())
    await deleteOldTokens(db, now())
    while ((await deleteExpiredKeys(db, KEYS_AT_ONCE, now())) > 0n) {
      if (isStopped) return
    }
    if (clicksDays === undefined) return
    const before = addDays(dayOf(now()), -clicksDays)
    if (before > claimed.at_link) {
      const state = db.updateTable('destination_walk').set({ at_link: before })
      await state.where('id', '=', REMOVAL_ID).execute()
    }
    await removeOldClicks(options, before, () => isStopped)
  }

  return {
    run,
    start(): () => Promise<void> {
      const tasks = createInFlightTasks(logger)
      const timer = setInterval(
        () => tasks.runInBackground(run, 'old data could not be deleted'),
        LOOK_EVERY_MS,
      )
      timer.unref()
      return async () => {
        isStopped = true
        clearInterval(timer)
        await tasks.drained()
      }
    },
  }
}
