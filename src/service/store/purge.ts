import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { defineWrite } from '../../database/write.ts'

// The newest row of the history isn't deleted, because other processes read on from it (watch-links.ts).
const NEWEST = sql`(select max(id) from link_history)`

/** Erases deleted links except their short URLs, and history before a time. @returns the number of erased rows */
export const purgeLinks = defineWrite(async function purgeLinks(
  transaction,
  linkIds: readonly string[],
  before: number,
) {
  const ids = sql`(${sql.join(linkIds)})`
  const deletedIds = sql`(select id from links where id in ${ids} and deleted_at is not null)`
  const noPerson = sql`person_id = null, person_name = null`
  const isNamed = sql`(person_id is not null or person_name is not null)`
  const statements = [
    sql`delete from link_destinations
        where link_id in ${ids} and (ended_at < ${before} or link_id in ${deletedIds})`,
    sql`delete from link_history where link_id in ${ids} and at < ${before} and id < ${NEWEST}`,
    sql`update link_history set changes = '{}', ${noPerson}
        where link_id in ${ids} and at < ${before} and id = ${NEWEST} and (changes <> '{}' or ${isNamed})`,
    sql`update link_history set ${noPerson} where link_id in ${deletedIds} and ${isNamed}`,
    sql`update links set ${noPerson} where id in ${deletedIds} and ${isNamed}`,
  ]
  let erased = 0n
  for (const statement of statements) {
    erased += (await statement.execute(transaction)).numAffectedRows ?? 0n
  }
  return Number(erased)
})

// Few, because a link has up to 1,000 changes, and other writes wait.
const LINKS_AT_ONCE = 100

/** Purges the links of an owner, or of all owners if `ownerId` is null. @returns the number of erased rows */
export async function purge(
  { longReads, write, eraseDeleted }: Pick<Database, 'longReads' | 'write' | 'eraseDeleted'>,
  ownerId: string | null,
  before: number,
): Promise<number> {
  let total = 0
  let lastId: string | undefined = ''
  while (lastId !== undefined) {
    const links: { id: string }[] = await longReads
      .selectFrom('links')
      .select('id')
      .where('id', '>', lastId)
      .$if(ownerId !== null, (query) => query.where('owner_id', '=', ownerId))
      .$if(before === 0, (query) => query.where('deleted_at', 'is not', null))
      .orderBy('id')
      .limit(LINKS_AT_ONCE)
      .execute()
    const ids = links.map(({ id }) => id)
    if (ids.length > 0) total += await write(purgeLinks(ids, before), ownerId ?? undefined)
    lastId = ids.at(-1)
  }
  await eraseDeleted()
  return total
}
