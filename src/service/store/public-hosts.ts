import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/** How many hosts are remembered: far more than anyone gives up. */
const MAX_HOSTS = 100

/**
 * The hosts that SERVICE_PUBLIC_URL has had, with their ports, the latest first. Short URLs on the built-in domain
 * record started with one of them.
 */
export async function readPublicHosts(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db
    .selectFrom('public_hosts')
    .select('host')
    .orderBy('used_at', 'desc')
    .orderBy('host')
    .limit(MAX_HOSTS)
    .execute()
  return rows.map(({ host }) => host)
}

/**
 * Remembers the host of SERVICE_PUBLIC_URL.
 *
 * @param now milliseconds since 1970
 * @returns all hosts that it has had, the current one first
 */
export async function rememberPublicHost(
  db: Kysely<Schema>,
  host: string,
  now: number,
): Promise<[current: string, ...earlier: string[]]> {
  const row = { host, used_at: now }
  await db
    .insertInto('public_hosts')
    .values(row)
    .onConflict((conflict) => conflict.column('host').doUpdateSet(row))
    .execute()
  const hosts = await readPublicHosts(db)
  return [host, ...hosts.filter((one) => one !== host)]
}
