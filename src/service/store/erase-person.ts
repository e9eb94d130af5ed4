import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { defineWrite } from '../../database/write.ts'
import { eraseRows, HAS_PERSON, NO_PERSON, writeForLinks } from './purge.ts'
import { startedBy } from './sessions.ts'

// Few, so that other writes don't wait long.
const ROWS_AT_ONCE = 1_000

const OWNER_OF_LINK = '(select owner_id from links where links.id = link_id)'

// The tables with names of people, and SQL for the link, the key and the owner of a row.
const TABLES = [
  { name: 'links', link: 'id', key: 'id', owner: 'owner_id' },
  { name: 'link_history', link: 'link_id', key: 'id', owner: OWNER_OF_LINK },
  { name: 'link_destinations', link: 'link_id', key: 'link_id, revision', owner: OWNER_OF_LINK },
]

/**
 * Erases a person from a limited number of rows, or everyone from sessions and segments if `personId` is null.
 * @returns the number of rows; call this until it is 0
 */
export const erasePersonFromSome = defineWrite(async function erasePersonFromSome(
  transaction,
  ownerId: string,
  personId: string | null,
) {
  const isErased = personId === null ? sql`person_id <> ''` : sql`person_id = ${personId}`
  const isOwned = (owner: string) => sql`${isErased} and ${sql.raw(owner)} = ${ownerId}`
  const names = personId === null ? [] : TABLES
  return eraseRows(transaction, [
    sql`delete from dashboard_tokens where ${isErased} and ${startedBy(ownerId)}`,
    sql`update segments set person_id = '', key = null where id in (
        select id from segments
        where ${isOwned('owner_id')} and person_id <> '' limit ${ROWS_AT_ONCE})`,
    ...names.map(({ name, key, owner }) => {
      const columns = sql.raw(key)
      return sql`update ${sql.table(name)} set ${NO_PERSON} where (${columns}) in (
          select ${columns} from ${sql.table(name)} where ${isOwned(owner)} limit ${ROWS_AT_ONCE})`
    }),
  ])
})

export const eraseNamesOfLinks = defineWrite(async function eraseNamesOfLinks(
  transaction,
  linkIds: readonly string[],
) {
  const ids = sql.join(linkIds)
  const statements = TABLES.map(
    ({ name, link }) => sql`update ${sql.table(name)} set ${NO_PERSON}
      where ${sql.ref(link)} in (${ids}) and ${HAS_PERSON}`,
  )
  return eraseRows(transaction, statements)
})

/**
 * Erases a person's id and name from an owner's links, their history, reports and sessions, but keeps the links. If
 * `personId` is null, everyone is erased.
 * @returns the number of changed rows
 */
export async function erasePerson(
  database: Pick<Database, 'db' | 'write' | 'eraseDeleted'>,
  ownerId: string,
  personId: string | null,
): Promise<number> {
  let total = 0
  let erased: number
  do {
    erased = await database.write(erasePersonFromSome(ownerId, personId), ownerId)
    total += erased
  } while (erased > 0)
  if (personId === null) total += await writeForLinks(database, { ownerId }, eraseNamesOfLinks)
  if (total > 0) await database.eraseDeleted()
  return total
}
