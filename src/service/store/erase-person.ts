import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { startedBy } from './sessions.ts'

// Few, so that other writes don't wait long.
const ROWS_AT_ONCE = 1_000

const OWNER_OF_LINK = '(select owner_id from links where links.id = link_id)'

// The tables with names of people, and SQL for the key and the owner of a row.
const TABLES = [
  { name: 'links', key: 'id', owner: 'owner_id' },
  { name: 'link_history', key: 'id', owner: OWNER_OF_LINK },
  { name: 'link_destinations', key: 'link_id, revision', owner: OWNER_OF_LINK },
]

/** Erases a person from a limited number of rows. @returns the number of rows; call this until it is 0 */
export const erasePersonFromSome = defineWrite(async function erasePersonFromSome(
  transaction,
  ownerId: string,
  personId: string,
) {
  const { numDeletedRows: sessions } = await transaction
    .deleteFrom('dashboard_tokens')
    .where('person_id', '=', personId)
    .where(startedBy(ownerId))
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('segments')
    .set({ person_id: '', key: null })
    .where('owner_id', '=', ownerId)
    .where('person_id', '=', personId)
    .execute()
  let erased = sessions
  for (const { name, key, owner } of TABLES) {
    const { numAffectedRows } = await sql`
        update ${sql.table(name)} set person_id = null, person_name = null
        where (${sql.raw(key)}) in (
          select ${sql.raw(key)} from ${sql.table(name)}
          where person_id = ${personId} and ${sql.raw(owner)} = ${ownerId} limit ${ROWS_AT_ONCE}
        )`.execute(transaction)
    erased += numAffectedRows ?? 0n
  }
  return Number(erased)
})

/**
 * Erases a person's id and name from an owner's links, their history, reports and sessions, but keeps the links.
 * @param personId without it, all people are erased
 * @returns the number of erased sessions and names of creators
 */
export async function erasePeople(
  { longReads, write, eraseDeleted }: Pick<Database, 'longReads' | 'write' | 'eraseDeleted'>,
  ownerId: string,
  personId?: string,
): Promise<number> {
  const people = personId === undefined ? await listPeople(longReads, ownerId) : [personId]
  let total = 0
  for (const person of people) {
    let erased: number
    do {
      erased = await write(erasePersonFromSome(ownerId, person), ownerId)
      total += erased
    } while (erased > 0)
  }
  if (total > 0) await eraseDeleted()
  return total
}

async function listPeople(longReads: Db, ownerId: string): Promise<string[]> {
  const named = TABLES.map(
    ({ name, owner }) =>
      sql`select person_id from ${sql.table(name)} where ${sql.raw(owner)} = ${ownerId}`,
  )
  const { rows } = await sql<{ person_id: string }>`
    select person_id from (
      select person_id from dashboard_tokens where ${startedBy(ownerId)}
      union select person_id from segments where owner_id = ${ownerId}
      union ${sql.join(named, sql` union `)}
    ) as people where person_id <> ''`.execute(longReads)
  return rows.map(({ person_id }) => person_id)
}
