import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { DbTransaction } from '../../database/schema.ts'
import { defineWrite, type Write } from '../../database/write.ts'
import type { LinkRow } from './links.ts'
import { startedBy } from './sessions.ts'

// The newest row of the history isn't deleted, because other processes read on from it (watch-links.ts).
const NEWEST = sql`(select max(id) from link_history)`

const NO_PERSON = sql`person_id = null, person_name = null`
const HAS_PERSON = sql`(person_id is not null or person_name is not null)`

/** Erases deleted links except their short URLs, and history before a time. @returns the number of erased rows */
export const purgeLinks = defineWrite(async function purgeLinks(
  transaction,
  linkIds: readonly string[],
  before: number,
) {
  const ids = sql`(${sql.join(linkIds)})`
  const deletedIds = sql`(select id from links where id in ${ids} and deleted_at is not null)`
  return eraseRows(transaction, [
    sql`delete from link_destinations
        where link_id in ${ids} and (ended_at < ${before} or link_id in ${deletedIds})`,
    sql`delete from link_history where link_id in ${ids} and at < ${before} and id < ${NEWEST}`,
    sql`update link_history set changes = '{}', ${NO_PERSON}
        where link_id in ${ids} and at < ${before} and id = ${NEWEST} and (changes <> '{}' or ${HAS_PERSON})`,
    sql`update link_history set ${NO_PERSON} where link_id in ${deletedIds} and ${HAS_PERSON}`,
    sql`update links set ${NO_PERSON} where id in ${deletedIds} and ${HAS_PERSON}`,
  ])
})

/** @returns the number of deleted and changed rows */
async function eraseRows(
  transaction: DbTransaction,
  statements: readonly RawBuilder<unknown>[],
): Promise<number> {
  let erased = 0n
  for (const statement of statements) {
    erased += (await statement.execute(transaction)).numAffectedRows ?? 0n
  }
  return Number(erased)
}

/** Purges the links of an owner, or of all owners if `ownerId` is null. @returns the number of erased rows */
export async function purge(
  database: Pick<Database, 'db' | 'write' | 'eraseDeleted'>,
  ownerId: string | null,
  before: number,
): Promise<number> {
  const total = await writeForLinks(database, { ownerId, onlyDeleted: before === 0 }, (linkIds) =>
    purgeLinks(linkIds, before),
  )
  await database.eraseDeleted()
  return total
}

// Few, because a link has up to 1,000 changes, and other writes wait.
const LINKS_AT_ONCE = 100

const LINKS_READ_AT_ONCE = 5_000

/**
 * Runs a write for an owner's links, 100 at a time. Their ids are read first, so that no write has to search for its
 * rows. The links of all owners are read, because no index has an owner's deleted links.
 * @returns the number of erased rows
 */
async function writeForLinks(
  { db, write }: Pick<Database, 'db' | 'write'>,
  { ownerId, onlyDeleted = false }: { ownerId: string | null; onlyDeleted?: boolean },
  defineErasure: (linkIds: readonly string[]) => Write<number>,
): Promise<number> {
  let total = 0
  let lastId: string | undefined = ''
  while (lastId !== undefined) {
    const links: Pick<LinkRow, 'id' | 'owner_id' | 'deleted_at'>[] = await db
      .selectFrom('links')
      .select(['id', 'owner_id', 'deleted_at'])
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(LINKS_READ_AT_ONCE)
      .execute()
    const ids = links
      .filter((link) => ownerId === null || link.owner_id === ownerId)
      .filter((link) => !onlyDeleted || link.deleted_at !== null)
      .map(({ id }) => id)
    for (let start = 0; start < ids.length; start += LINKS_AT_ONCE) {
      const batch = ids.slice(start, start + LINKS_AT_ONCE)
      total += await write(defineErasure(batch), ownerId ?? undefined)
    }
    lastId = links.at(-1)?.id
  }
  return total
}

// Few, so that other writes don't wait long.
const ROWS_AT_ONCE = 1_000

const OWNER_OF_LINK = '(select owner_id from links where links.id = link_id)'

// The tables with names of people, and SQL for the link, the key and the owner of a row.
const TABLES = [
  { name: 'links', link: 'id', key: 'id', owner: 'owner_id' },
  { name: 'link_history', link: 'link_id', key: 'id', owner: OWNER_OF_LINK },
  { name: 'link_destinations', link: 'link_id', key: 'link_id, revision', owner: OWNER_OF_LINK },
]

/** Erases a person, or all people from sessions and segments (null), from some rows. Call it until it returns 0. */
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

/** Erases a person, or all people (null), from an owner's data, but keeps the links. @returns the changed rows */
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
