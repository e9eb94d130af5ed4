import type { Database } from '../database/database.ts'
import type { Addresses } from './addresses.ts'

/**
 * Back-halves are unique by hostname, and the built-in record's hostname is the public address's.
 * A second record of that hostname would let two links share one short URL.
 *
 * @throws when there is one
 */
export async function checkPublicHostname({ db }: Database, addresses: Addresses): Promise<void> {
  const rows = await db.selectFrom('domains').select(['id', 'domain_name']).execute()
  const clash = rows.find((row) => row.domain_name && addresses.isBuiltIn(row.domain_name))
  if (!clash) return
  throw new Error(
    `SERVICE_PUBLIC_URL has the hostname ${clash.domain_name}, which the domain record ${clash.id} has already. Use another hostname; or, if no link is on that record: npm run admin -- domains remove ${clash.id}`,
  )
}
