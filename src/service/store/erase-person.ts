import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { defineWrite } from '../../database/write.ts'
import { startedBy } from './sessions.ts'

/** How many rows of each table a write changes, so that other writes needn't wait long. */
const ROWS_AT_ONCE = 1_000

/** The tables that name a person, with their keys and with SQL for the owner of a row. */
const TABLES = [
  ['links', 'id', 'owner_id'],
  ['link_history', 'id', '(select owner_id from links where links.id = link_id)'],
  [
    'link_destinations',
    'link_id, revision',
    '(select owner_id from links where links.id = link_id)',
  ],
] as const

/**
 * Erases a person from some of an owner's links and their history, and ends the person's sessions of the dashboard.
 *
 * @param personId null: everyone
 * @returns from how many rows; 0 if there are no more
 */
export const erasePerson = defineWrite(
  import.meta.url,
  'erasePerson',
  async (transaction, ownerId: string, personId: string | null) => {
    const { numDeletedRows: sessions } = await transaction
      .deleteFrom('dashboard_tokens')
      .where(startedBy(ownerId))
      .$if(personId !== null, (query) => query.where('person_id', '=', personId))
      .executeTakeFirstOrThrow()
    await transaction
      .updateTable('segments')
      .set({ person_id: '', key: null })
      .where('owner_id', '=', ownerId)
      .where('person_id', personId === null ? '!=' : '=', personId ?? '')
      .execute()
    const named =
      personId === null
        ? sql`(person_id is not null or person_name is not null)`
        : sql`person_id = ${personId}`
    let erased = sessions
    for (const [table, key, owner] of TABLES) {
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set person_id = null, person_name = null
        where (${sql.raw(key)}) in (
          select ${sql.raw(key)} from ${sql.table(table)}
          where ${named} and ${sql.raw(owner)} = ${ownerId} limit ${ROWS_AT_ONCE}
        )`.execute(transaction)
      erased += numAffectedRows ?? 0n
    }
    return Number(erased)
  },
)

/** Erases a person, or everyone, from all of an owner's links. @returns from how many rows */
export async function erasePeople(
  { write, eraseDeleted }: Pick<Database, 'write' | 'eraseDeleted'>,
  ownerId: string,
  personId: string | null,
): Promise<number> {
  let total = 0
  for (let erased = 1; erased > 0; total += erased) {
    erased = await write(erasePerson(ownerId, personId), ownerId)
  }
  if (total > 0) await eraseDeleted()
  return total
}
