import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/schema.ts'
import { addDays, DAY_MS, dayOf } from '../../timing/days.ts'
import type { ServiceContext } from './context.ts'
import { countLinks } from './link-counts.ts'
import { joinWithAnd, filterConditions } from './link-filter.ts'
import type { LinkRow } from './links.ts'

const CLICKED_DAYS = 30
const SELECTED_FOR_MS = 60 * 60_000

const works = (now: number): RawBuilder<unknown> =>
  joinWithAnd(filterConditions({ state: 'active' }, now))

const hasProblem = sql`exists (select 1 from destination_problems where link_id = links.id)`

/**
 * Selects links whose destination failed about a day ago, to check it again. If a link has changed or ended since, its
 * problem is deleted instead.
 */
export async function selectProblems(
  { db, longReads }: Pick<ServiceContext, 'db' | 'longReads'>,
  now: number,
  limit: number,
): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow & { is_over: number | boolean }>`
    select links.*, not (${works(now)} and problem.destination_hash = links.destination_hash) as is_over
    from destination_problems as problem join links on links.id = problem.link_id
    where problem.check_at <= ${now} order by problem.check_at limit ${limit}`.execute(longReads)
  const { over = [], current = [] } = Object.groupBy(rows, (row) =>
    row.is_over ? 'over' : 'current',
  )
  const toIds = (links: LinkRow[]): string[] => links.map(({ id }) => id)
  if (over.length > 0) {
    await db.deleteFrom('destination_problems').where('link_id', 'in', toIds(over)).execute()
  }
  // For an hour, the selected links aren't selected again, although some wait for their check: those to a slow host.
  if (current.length > 0) {
    await db
      .updateTable('destination_problems')
      .set({ check_at: now + SELECTED_FOR_MS })
      .where('link_id', 'in', toIds(current))
      .execute()
  }
  return current
}

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

function firstId(time: number): string {
  // The start of a version 7 UUID: 2026-11-28T00:00:00Z → “01a21f73-9c00”.
  const digits = Math.max(0, time).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/**
 * Selects the next links of the walk through all links, if they were clicked in the last 30 days. @returns the links,
 * and the id at which the walk continues (empty to start again)
 */
export async function selectWalked(
  { longReads }: Pick<ServiceContext, 'longReads'>,
  after: string,
  now: number,
  limit: number,
): Promise<{ links: LinkRow[]; end: string }> {
  const since = addDays(dayOf(now), -CLICKED_DAYS)
  const next = sql`select id from links where id > ${after} and deleted_at is null order by id limit ${limit}`
  const { rows: ends } = await sql<{ id: string | null; passed: number }>`
    select max(id) as id, count(*) as passed from (${next}) as next`.execute(longReads)
  const [{ id, passed } = { id: null, passed: 0 }] = ends
  if (id === null) return { links: [], end: '' }
  const { rows: links } = await sql<LinkRow>`
    select * from links where id > ${after} and id <= ${id} and ${works(now)} and not ${hasProblem}
      and exists (
        select 1 from clicks where link_id = links.id and day >= ${since} and people > 0
      )
    order by id`.execute(longReads)
  return { links, end: passed < limit ? '' : id }
}

/** The ids of leases (rows of `destination_walk`). Only the process that holds a lease does its work. */
export const WORK = { destinations: 1, removal: 2 } as const

const HELD_MS = 3 * 60_000
const MAX_WALKED = 5_000

/**
 * Takes or renews a lease for three minutes. @param first when work that has no row yet counts as done last
 * @returns undefined if another process holds the lease
 */
export async function hold(
  db: Db,
  { id, ownId, first }: { id: number; ownId: string; first: number },
  now: number,
) {
  await db
    .insertInto('destination_walk')
    .values({ id, held_by: ownId, held_until: 0, at_link: '', walked_at: first })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db
    .updateTable('destination_walk')
    .set({ held_by: ownId, held_until: now + HELD_MS })
    .where('id', '=', id)
    .where((is) => is.or([is('held_by', '=', ownId), is('held_until', '<', now)]))
    .returning(['at_link', 'walked_at'])
    .executeTakeFirst()
}

export async function holdWalk({ db }: Pick<ServiceContext, 'db'>, ownId: string, now: number) {
  const held = await hold(db, { id: WORK.destinations, ownId, first: now }, now)
  if (!held) return undefined
  // The walk takes a day, so this many links are due since the last step.
  const part = Math.floor(((await countLinks(db, {})) * (now - held.walked_at)) / DAY_MS)
  return { after: held.at_link, limit: Math.min(part, MAX_WALKED) }
}

export async function moveWalk(
  { db }: Pick<ServiceContext, 'db'>,
  at_link: string,
  walked_at: number,
): Promise<void> {
  await db
    .updateTable('destination_walk')
    .set({ at_link, walked_at })
    .where('id', '=', WORK.destinations)
    .execute()
}
