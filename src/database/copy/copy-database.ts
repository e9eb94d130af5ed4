import { createHash } from 'node:crypto'
import { CopyError } from '../errors.ts'
import { openTarget, prepareTarget, type Target } from './postgres-target.ts'
import { openSource, type Source } from './sqlite-source.ts'
import { COPIED_NAMES, type Values } from './tables.ts'

/** How many rows, and how many characters of text, are sent at once. */
const [MAX_ROWS, MAX_CHARACTERS] = [1_000, 4_000_000]

/** How often progress is reported, in milliseconds. */
const REPORT_EVERY_MS = 2_000

export interface CopyOutcome {
  tables: number
  rows: number
  /** A line for each table that differs. If there are any, nothing was copied. */
  differences: string[]
}

interface CopyOptions {
  /** The path of the SQLite file. */
  from: string
  /** The URL of the PostgreSQL database. */
  to: string
  /** Receives a line about what is being done. */
  report: (line: string) => void
}

/**
 * Copies all of Backhalf's data from a SQLite file to a PostgreSQL database that has none, in one transaction, and
 * compares both before the commit. If it fails or is killed, the PostgreSQL database is as empty as before.
 *
 * @throws CopyError if the data can't be copied
 */
export async function copyDatabase({ from, to, report }: CopyOptions): Promise<CopyOutcome> {
  const source = openSource(from)
  try {
    await prepareTarget(to)
    const target = await openTarget(to)
    try {
      const columns = await target.columns()
      checkColumns(source, columns)
      await lockEmpty(target)
      const restore = await dropIndexesAndTriggers(target)
      const copied = new Map<string, Checksum>()
      for (const table of COPIED_NAMES) {
        copied.set(table, await copyTable(source, target, table, columns.get(table) ?? [], report))
      }
      report('building indexes')
      await restore()
      await setSequences(target)
      const outcome: CopyOutcome = { tables: copied.size, rows: 0, differences: [] }
      for (const [table, checksum] of copied) {
        report(`comparing ${table}`)
        const found = await checksumOf(target.rows(table, columns.get(table) ?? []))
        outcome.rows += found.rows
        outcome.differences.push(...differences(table, checksum, found))
      }
      if (outcome.differences.length > 0) return outcome
      await target.commit()
      await collectStatistics(target, report)
      return outcome
    } finally {
      await target.close()
    }
  } finally {
    source.close()
  }
}

/** @throws CopyError if the databases don't have the same tables and columns */
function checkColumns(source: Source, columns: ReadonlyMap<string, readonly string[]>): void {
  for (const table of COPIED_NAMES) {
    const ours = source.columns(table).map(({ name }) => name)
    if (ours.sort().join() === columns.get(table)?.toSorted().join()) continue
    throw new CopyError(
      `The table ${table} has other columns in PostgreSQL. Was it used by another version of Backhalf?`,
    )
  }
}

/**
 * Locks all tables, so that no other process uses them until the commit.
 *
 * @throws CopyError if one of them has rows, or is in use
 */
async function lockEmpty(target: Target): Promise<void> {
  const names = COPIED_NAMES.join(', ')
  await target.query(`lock table ${names} in access exclusive mode`).catch((cause: unknown) => {
    throw new CopyError('The PostgreSQL database is in use. Stop Backhalf there too.', { cause })
  })
  for (const table of COPIED_NAMES) {
    // Migrations add the built-in domain record.
    const but = table === 'domains' ? ` where id <> 'default'` : ''
    const [row] = await target.query(`select 1 from ${table}${but} limit 1`)
    if (!row) continue
    throw new CopyError(
      `The PostgreSQL database is not empty: ${table} has rows. Create an empty database.`,
    )
  }
  await target.query('delete from domains')
}

/** The counts and totals that this trigger keeps are copied. Other processes that are notified can't have read a row. */
const NOT_RUN = { links: 'links_added', link_history: 'link_history_added' }

/**
 * Drops the indexes that no constraint needs, because building them afterwards is much faster, and turns off triggers.
 *
 * @returns a function that restores both
 */
async function dropIndexesAndTriggers(target: Target): Promise<() => Promise<void>> {
  const setTriggers = async (what: 'disable' | 'enable'): Promise<void> => {
    for (const [table, trigger] of Object.entries(NOT_RUN)) {
      await target.query(`alter table ${table} ${what} trigger ${trigger}`)
    }
  }
  const indexes = await target.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = current_schema()::regnamespace and not indisunique and relname = any($1)`,
    [COPIED_NAMES],
  )
  for (const { name } of indexes) await target.query(`drop index ${name}`)
  await setTriggers('disable')
  return async () => {
    for (const { definition } of indexes) await target.query(definition)
    await setTriggers('enable')
  }
}

/** Rows of a later part may refer to those of an earlier one. */
const PARTS: Record<string, string[]> = { links: ['alias_of is null', 'alias_of is not null'] }

/** @returns the checksum of the rows that were read */
async function copyTable(
  source: Source,
  target: Target,
  table: string,
  columns: readonly string[],
  report: CopyOptions['report'],
): Promise<Checksum> {
  const checksum = emptyChecksum()
  const progress = createProgress(report, `copying ${table}`, source.count(table))
  for (const where of PARTS[table] ?? ['true']) {
    for (const batch of batchesOf(source.rows(table, columns, where))) {
      const rows = batch.map((row) => {
        checkTexts(source, table, columns, row)
        addToChecksum(checksum, row)
        const values = row.map((value) => (isBytes(value) ? `\\x${hexOf(value)}` : value))
        return Object.fromEntries(columns.map((name, at) => [name, values[at]]))
      })
      await insert(target, table, columns, rows)
      progress(checksum.rows)
    }
  }
  return checksum
}

function* batchesOf(rows: Iterable<Values>): Iterable<Values[]> {
  let batch: Values[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    for (const value of row) {
      characters += typeof value === 'string' || isBytes(value) ? value.length : 0
    }
    if (batch.length < MAX_ROWS && characters < MAX_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/** @throws CopyError if PostgreSQL can't store a text */
function checkTexts(source: Source, table: string, columns: readonly string[], row: Values): void {
  const at = row.findIndex((value) => typeof value === 'string' && value.includes('\0'))
  if (at === -1) return
  const keys = source.columns(table).filter(({ isKey }) => isKey)
  const key = keys.map(({ name }) => String(row[columns.indexOf(name)])).join(' ')
  throw new CopyError(
    `PostgreSQL can’t store the character U+0000, which is in ${columns[at] ?? ''} of ${table} ${key}. Remove it first.`,
  )
}

/** PostgreSQL turns JSON into rows of any types. */
async function insert(
  target: Target,
  table: string,
  columns: readonly string[],
  rows: readonly object[],
): Promise<void> {
  const list = columns.join(', ')
  const statement = `insert into ${table} (${list})
    select ${list} from json_populate_recordset(null::${table}, $1)`
  await target.query(statement, [JSON.stringify(rows)]).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CopyError(`Nothing was copied, because ${table} can’t be: ${reason}`, { cause })
  })
}

/** New rows get ids after those of the copied ones. */
async function setSequences(target: Target): Promise<void> {
  const counted = await target.query<{ table: string; column: string; sequence: string }>(
    `select * from (
       select table_name as table, column_name as column,
         pg_get_serial_sequence(table_name, column_name) as sequence
       from information_schema.columns where table_schema = current_schema() and table_name = any($1)
     ) as columns where sequence is not null`,
    [COPIED_NAMES],
  )
  for (const { table, column, sequence } of counted) {
    await target.query(`select setval($1, max(${column})) from ${table} having count(*) > 0`, [
      sequence,
    ])
  }
}

/** Gives PostgreSQL the statistics that its query plans depend on. It would collect them itself, but only later. */
async function collectStatistics(target: Target, report: CopyOptions['report']): Promise<void> {
  report('collecting statistics')
  await target
    .query(`vacuum (analyze) ${COPIED_NAMES.join(', ')}`)
    .catch(() => report('the statistics could not be collected; PostgreSQL does so later'))
}

/** How many rows a table has, and the sum of their hashes, which doesn't depend on their order. */
interface Checksum {
  rows: number
  sum: bigint
}

const emptyChecksum = (): Checksum => ({ rows: 0, sum: 0n })

function addToChecksum(checksum: Checksum, row: Values): void {
  const text = JSON.stringify(row.map((value) => (isBytes(value) ? { hex: hexOf(value) } : value)))
  const hash = createHash('sha256').update(text).digest('hex')
  checksum.rows += 1
  checksum.sum = BigInt.asUintN(128, checksum.sum + BigInt(`0x${hash.slice(0, 32)}`))
}

async function checksumOf(rows: AsyncIterable<Values>): Promise<Checksum> {
  const checksum = emptyChecksum()
  for await (const row of rows) addToChecksum(checksum, row)
  return checksum
}

function differences(table: string, ours: Checksum, theirs: Checksum): string[] {
  if (ours.rows !== theirs.rows) {
    return [`${table}: ${ours.rows} rows in SQLite, ${theirs.rows} in PostgreSQL`]
  }
  return ours.sum === theirs.sum ? [] : [`${table}: some of its ${ours.rows} rows differ`]
}

function isBytes(value: Values[number]): value is Uint8Array {
  return value instanceof Uint8Array
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex')
}

function createProgress(
  report: CopyOptions['report'],
  what: string,
  total: number,
): (done: number) => void {
  let last = performance.now()
  if (total > 0) report(`${what}: ${total.toLocaleString('en')} rows`)
  return (done) => {
    const now = performance.now()
    if (now - last < REPORT_EVERY_MS) return
    last = now
    report(`${what}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows`)
  }
}
