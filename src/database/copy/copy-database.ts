import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  addToChecksum,
  compareTable,
  emptyChecksum,
  hexOf,
  isBytes,
  type Checksum,
} from './compare.ts'
import { openTarget, prepareTarget, type Target, type TargetTable } from './postgres-target.ts'
import { openSource, type Source } from './sqlite-source.ts'
import {
  BATCH,
  COPIED_NAMES,
  COPIED_TABLES,
  CopyError,
  type CopiedTable,
  type Values,
} from './tables.ts'

/** How much text is sent at once, in characters. */
const MAX_BATCH_CHARACTERS = 4_000_000

/** How often progress is reported, in milliseconds. */
const REPORT_EVERY_MS = 2_000

/** What was copied, or compared. */
export interface CopyOutcome {
  tables: number
  rows: number
  /** A line for each difference; none if both databases are equal. Nothing was copied if there are any. */
  differences: string[]
}

export interface CopyOptions {
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
    const target = await openTarget(to, 'read committed')
    try {
      const tables = await target.tables()
      checkColumns(source, tables)
      await lockEmpty(target, tables)
      const restoreIndexes = await dropIndexes(target)
      const checksums = await copyTables(source, target, tables, report)
      report('building indexes')
      await restoreIndexes()
      await setSequences(target, tables)
      const outcome = await compareTables(source, target, tables, { report, checksums })
      if (outcome.differences.length > 0) return outcome
      await target.commit()
      await tidyUp(target, tables, report)
      return outcome
    } finally {
      await target.close()
    }
  } finally {
    source.close()
  }
}

/**
 * Compares a SQLite file with the PostgreSQL database that it was copied to.
 *
 * @throws CopyError if they can't be compared
 */
export async function compareDatabases({ from, to, report }: CopyOptions): Promise<CopyOutcome> {
  const source = openSource(from)
  try {
    const target = await openTarget(to, 'repeatable read')
    try {
      const tables = await target.tables()
      checkColumns(source, tables)
      return await compareTables(source, target, tables, { report })
    } finally {
      await target.close()
    }
  } finally {
    source.close()
  }
}

/** @throws CopyError if the databases don't have the same tables and columns */
function checkColumns(source: Source, tables: readonly TargetTable[]): void {
  for (const { name, columns } of tables) {
    const ours = source.columns(name).toSorted()
    if (ours.join() === columns.toSorted().join()) continue
    throw new CopyError(
      `The table ${name} has other columns in PostgreSQL. Was it used by another version of Backhalf?`,
    )
  }
}

/**
 * Locks all tables, so that no other process uses them until the commit.
 *
 * @throws CopyError if one of them has rows, or is in use
 */
async function lockEmpty(target: Target, tables: readonly TargetTable[]): Promise<void> {
  const names = tables.map(({ name }) => name).join(', ')
  await target.query(`lock table ${names} in access exclusive mode`).catch((cause: unknown) => {
    throw new CopyError('The PostgreSQL database is in use. Stop Backhalf there too.', { cause })
  })
  for (const { name } of tables) {
    // Migrations add the built-in domain record.
    const but = name === 'domains' ? ` where id <> 'default'` : ''
    const [row] = await target.query(`select 1 from ${name}${but} limit 1`)
    if (!row) continue
    throw new CopyError(
      `The PostgreSQL database is not empty: ${name} has rows. Create an empty database. To compare it with the SQLite database instead, use --verify.`,
    )
  }
}

/**
 * Drops the indexes that no constraint needs: building them afterwards is much faster.
 *
 * @returns a function that builds them again
 */
async function dropIndexes(target: Target): Promise<() => Promise<void>> {
  const indexes = await target.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = current_schema()::regnamespace and not indisunique and relname = any($1)`,
    [COPIED_NAMES],
  )
  for (const { name } of indexes) await target.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of indexes) await target.query(definition)
  }
}

async function copyTables(
  source: Source,
  target: Target,
  tables: readonly TargetTable[],
  report: (line: string) => void,
): Promise<Map<string, Checksum>> {
  // It would notify other processes of each row. They can't have read any of them.
  await target.query('alter table link_history disable trigger user')
  const checksums = new Map<string, Checksum>()
  for (const table of tables) {
    const checksum = emptyChecksum()
    checksums.set(table.name, checksum)
    const progress = createProgress(report, `copying ${table.name}`, source.count(table.name))
    const plan: CopiedTable = COPIED_TABLES[table.name as keyof typeof COPIED_TABLES]
    for (const where of plan.parts ?? [undefined]) {
      const rows = source.rows(table.name, table.columns, { where })
      for (const batch of batchesOf(table, rows, checksum)) {
        await insert(target, table, batch)
        progress(checksum.rows)
      }
    }
  }
  await target.query('alter table link_history enable trigger user')
  return checksums
}

/** Rows as JSON texts, which PostgreSQL turns into rows of any types. */
function* batchesOf(
  table: TargetTable,
  rows: Iterable<Values>,
  checksum: Checksum,
): Iterable<string[]> {
  const { batch: size = BATCH }: CopiedTable =
    COPIED_TABLES[table.name as keyof typeof COPIED_TABLES]
  let batch: string[] = []
  let characters = 0
  for (const row of rows) {
    checkTexts(table, row)
    addToChecksum(checksum, row)
    const json = JSON.stringify(
      Object.fromEntries(
        row.map((value, at) => [table.columns[at], isBytes(value) ? `\\x${hexOf(value)}` : value]),
      ),
    )
    batch.push(json)
    characters += json.length
    if (batch.length < size && characters < MAX_BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/** @throws CopyError if PostgreSQL can't store a text */
function checkTexts({ name, columns, primaryKey }: TargetTable, row: Values): void {
  const at = row.findIndex((value) => typeof value === 'string' && value.includes('\0'))
  if (at === -1) return
  const key = primaryKey.map((column) => String(row[columns.indexOf(column)])).join(' ')
  throw new CopyError(
    `PostgreSQL can’t store the character U+0000, which is in ${columns[at] ?? ''} of ${name} ${key}. Remove it first.`,
  )
}

/** Triggers of links fill the counts and the totals, as they do in a running service. */
async function insert(target: Target, table: TargetTable, batch: readonly string[]): Promise<void> {
  const { name, columns, primaryKey } = table
  const { replaces }: CopiedTable = COPIED_TABLES[name as keyof typeof COPIED_TABLES]
  const list = columns.join(', ')
  const others = columns.filter((column) => !primaryKey.includes(column))
  const conflict = replaces
    ? ` on conflict (${primaryKey.join(', ')}) do update
        set ${others.map((column) => `${column} = excluded.${column}`).join(', ')}
        where (${others.map((column) => `${name}.${column}`).join(', ')})
          is distinct from (${others.map((column) => `excluded.${column}`).join(', ')})`
    : ''
  await target
    .query(
      `insert into ${name} (${list}) select ${list} from json_populate_recordset(null::${name}, $1)${conflict}`,
      [`[${batch.join(',')}]`],
    )
    .catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new CopyError(`Nothing was copied, because ${name} can’t be: ${reason}`, { cause })
    })
}

/** New rows get ids after those of the copied ones. */
async function setSequences(target: Target, tables: readonly TargetTable[]): Promise<void> {
  for (const { name, columns } of tables) {
    for (const column of columns) {
      const [found] = await target.query<{ sequence: string | null }>(
        'select pg_get_serial_sequence($1, $2) as sequence',
        [name, column],
      )
      if (!found?.sequence) continue
      await target.query(
        `select setval($1, highest) from (select max(${column}) as highest from ${name}) as found
         where highest is not null`,
        [found.sequence],
      )
    }
  }
}

/** Gives PostgreSQL the statistics that its query plans depend on. It would collect them itself, but only later. */
async function tidyUp(
  target: Target,
  tables: readonly TargetTable[],
  report: (line: string) => void,
): Promise<void> {
  report('collecting statistics')
  const names = tables.map(({ name }) => name)
  await target
    .query(`vacuum (analyze) ${names.join(', ')}`)
    .catch(() => report('the statistics could not be collected; PostgreSQL does so later'))
}

async function compareTables(
  source: Source,
  target: Target,
  tables: readonly TargetTable[],
  { report, checksums }: { report: (line: string) => void; checksums?: Map<string, Checksum> },
): Promise<CopyOutcome> {
  const outcome: CopyOutcome = { tables: tables.length, rows: 0, differences: [] }
  for (const table of tables) {
    report(`comparing ${table.name}`)
    await nextTurn()
    outcome.rows += source.count(table.name)
    outcome.differences.push(
      ...(await compareTable(source, target, table, checksums?.get(table.name))),
    )
  }
  return outcome
}

function createProgress(
  report: (line: string) => void,
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
