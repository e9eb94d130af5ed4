import { sql } from 'kysely'
import { isObject } from '../../values/unknown-values.ts'
import { CopyError } from '../errors.ts'
import { MIGRATION_NAMES } from '../migrations.ts'
import type { DbTransaction } from '../schema.ts'
import { checksums, countRows, requireEqual, type Cell, type RowBatch } from './checksums.ts'
import {
  FORMAT,
  inTransaction,
  lineSchema,
  MOVED_TABLES,
  ownedRows,
  type Header,
  type Line,
} from './export-owner.ts'

const VALUES_AT_ONCE = 10_000

const UNEQUAL = 'Nothing was imported, because these tables differ from the file'

interface ImportOptions {
  isOwnHostname: (hostname: string) => boolean
  /** Computes the sums that reports read, which are not in the file. */
  addSums: (db: DbTransaction, ownerId: string) => Promise<void>
}

/**
 * Imports an owner, such as a workspace, from the lines that exportOwner has written. All rows are added in one
 * transaction, and compared with the file's checksums before the commit.
 * @throws CopyError if the file is damaged, or if the database has such rows already. Nothing is imported then
 */
export async function importOwner(
  url: string,
  lines: AsyncIterable<string>,
  { isOwnHostname, addSums }: ImportOptions,
): Promise<{ owner: Header['owner']; rows: number; isBuiltIn: boolean }> {
  return inTransaction(url, 'write', async (db) => {
    let header: Header | undefined
    let currentTable: string | undefined
    for await (const text of lines) {
      // `npm run` prints the command before the output of the export.
      if (!header && !text.startsWith('{')) continue
      const line = parseLine(text)
      if (!header) {
        header = requireHeader(line)
        await addOwnerAndDomains(db, header, isOwnHostname)
      } else if ('end' in line) {
        const { owner, domains } = header
        const imported = await checksums(ownedRows(db, owner.id))
        requireEqual(imported, line.end, UNEQUAL)
        await addSums(db, owner.id)
        const isBuiltIn = domains.some(({ domain_name }) => domain_name === '')
        return { owner, rows: countRows(line.end), isBuiltIn }
      } else if ('table' in line) {
        if (line.table !== currentTable) await removeTriggeredRows(db, line.table, header.owner.id)
        currentTable = line.table
        await insertBatch(db, line)
      }
    }
    throw refused('The file is not a complete export of a workspace.')
  })
}

function refused(reason: string, options?: ErrorOptions): CopyError {
  return new CopyError(`${reason} Nothing was imported.`, options)
}

function parseLine(text: string): Line {
  try {
    const line: unknown = JSON.parse(text, (_key, value: unknown) =>
      isObject(value) && 'hex' in value ? Buffer.from(String(value['hex']), 'hex') : value,
    )
    return lineSchema.parse(line)
  } catch (cause) {
    throw refused('The file is damaged, or it is not an export of a workspace.', { cause })
  }
}

function requireHeader(line: Line): Header {
  if (!('format' in line) || line.format !== FORMAT) {
    throw refused('The file is not an export of a workspace.')
  }
  if (line.schema.join() !== MIGRATION_NAMES.join()) {
    throw refused('The file is from another version of Backhalf.')
  }
  return line
}

async function addOwnerAndDomains(
  db: DbTransaction,
  { owner, domains }: Header,
  isOwnHostname: (hostname: string) => boolean,
): Promise<void> {
  const sameOwner = db.selectFrom('owners').select('id').where('id', '=', owner.id)
  if (await sameOwner.executeTakeFirst()) throw refused('This database already has the workspace.')
  const existing = await db.selectFrom('domains').selectAll().execute()
  for (const { id, domain_name: name, owner_id: ownerId } of domains) {
    if (name !== '' && isOwnHostname(name)) {
      throw refused(`The hostname ${name} is that of SERVICE_PUBLIC_URL here.`)
    }
    if (existing.some((record) => record.domain_name === name && record.owner_id !== null)) {
      throw refused(`The hostname ${name} belongs to another workspace in this database.`)
    }
    const sameId = existing.find((record) => record.id === id)
    const isShared = ownerId === null && sameId?.owner_id === null && sameId.domain_name === name
    if (sameId && !isShared) {
      throw refused(`This database has another domain record with the ID “${id}” (${name}).`)
    }
  }
  await insertObjects(db, 'owners', [owner])
  const missing = domains.filter(({ id }) => !existing.some((record) => record.id === id))
  await insertObjects(db, 'domains', missing)
}

async function insertObjects(db: DbTransaction, table: string, objects: Record<string, Cell>[]) {
  const columns = Object.keys(objects[0] ?? {})
  await insertBatch(db, { table, columns, rows: objects.map((object) => Object.values(object)) })
}

async function insertBatch(db: DbTransaction, { table, columns, rows }: RowBatch): Promise<void> {
  const size = Math.max(1, Math.floor(VALUES_AT_ONCE / columns.length))
  for (let start = 0; start < rows.length; start += size) {
    const batch = rows.slice(start, start + size)
    const { numAffectedRows } = await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
      values ${sql.join(batch.map((row) => sql`(${sql.join(row)})`))} on conflict do nothing`.execute(
      db,
    )
    const taken = batch.length - Number(numAffectedRows ?? 0)
    const what = table === 'links' ? 'ID or short URL of links' : `ID of rows of ${table}`
    if (taken > 0) throw refused(`This database already has the ${what} in the file (${taken}).`)
  }
}

// Removes the rows that triggers have added for imported rows of earlier tables, because the file has these rows, too.
async function removeTriggeredRows(db: DbTransaction, table: string, ownerId: string) {
  const moved = MOVED_TABLES.find(({ name }) => name === table)
  if (!moved) throw refused(`The file has rows of another table: ${table}.`)
  if (moved.ownedBy === 'id') return // Triggers add no links.
  const isOwned =
    moved.ownedBy === 'owner_id'
      ? sql`owner_id = ${ownerId}`
      : sql`link_id in (select id from links where owner_id = ${ownerId})`
  await sql`delete from ${sql.table(table)} where ${isOwned}`.execute(db)
}
