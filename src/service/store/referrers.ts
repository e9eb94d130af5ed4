import { sql, type Kysely } from 'kysely'
import type { ReferrersTable, Schema } from '../../database/schema.ts'

/** How many hosts are kept for a link and day. People from further ones count without a host. */
export const MAX_HOSTS = 100

/** The people who came to a link on a day from each host. */
export interface CountedReferrers {
  link_id: string
  day: string
  hosts: ReadonlyMap<string, number>
}

/**
 * Adds people to the stored hosts, except those of domain records. The transaction must have written the clicks of
 * the same links and days, which lets no other process add hosts to them until it ends.
 */
export async function addReferrers(
  transaction: Kysely<Schema>,
  counted: readonly CountedReferrers[],
): Promise<void> {
  const withHosts = counted.filter(({ hosts }) => hosts.size > 0)
  if (withHosts.length === 0) return
  const own = await ownHosts(transaction, withHosts)
  const stored = await storedHosts(transaction, withHosts)
  const rows = withHosts.flatMap(({ link_id, day, hosts }): ReferrersTable[] => {
    const known = stored.get(`${link_id} ${day}`) ?? new Set()
    let free = MAX_HOSTS - known.size
    return [...hosts]
      .filter(([host]) => !own.has(host) && (known.has(host) || free-- > 0))
      .map(([host, people]) => ({ link_id, day, host, people }))
  })
  if (rows.length === 0) return
  await transaction
    .insertInto('referrers')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['link_id', 'day', 'host'])
        .doUpdateSet({ people: sql`referrers.people + excluded.people` }),
    )
    .execute()
}

/** The hosts that are the service's own, because short URLs are on them. */
async function ownHosts(
  db: Kysely<Schema>,
  counted: readonly CountedReferrers[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('domains')
    .select('domain_name')
    .where('domain_name', 'in', [...new Set(counted.flatMap(({ hosts }) => [...hosts.keys()]))])
    .execute()
  return new Set(rows.map(({ domain_name: name }) => name))
}

/** The stored hosts of links and days. */
async function storedHosts(
  db: Kysely<Schema>,
  counted: readonly CountedReferrers[],
): Promise<Map<string, Set<string>>> {
  const rows = await db
    .selectFrom('referrers')
    .select(['link_id', 'day', 'host'])
    .where('link_id', 'in', [...new Set(counted.map(({ link_id: id }) => id))])
    .where('day', 'in', [...new Set(counted.map(({ day }) => day))])
    .execute()
  const hosts = new Map<string, Set<string>>()
  for (const { link_id: id, day, host } of rows) {
    const key = `${id} ${day}`
    hosts.set(key, (hosts.get(key) ?? new Set()).add(host))
  }
  return hosts
}

/**
 * Returns the hosts from which most people came to a link, most first.
 *
 * @param longReads a year has up to 36,600 rows
 * @param range the first and the last day, `YYYY-MM-DD`
 */
export async function topReferrers(
  longReads: Kysely<Schema>,
  linkId: string,
  { from, to }: { from: string; to: string },
  limit: number,
): Promise<{ host: string; people: number }[]> {
  return (
    longReads
      .selectFrom('referrers')
      // PostgreSQL returns a sum as text.
      .select((select) => [
        'host',
        select.cast<number>(select.fn.sum('people'), 'bigint').as('people'),
      ])
      .where('link_id', '=', linkId)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .groupBy('host')
      .orderBy('people', 'desc')
      .orderBy('host')
      .limit(limit)
      .execute()
  )
}
