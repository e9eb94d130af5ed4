import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { defineWrite } from '../../database/write.ts'

/** How many rows of each table a write changes, so that other writes needn't wait long. */
const ROWS_AT_ONCE = 1_000

/** The processes see that links have changed in the newest rows of the history, so the last one stays (watch-links.ts). */
const NEWEST = sql`(select max(id) from link_history)`

/**
 * Erases what is left of some deleted links, except their short URLs, and some of the history.
 *
 * @param ownerId null: of all owners
 * @param before the time before which all history is erased, in milliseconds since 1970
 * @returns from how many rows; 0 if there are no more
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

/** Erases all of it, as `purgeSome` does. @returns from how many rows */
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
