import { sql, type RawBuilder } from 'kysely'
import type { DestinationStatus } from '../../contract/extension-calls.ts'
import { preparedRow } from '../../database/prepared.ts'
import type { Db, Schema } from '../../database/schema.ts'
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
