import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql, type Transaction } from 'kysely'
import { CopyError } from '../errors.ts'
import { recordedIn, schemaVersion } from '../migrations.ts'
import { PATIENT, postgresDialect } from '../postgres.ts'
import type { Schema } from '../schema.ts'
import { SQLITE, sqliteCode } from '../sqlite-errors.ts'
import { checksums, countRows, requireEqual, type Row, type RowBatch } from './checksums.ts'
import {
  createTables,
  dropIndexesAndTriggers,
  insertRows,
  readRows,
  withReason,
} from './postgres-target.ts'

/**
 * All tables, in an order in which rows refer only to earlier tables. The values are for exports (export-owner.ts): the
 * column that leads to the owner, `header` if the rows are in the export's first line, null if they aren't exported.
 */
export const COPIED_TABLES = {
  owners: 'header',
  public_hosts: null,
  backups: null,
  backfills: null,
  domains: 'header',
  api_keys: 'owner_id',
  links: 'id',
  tag_sets: 'owner_id',
  link_counts: 'owner_id',
  // An import assigns segments to the links anew.
  segments: null,
  segment_clicks: null,
  click_totals: 'link_id',
  preview_images: 'link_id',
  clicks: 'link_id',
  referrers: 'link_id',
  link_history: 'link_id',
  link_destinations: 'link_id',
  destination_problems: 'link_id',
  destination_walk: null,
  idempotent_answers: null,
  dashboard_passwords: null,
  dashboard_tokens: null,
  installations: null,
  workspace_connections: null,
  workspace_settings: null,
  recent_utm: null,
  made_links: null,
  alerts: null,
  link_approvals: null,
  imports: null,
  import_rows: null,
  deliveries: null,
  home_tabs: null,
} as const satisfies Record<keyof Schema, 'owner_id' | 'id' | 'link_id' | 'header' | null>

export const COPIED_NAMES = Object.keys(COPIED_TABLES) as (keyof Schema)[]

const MAX_ROWS_AT_ONCE = 1_000
const MAX_CHARACTERS_AT_ONCE = 4_000_000

/** Copies SQLite's data to an empty PostgreSQL database, and compares both before the commit. @throws CopyError */
export async function copyDatabase(path: string, url: string, report: (line: string) => void) {
  using source = openSource(path)
  await using db = new Kysely<never>({ dialect: postgresDialect(url, PATIENT) })
  const target = await withReason('The PostgreSQL database can’t be used', () =>
    db.startTransaction().setIsolationLevel('read committed').execute(),
  )
  try {
    const columnsOf = await createTables(target)
    const restore = await dropIndexesAndTriggers(target)
    const copied = await checksums(sourceRows(source, columnsOf, report), (batch) =>
      insertRows(target, batch),
    )
    report('building indexes')
    await restore()
    const stored = await checksums(targetRows(target, columnsOf, report))
    requireEqual(copied, stored, 'Nothing was copied, because these tables of the copy differ')
    report('committing, and collecting statistics')
    await target.commit().execute()
    // PostgreSQL plans queries with these statistics. If this fails, PostgreSQL collects them itself later.
    const tables = sql.join(COPIED_NAMES.map((table) => sql.table(table)))
    await sql`vacuum (analyze) ${tables}`.execute(db).catch(() => undefined)
    return { tables: COPIED_NAMES.length, rows: countRows(stored) }
  } finally {
    if (!target.isCommitted) await target.rollback().execute()
  }
}

// Opens the SQLite database, and keeps other processes from writing to it until it is closed. The write-ahead log is
// moved into the file. Nothing else is changed.
function openSource(path: string): DatabaseSync {
  if (!existsSync(path)) throw new CopyError(`There is no database at ${path}.`)
  const source = new DatabaseSync(path, { timeout: 0 })
  try {
    // SQLite moves the log only if no other process has the database open. The transaction keeps others from writing.
    source.exec('PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE')
    const { problem, pending } = schemaVersion(recordedIn(source))
    if (problem !== undefined)
      throw new CopyError(`The SQLite database can’t be copied. ${problem}`)
    if (pending.length === 0) return source
    throw new CopyError(
      'The SQLite database is from an earlier version of Backhalf. Start this version with it once, stop it, and try again.',
    )
  } catch (cause) {
    source.close()
    if (cause instanceof CopyError) throw cause
    const reason =
      sqliteCode(cause) === SQLITE.BUSY
        ? 'The SQLite database is in use. Stop every process of Backhalf first. Otherwise, later changes would be missing from the copy.'
        : `It is not a database of Backhalf, it is damaged, or it can’t be opened: ${path}`
    throw new CopyError(reason, { cause })
  }
}

// What is read instead of a table.
const SOURCES: Record<string, string> = {
  // A back-fill starts over, because its position would be wrong if PostgreSQL sorts rows in another order.
  backfills: '(select name, null as position, 0 as filled from backfills)',
  // An earlier short URL refers to its link, so it comes after the links.
  links: `(select * from links where alias_of is null
    union all select * from links where alias_of is not null)`,
}

async function* sourceRows(
  source: DatabaseSync,
  columnsOf: ReadonlyMap<string, string[]>,
  report: (line: string) => void,
): AsyncIterable<RowBatch> {
  for (const table of COPIED_NAMES) {
    const total = Number(source.prepare(`select count(*) as count from ${table}`).get()?.['count'])
    if (total > 0) report(`copying ${table}: ${total.toLocaleString('en')} rows`)
    const columns = columnsOf.get(table) ?? []
    const statement = source.prepare(`select ${columns.join(', ')} from ${SOURCES[table] ?? table}`)
    statement.setReturnArrays(true)
    // Node's types don't know that rows are arrays now.
    const allRows = statement.iterate() as Iterable<unknown> as Iterable<Row>
    for (const rows of batchRows(allRows)) yield { table, columns, rows }
  }
}

async function* targetRows(
  target: Transaction<never>,
  columnsOf: ReadonlyMap<string, string[]>,
  report: (line: string) => void,
): AsyncIterable<RowBatch> {
  for (const table of COPIED_NAMES) {
    report(`comparing ${table}`)
    yield* readRows(target, table, columnsOf.get(table) ?? [])
  }
}

function* batchRows(rows: Iterable<Row>): Iterable<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    for (const value of row)
      characters += typeof value === 'object' ? (value?.length ?? 0) : String(value).length
    if (batch.length < MAX_ROWS_AT_ONCE && characters < MAX_CHARACTERS_AT_ONCE) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}
