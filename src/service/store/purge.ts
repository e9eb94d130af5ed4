import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { defineWrite } from '../../database/write.ts'

const ROWS_AT_ONCE = 1_000

/** Other processes see in the newest row of the history that links have changed, so it stays (watch-links.ts). */
const NEWEST = sql`(select max(id) from link_history)`

/**
 * Erases what is left of some deleted links, except their short URLs, and history from before a time in milliseconds
 * since 1970. Returns how many rows it has changed; 0 if there are no more.
 */
export const purgeSome = defineWrite(
  import.meta.url,
  'purgeSome',
  async (transaction, ownerId: string | null, before: number) => {
    const owned = ownerId === null ? sql`` : sql`and owner_id = ${ownerId}`
    const limited = sql`${owned} limit ${ROWS_AT_ONCE}`
    const noPerson = sql`person_id = null, person_name = null`
    const named = (table: string) =>
      sql`coalesce(${sql.ref(`${table}.person_id`)}, ${sql.ref(`${table}.person_name`)}) is not null`
    const history = sql`select link_history.id from link_history join links on links.id = link_id`
    const statements = [
      sql`delete from link_destinations where (link_id, revision) in (
        select link_id, link_destinations.revision
        from link_destinations join links on links.id = link_id
        where (deleted_at is not null or ended_at < ${before}) ${limited})`,
      sql`delete from link_history where id in (
        ${history} where at < ${before} and link_history.id < ${NEWEST} ${limited})`,
      sql`update link_history set changes = '{}', ${noPerson} where id in (
        ${history} where at < ${before} and link_history.id = ${NEWEST}
          and (changes <> '{}' or ${named('link_history')}) ${limited})`,
      sql`update link_history set ${noPerson} where id in (
        ${history} where deleted_at is not null and ${named('link_history')} ${limited})`,
      sql`update links set ${noPerson} where id in (
        select id from links where deleted_at is not null and ${named('links')} ${limited})`,
    ]
    let erased = 0n
    for (const statement of statements) {
      erased += (await statement.execute(transaction)).numAffectedRows ?? 0n
    }
    return Number(erased)
  },
)

export async function purge(
  { write, eraseDeleted }: Pick<Database, 'write' | 'eraseDeleted'>,
  ownerId: string | null,
  before: number,
): Promise<number> {
  let total = 0
  for (let erased = 1; erased > 0; total += erased) {
    erased = await write(purgeSome(ownerId, before), ownerId ?? undefined)
  }
  await eraseDeleted()
  return total
}
