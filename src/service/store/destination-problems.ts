import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DestinationStatus } from '../../contract/extension-calls.ts'
import type { Schema } from '../../database/schema.ts'
import { addDays, DAY_MS, dayOf } from '../../timing/days.ts'
import type { ServiceContext } from './context.ts'
import type { LinkRow } from './links.ts'

/** A destination is dead once it has failed on so many days in a row. */
const DEAD_AFTER = 3

const HOUR_MS = 3_600_000

/** Failures of two days in a row are at least and at most so far apart. */
const [NEXT_DAY_MS, LATEST_MS] = [20 * HOUR_MS, 60 * HOUR_MS]

/** When a destination that did not work is checked again. */
const AGAIN_MS = 22 * HOUR_MS

/** Links without clicks for so many days are not checked. */
const CLICKED_DAYS = 30

/** SQL for the condition that a link is on and its destination is dead. Its columns fit candidates of a search, too. */
export const IS_DEAD = sql`enabled = 1 and (id, destination_hash) in (
  select link_id, destination_hash from destination_problems where status = 'dead'
)`

/** SQL for the `DestinationStatus` of a row of `links`, or null. */
export const DESTINATION_STATUS: RawBuilder<DestinationStatus | null> = sql`(
  select status from destination_problems as problem
  where problem.link_id = links.id and problem.status in ('dead', 'unclear')
    and problem.destination_hash = links.destination_hash
)`

export interface DestinationProblem {
  status: Schema['destination_problems']['status']
  /** Such as `404` or `no such host`. */
  reason: string
}

/** What is wrong with a link's destination, as far as it was checked. */
export async function findDestinationProblem(
  db: Kysely<Schema>,
  { id, destination_hash: hash }: LinkRow,
): Promise<DestinationProblem | undefined> {
  return db
    .selectFrom('destination_problems')
    .select(['status', 'reason'])
    .where('link_id', '=', id)
    .where('destination_hash', '=', hash)
    .executeTakeFirst()
}

/** Null if the destination has not failed often enough to be reported. */
export function statusOf({ status }: DestinationProblem): DestinationStatus | null {
  return status === 'failing' ? null : status
}

export function countDead(db: Kysely<Schema>): Promise<{ dead: number | string }> {
  return db
    .selectFrom('destination_problems')
    .select((is) => is.fn.countAll<number>().as('dead'))
    .where('status', '=', 'dead')
    .executeTakeFirstOrThrow()
}

/** What a check of a link's destination found. */
export interface CheckResult {
  outcome: 'works' | 'fails' | 'unclear'
  reason: string
  /** How long the server wants no requests, at least. */
  retryAfterMs?: number
}

/** Stores what a check found. Only one process checks. */
export async function recordCheck(
  db: Kysely<Schema>,
  { id: link_id, destination_hash }: Pick<LinkRow, 'id' | 'destination_hash'>,
  { outcome, reason, retryAfterMs = 0 }: CheckResult,
  now: number,
): Promise<void> {
  if (outcome === 'works') {
    await db.deleteFrom('destination_problems').where('link_id', '=', link_id).execute()
    return
  }
  const before = await db
    .selectFrom('destination_problems')
    .selectAll()
    .where('link_id', '=', link_id)
    .where('destination_hash', '=', destination_hash)
    .executeTakeFirst()
  const row = {
    destination_hash,
    reason,
    check_at: now + Math.max(AGAIN_MS, retryAfterMs),
    ...(outcome === 'unclear'
      ? { status: 'unclear' as const, failures: 0, failed_at: 0 }
      : failureAfter(before, now)),
  }
  await db
    .insertInto('destination_problems')
    .values({ link_id, ...row })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet(row))
    .execute()
}

function failureAfter(before: Schema['destination_problems'] | undefined, now: number) {
  const { failures = 0, failed_at = 0 } = before ?? {}
  const since = now - failed_at
  if (since < NEXT_DAY_MS && before) {
    return { status: before.status, failures, failed_at }
  }
  const inRow = since <= LATEST_MS ? failures + 1 : 1
  const isDead = inRow >= DEAD_AFTER
  return {
    status: isDead ? ('dead' as const) : ('failing' as const),
    failures: inRow,
    failed_at: now,
  }
}

/** Conditions of a row of `links` that works, so that its destination matters. */
const works = (now: number): RawBuilder<unknown> =>
  sql`deleted_at is null and enabled = 1 and (expires_at is null or expires_at > ${now})`

const hasProblem = sql`exists (select 1 from destination_problems where link_id = links.id)`

/** Links whose destination did not work a day ago. Those that now lead elsewhere, or nowhere, are forgotten. */
export async function selectProblems(
  { db, longReads }: Pick<ServiceContext, 'db' | 'longReads'>,
  now: number,
  limit: number,
): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow & { is_over: number | boolean }>`
    select links.*, not (${works(now)} and problem.destination_hash = links.destination_hash) as is_over
    from destination_problems as problem join links on links.id = problem.link_id
    where problem.check_at <= ${now} order by problem.check_at limit ${limit}`.execute(longReads)
  // Whether or not they are checked at once: otherwise, many links to one slow host would be selected again and again.
  if (rows.length > 0) {
    await db
      .updateTable('destination_problems')
      .set({ check_at: now + HOUR_MS })
      .where(
        'link_id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
  }
  const over = rows.filter((row) => Boolean(row.is_over)).map(({ id }) => id)
  if (over.length > 0) {
    await db.deleteFrom('destination_problems').where('link_id', 'in', over).execute()
  }
  return rows.filter((row) => !row.is_over)
}

/** Links that were created in a period, in milliseconds since 1970. */
export async function selectCreated(
  { longReads }: Pick<ServiceContext, 'longReads'>,
  [from, to]: readonly [number, number],
  now: number,
  limit: number,
): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select * from links where id >= ${firstId(from)} and id < ${firstId(to)}
      and ${works(now)} and not ${hasProblem}
    order by id limit ${limit}`.execute(longReads)
  return rows
}

/** The first ID (UUID version 7) of a time. */
function firstId(time: number): string {
  const digits = Math.max(0, time).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/**
 * Walks on through all links, and returns those that were clicked lately.
 *
 * @param after the last link of the walk so far; empty: it begins
 * @returns `end`: where it goes on; empty: at the start
 */
export async function selectWalked(
  { longReads }: Pick<ServiceContext, 'longReads'>,
  after: string,
  now: number,
  limit: number,
): Promise<{ links: LinkRow[]; end: string }> {
  const since = addDays(dayOf(now), -CLICKED_DAYS)
  const passed = sql`select id from links where id > ${after} and deleted_at is null order by id limit ${limit}`
  const { rows: ends } = await sql<{ id: string | null; passed: number | string }>`
    select max(id) as id, count(*) as passed from (${passed}) as passed`.execute(longReads)
  const [{ id, passed: count } = { id: null, passed: 0 }] = ends
  if (id === null) return { links: [], end: '' }
  const { rows: links } = await sql<LinkRow>`
    select * from links where id > ${after} and id <= ${id} and ${works(now)} and not ${hasProblem}
      and exists (
        select 1 from clicks where link_id = links.id and day >= ${since} and people > 0
      )
    order by id`.execute(longReads)
  return { links, end: Number(count) < limit ? '' : id }
}

/** How long a process holds the walk without a sign of life. */
const HELD_MS = 3 * 60_000

/** The most links that are walked past at once. */
const MAX_WALKED = 5_000

/** How far the walk is to go now. */
export interface WalkPart {
  after: string
  limit: number
}

/**
 * Takes the walk for a process, or keeps it. A walk through all links takes a day.
 *
 * @returns undefined if another process has it
 */
export async function holdWalk(
  { db }: Pick<ServiceContext, 'db'>,
  ownId: string,
  now: number,
): Promise<WalkPart | undefined> {
  await db
    .insertInto('destination_walk')
    .values({ id: 1, held_by: ownId, held_until: 0, at_link: '', walked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const held = await db
    .updateTable('destination_walk')
    .set({ held_by: ownId, held_until: now + HELD_MS })
    .where((is) => is.or([is('held_by', '=', ownId), is('held_until', '<', now)]))
    .returning(['at_link', 'walked_at'])
    .executeTakeFirst()
  if (!held) return undefined
  const { links } = await db
    .selectFrom('link_counts')
    .select((is) => is.fn.sum<number | string | null>('links').as('links'))
    .executeTakeFirstOrThrow()
  const part = Math.floor((Number(links ?? 0) * (now - held.walked_at)) / DAY_MS)
  return { after: held.at_link, limit: Math.min(part, MAX_WALKED) }
}

export async function moveWalk(
  { db }: Pick<ServiceContext, 'db'>,
  at_link: string,
  walked_at: number,
): Promise<void> {
  await db.updateTable('destination_walk').set({ at_link, walked_at }).execute()
}
