import { sql } from 'kysely'
import { CopyError } from '../errors.ts'
import { MIGRATION_NAMES } from '../migrations.ts'
import type { DbTransaction, Schema } from '../schema.ts'
import {
  checksums,
  countRows,
  requireEqual,
  type Checksums,
  type Rows,
  type Values,
} from './checksums.ts'
import { inTransaction, MOVED, ownedRows, type Header } from './owner-rows.ts'
import { isObject } from '../../values/unknown-values.ts'

const VALUES_AT_ONCE = 10_000

interface ImportOptions {
  isOwnHostname: (hostname: string) => boolean
  /** Computes the sums that reports read, which are not in the file. */
  addSums: (db: DbTransaction, ownerId: string) => Promise<void>
}

/**
 * Imports an owner that exportOwner has exported. It uses one transaction, and compares the rows with the checksums
 * before the commit.
 */
export async function importOwner(
  url: string,
  lines: AsyncIterable<string>,
  { isOwnHostname, addSums }: ImportOptions,
): Promise<{ owner: Header['owner']; rows: number; isBuiltIn: boolean }> {
  return inTransaction(url, 'write', async (db) => {
    let header: Header | undefined
    let table = ''
    for await (const line of lines) {
      // `npm run` prints the command first.
      if (!header && !line.startsWith('{')) continue
      const part = parse(line)
      if (!header) {
        header = checkedHeader(part)
        await addOwnerAndDomains(db, header, isOwnHostname)
      } else if ('end' in part) {
        const { owner, domains } = header
        const theirs = part.end as Checksums
        const ours = await checksums(ownedRows(db, owner.id))
        requireEqual(
          ours,
          theirs,
          'Nothing was imported, because these tables differ from the file',
        )
        await addSums(db, owner.id)
        const isBuiltIn = domains.some(({ domain_name }) => domain_name === '')
        return { owner, rows: countRows(theirs), isBuiltIn }
      } else {
        const some = part as unknown as Rows
        const moved = MOVED.find((one) => one.table === some.table)
        if (!moved) throw new CopyError(`The file has rows of another table: ${some.table}`)
        if (some.table !== table) await removeAdded(db, moved, header.owner.id)
        table = some.table
        await insert(db, some)
      }
    }
    throw new CopyError('The file is not a complete export of a workspace. Nothing was imported.')
  })
}

function parse(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line, (_key, value: unknown) =>
      isObject(value) && 'hex' in value ? Buffer.from(String(value.hex), 'hex') : value,
    ) as Record<string, unknown>
  } catch (cause) {
    throw new CopyError('The file is damaged. Nothing was imported.', { cause })
  }
}

function checkedHeader(part: Record<string, unknown>): Header {
  const header = part as unknown as Header
  const isExport = header.format === 'backhalf-workspace'
  if (isExport && header.schema.join() === MIGRATION_NAMES.join()) return header
  const what = isExport ? 'from another version of Backhalf' : 'not an export of a workspace'
  throw new CopyError(`The file is ${what}. Nothing was imported.`)
}

async function addOwnerAndDomains(
  db: DbTransaction,
  { owner, domains }: Header,
  isOwnHostname: (hostname: string) => boolean,
): Promise<void> {
  const ids = domains.map(({ id }) => id)
  const names = domains.map((one) => one.domain_name)
  // PostgreSQL doesn't accept an empty list.
  const existing = await db
    .selectFrom('domains')
    .selectAll()
    .where((is) => is.or([is('id', 'in', [...ids, '']), is('domain_name', 'in', [...names, ''])]))
    .execute()
  for (const { id, domain_name: name, owner_id } of domains) {
    const sameId = existing.find((one) => one.id === id)
    const isShared = owner_id === null && sameId?.owner_id === null && sameId.domain_name === name
    const isOthers = existing.some((one) => one.domain_name === name && one.owner_id !== null)
    if ((sameId && !isShared) || isOthers || (name !== '' && isOwnHostname(name))) {
      throw new CopyError(
        `The domain record “${id}” (${name}) is a different one in this database, or its hostname belongs to another workspace or to SERVICE_PUBLIC_URL. Nothing was imported.`,
      )
    }
  }
  await insertNew(db, 'owners', [owner])
  const missing = domains.filter(({ id }) => !existing.some((one) => one.id === id))
  if (missing.length > 0) await insertNew(db, 'domains', missing)
}

async function insertNew(db: DbTransaction, table: keyof Schema, objects: object[]) {
  const columns = Object.keys(objects[0] ?? {})
  await insert(db, {
    table,
    columns,
    rows: objects.map((object) => Object.values(object) as Values),
  })
}

async function insert(db: DbTransaction, { table, columns, rows }: Rows): Promise<void> {
  const size = Math.max(1, Math.floor(VALUES_AT_ONCE / columns.length))
  for (let start = 0; start < rows.length; start += size) {
    const batch = rows.slice(start, start + size)
    const { numAffectedRows } = await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
      values ${sql.join(batch.map((row) => sql`(${sql.join(row)})`))} on conflict do nothing`.execute(
      db,
    )
    const existing = batch.length - Number(numAffectedRows ?? 0)
    if (existing === 0) continue
    throw new CopyError(
      `This database already has ${existing} of the file’s rows of ${table}: the workspace, or one of its IDs${table === 'links' ? ' or short URLs' : ''}. Nothing was imported.`,
    )
  }
}

/**
 * Removes rows that triggers have added for the imported rows of earlier tables, because the file contains these rows,
 * too.
 */
async function removeAdded(
  db: DbTransaction,
  { table, by }: (typeof MOVED)[number],
  ownerId: string,
): Promise<void> {
  if (by === 'id') return
  const ownLinks = sql`link_id in (select id from links where owner_id = ${ownerId})`
  await sql`delete from ${sql.table(table)}
    where ${by === 'link_id' ? ownLinks : sql`owner_id = ${ownerId}`}`.execute(db)
}
