import { sql, type RawBuilder } from 'kysely'
import type { DestinationStatus } from '../../contract/extension-calls.ts'
import { preparedRow } from '../../database/prepared.ts'
import type { Db, Schema } from '../../database/schema.ts'
import { addDays, DAY_MS, dayOf } from '../../timing/days.ts'
import type { ServiceContext } from './context.ts'
import { LEASES, takeLease } from './leases.ts'
import { countLinks, filterCondition } from './link-filter.ts'
import type { LinkRow } from './links.ts'

const DEAD_AFTER_DAYS = 3
const HOUR_MS = 3_600_000

// Two failures that are 20 to 60 hours apart count as failures on consecutive days.
const MIN_APART_MS = 20 * HOUR_MS
const MAX_APART_MS = 60 * HOUR_MS

const RECHECK_MS = 22 * HOUR_MS

/** SQL for the status of a link's destination; null if it works, or has failed on fewer than three days. */
export const DESTINATION_STATUS: RawBuilder<DestinationStatus | null> = sql`(
  select status from destination_problems as problem
  where problem.link_id = links.id and problem.status in ('dead', 'unclear')
    and problem.destination_hash = links.destination_hash
)`

export type DestinationProblem = Schema['destination_problems']

export type CheckedLink = Pick<LinkRow, 'id' | 'destination_hash'>

export const findDestinationProblem = preparedRow((db, link: CheckedLink) =>
  db
    .selectFrom('destination_problems')
    .selectAll()
    .where('link_id', '=', link.id)
    .where('destination_hash', '=', link.destination_hash),
)

export async function countDead(db: Db): Promise<number> {
  const { dead } = await db
    .selectFrom('destination_problems')
    .select((is) => is.fn.countAll<number>().as('dead'))
    .where('status', '=', 'dead')
    .executeTakeFirstOrThrow()
  return dead
}

/** Stores the result of checking a link's destination. After failures on three consecutive days, it counts as dead. */
export async function recordCheck(
  db: Db,
  link: CheckedLink,
  check: { outcome: 'works' | 'fails' | 'unclear'; reason: string; retryAfterMs?: number },
  now: number,
): Promise<void> {
  const { outcome, reason, retryAfterMs = 0 } = check
  if (outcome === 'works') {
    await db.deleteFrom('destination_problems').where('link_id', '=', link.id).execute()
    return
  }
  const row = {
    destination_hash: link.destination_hash,
    reason,
    check_at: now + Math.max(RECHECK_MS, retryAfterMs),
    ...(outcome === 'unclear'
      ? { status: 'unclear' as const, failures: 0, failed_at: 0 }
      : nextFailure(await findDestinationProblem(db, link), now)),
  }
  await db
    .insertInto('destination_problems')
    .values({ link_id: link.id, ...row })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet(row))
    .execute()
}

function nextFailure(
  previous: DestinationProblem | undefined,
  now: number,
): Pick<DestinationProblem, 'status' | 'failures' | 'failed_at'> {
  const { failures = 0, failed_at = 0 } = previous ?? {}
  const elapsedMs = now - failed_at
  // This day's failure is already counted.
  if (previous && elapsedMs < MIN_APART_MS) return { status: previous.status, failures, failed_at }
  const consecutive = elapsedMs <= MAX_APART_MS ? failures + 1 : 1
  const status = consecutive >= DEAD_AFTER_DAYS ? 'dead' : 'failing'
  return { status, failures: consecutive, failed_at: now }
}

const CLICKED_DAYS = 30
const SELECTED_FOR_MS = 60 * 60_000
const MAX_WALKED = 5_000
const NEW_LINK_AFTER_MS = 60 * 60_000

// How many failed and how many new links are selected at once.
const MAX_SELECTED = 200

const isActive = (now: number): RawBuilder<unknown> => filterCondition({ state: 'active' }, now)

const hasProblem = sql`exists (select 1 from destination_problems where link_id = links.id)`

/** Selects links whose destination failed a day ago. The problems of changed and ended links are deleted instead. */
export async function selectProblems({ db, longReads }: ServiceContext, now: number) {
  const { rows } = await sql<LinkRow & { is_outdated: number | boolean }>`
    select links.*, not (${isActive(now)} and problem.destination_hash = links.destination_hash) as is_outdated
    from destination_problems as problem join links on links.id = problem.link_id
    where problem.check_at <= ${now} order by problem.check_at limit ${MAX_SELECTED}`.execute(
    longReads,
  )
  const { outdated = [], current = [] } = Object.groupBy(rows, (row) =>
    row.is_outdated ? 'outdated' : 'current',
  )
  const toIds = (links: LinkRow[]): string[] => links.map(({ id }) => id)
  if (outdated.length > 0) {
    await db.deleteFrom('destination_problems').where('link_id', 'in', toIds(outdated)).execute()
  }
  // Checks for the same host wait for each other. For an hour, waiting links aren't selected again.
  if (current.length > 0) {
    await db
      .updateTable('destination_problems')
      .set({ check_at: now + SELECTED_FOR_MS })
      .where('link_id', 'in', toIds(current))
      .execute()
  }
  return current
}

/** Selects links that became an hour old after `since`. */
export async function selectCreated(
  { longReads }: ServiceContext,
  since: number,
  now: number,
): Promise<LinkRow[]> {
  const from = firstId(since - NEW_LINK_AFTER_MS)
  const to = firstId(now - NEW_LINK_AFTER_MS)
  const { rows } = await sql<LinkRow>`
    select * from links where id >= ${from} and id < ${to}
      and ${isActive(now)} and not ${hasProblem}
    order by id limit ${MAX_SELECTED}`.execute(longReads)
  return rows
}

// Returns the start of the version 7 UUIDs of a time: 2026-11-28T00:00:00Z → “01a21f73-9c00”.
function firstId(time: number): string {
  const digits = Math.max(0, time).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** Moves the walk through all links on by one part, and selects those that were clicked in the last 30 days. */
export async function selectWalked(
  { db, longReads }: ServiceContext,
  { after, limit }: { after: string; limit: number },
  now: number,
): Promise<LinkRow[]> {
  if (limit <= 0) return []
  const since = addDays(dayOf(now), -CLICKED_DAYS)
  const next = sql`select id from links where id > ${after} and deleted_at is null order by id limit ${limit}`
  const { rows: ends } = await sql<{ id: string; passed: number }>`
    select coalesce(max(id), '') as id, count(*) as passed from (${next}) as next`.execute(
    longReads,
  )
  const [{ id, passed } = { id: '', passed: 0 }] = ends
  const { rows: links } = await sql<LinkRow>`
    select * from links where id > ${after} and id <= ${id} and ${isActive(now)} and not ${hasProblem}
      and exists (
        select 1 from clicks where link_id = links.id and day >= ${since} and people > 0
      )
    order by id`.execute(longReads)
  await db
    .updateTable('destination_walk')
    .set({ at_link: passed < limit ? '' : id, walked_at: now }) // '' starts again.
    .where('id', '=', LEASES.destinations)
    .execute()
  return links
}

/** @returns the next part of the walk, or undefined if another process is walking */
export async function continueWalk(
  { db }: Pick<ServiceContext, 'db'>,
  processId: string,
  now: number,
) {
  const lease = await takeLease(db, { id: LEASES.destinations, processId, firstDoneAt: now }, now)
  if (!lease) return undefined
  // A walk takes a day, so this many links are due since its last step.
  const due = Math.floor(((await countLinks(db, {})) * (now - lease.walked_at)) / DAY_MS)
  return { after: lease.at_link, limit: Math.min(due, MAX_WALKED) }
}
