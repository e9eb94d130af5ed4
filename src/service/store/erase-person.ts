import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { defineWrite } from '../../database/write.ts'
import { writeForLinks } from './purge.ts'
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

export const eraseNamesOfLinks = defineWrite(async function eraseNamesOfLinks(
  transaction,
  linkIds: readonly string[],
) {
  let erased = 0n
  for (const { name } of TABLES) {
    const { numAffectedRows } = await sql`
        update ${sql.table(name)} set person_id = null, person_name = null
        where ${sql.ref(name === 'links' ? 'id' : 'link_id')} in (${sql.join(linkIds)})
          and (person_id is not null or person_name is not null)`.execute(transaction)
    erased += numAffectedRows ?? 0n
  }
  return Number(erased)
})

export const eraseSessionsAndSegments = defineWrite(async function eraseSessionsAndSegments(
  transaction,
  ownerId: string,
) {
  const { numDeletedRows: sessions } = await transaction
    .deleteFrom('dashboard_tokens')
    .where(startedBy(ownerId))
    .executeTakeFirstOrThrow()
  const { numUpdatedRows: segments } = await transaction
    .updateTable('segments')
    .set({ person_id: '', key: null })
    .where('id', 'in', (query) =>
      query
        .selectFrom('segments')
        .select('id')
        .where('owner_id', '=', ownerId)
        .where('person_id', '!=', '')
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow()
  return { sessions: Number(sessions), segments: Number(segments) }
})

type Erasing = Pick<Database, 'db' | 'write' | 'eraseDeleted'>

/** Erases a person's id and name from an owner's links, their history, reports and sessions, but keeps the links. */
export async function erasePerson(
  { write, eraseDeleted }: Erasing,
  ownerId: string,
  personId: string,
): Promise<void> {
  let hasErased = false
  while (await write(erasePersonFromSome(ownerId, personId), ownerId)) hasErased = true
  if (hasErased) await eraseDeleted()
}

/** Erases all people like `erasePerson`. @returns the number of erased sessions and names of creators */
export async function eraseAllNames(database: Erasing, ownerId: string) {
  const { write, eraseDeleted } = database
  let total = 0
  let changedSegments: number
  do {
    const { sessions, segments } = await write(eraseSessionsAndSegments(ownerId), ownerId)
    total += sessions
    changedSegments = segments
  } while (changedSegments > 0)
  total += await writeForLinks(database, { ownerId }, eraseNamesOfLinks)
  if (total > 0) await eraseDeleted()
  return total
}
