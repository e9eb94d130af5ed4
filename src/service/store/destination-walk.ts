import { sql, type RawBuilder } from 'kysely'
import { addDays, DAY_MS, dayOf } from '../../timing/days.ts'
import type { ServiceContext } from './context.ts'
import { LEASES, takeLease } from './leases.ts'
import { countLinks, joinWithAnd, filterConditions } from './link-filter.ts'
import type { LinkRow } from './links.ts'

const CLICKED_DAYS = 30
const SELECTED_FOR_MS = 60 * 60_000
const MAX_WALKED = 5_000
const NEW_LINK_AFTER_MS = 60 * 60_000

// How many failed and how many new links are selected at once.
const MAX_SELECTED = 200

const isActive = (now: number): RawBuilder<unknown> =>
  joinWithAnd(filterConditions({ state: 'active' }, now))

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

/** Reads the next part of the walk through all links, and selects those that were clicked in the last 30 days. */
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
    .set({ at_link: passed < limit ? '' : id, walked_at: now })
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
