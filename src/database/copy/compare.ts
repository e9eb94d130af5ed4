import { createHash } from 'node:crypto'
import type { Source } from './sqlite-source.ts'
import type { Target, TargetTable } from './postgres-target.ts'
import { COPIED_TABLES, type CopiedTable, type Values } from './tables.ts'

/** How many different rows of a table are listed. */
const MAX_LISTED = 10

/** How many rows a table has, and the sum of their hashes, which doesn't depend on their order. */
export interface Checksum {
  rows: number
  sum: bigint
}

export function emptyChecksum(): Checksum {
  return { rows: 0, sum: 0n }
}

export function addToChecksum(checksum: Checksum, row: Values): void {
  const hash = createHash('sha256').update(textOf(row)).digest('hex')
  checksum.rows += 1
  checksum.sum = BigInt.asUintN(128, checksum.sum + BigInt(`0x${hash.slice(0, 32)}`))
}

/** The same text on both databases: bytes in hexadecimal, everything else as it is. */
function textOf(row: Values): string {
  return JSON.stringify(row.map((value) => (isBytes(value) ? { hex: hexOf(value) } : value)))
}

export function isBytes(value: Values[number]): value is Uint8Array {
  return value instanceof Uint8Array
}

export function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex')
}

/**
 * Compares a table of both databases by reading all of its rows.
 *
 * @param expected the checksum of the SQLite table if it is known
 * @returns a line for each difference, up to a limit; none if the tables are equal
 */
export async function compareTable(
  source: Source,
  target: Target,
  table: TargetTable,
  expected?: Checksum,
): Promise<string[]> {
  const { batch }: CopiedTable = COPIED_TABLES[table.name as keyof typeof COPIED_TABLES]
  const found = emptyChecksum()
  for await (const row of target.rows(table, { batch })) addToChecksum(found, row)
  const wanted = expected ?? checksumOf(source, table)
  if (found.rows === wanted.rows && found.sum === wanted.sum) return []
  const lines = [
    `${table.name}: ${wanted.rows} rows in SQLite, ${found.rows} in PostgreSQL`,
    ...(await listDifferences(source, target, table, batch)),
  ]
  // Two reads of the same tables could only disagree if the databases changed in between.
  return lines.length > 1 ? lines : [...lines, `${table.name}: its rows changed meanwhile`]
}

function checksumOf(source: Source, { name, columns }: TargetTable): Checksum {
  const checksum = emptyChecksum()
  for (const row of source.rows(name, columns, {})) addToChecksum(checksum, row)
  return checksum
}

/** Walks through both tables in the order of their keys. Values are never listed, because they may be secret. */
async function listDifferences(
  source: Source,
  target: Target,
  table: TargetTable,
  batch: number | undefined,
): Promise<string[]> {
  const lines: string[] = []
  const { name, columns, primaryKey } = table
  const add = (row: Values, what: string): void => {
    const key = keyOf(table, row).map(String).join(' ')
    lines.push(`${name} ${key}: ${what}`)
  }
  const ours = source.rows(name, columns, { orderBy: primaryKey })[Symbol.iterator]()
  const theirs = target.rows(table, { batch, orderBy: primaryKey })[Symbol.asyncIterator]()
  let one = ours.next()
  let other = await theirs.next()
  while (!one.done || !other.done) {
    if (lines.length === MAX_LISTED) {
      lines.push(`${name}: more rows may differ`)
      while (!other.done) other = await theirs.next() // Closes the cursor.
      break
    }
    const order = one.done ? 1 : other.done ? -1 : compareKeys(table, one.value, other.value)
    if (!one.done && order < 0) add(one.value, 'is missing in PostgreSQL')
    else if (!other.done && order > 0) add(other.value, 'is not in SQLite')
    else if (!one.done && !other.done && textOf(one.value) !== textOf(other.value)) {
      const [row, copy] = [one.value, other.value]
      const different = columns.filter(
        (_, at) => textOf([row[at] ?? null]) !== textOf([copy[at] ?? null]),
      )
      add(row, `differs in ${different.join(', ')}`)
    }
    if (order <= 0) one = ours.next()
    if (order >= 0) other = await theirs.next()
  }
  return lines
}

function keyOf({ columns, primaryKey }: TargetTable, row: Values): Values {
  return primaryKey.map((name) => row[columns.indexOf(name)] ?? null)
}

/** Both databases compare texts by their bytes in UTF-8. */
function compareKeys(table: TargetTable, one: Values, other: Values): number {
  const others = keyOf(table, other)
  for (const [at, value] of keyOf(table, one).entries()) {
    const second = others[at] ?? null
    const order =
      typeof value === 'number' && typeof second === 'number'
        ? value - second
        : Buffer.compare(Buffer.from(String(value)), Buffer.from(String(second)))
    if (order !== 0) return order
  }
  return 0
}
