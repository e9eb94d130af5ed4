import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { CopyError } from '../errors.ts'
import type { Schema } from '../schema.ts'

export type Values = readonly (string | number | Uint8Array | null)[]

export interface Rows {
  table: keyof Schema
  columns: readonly string[]
  rows: Values[]
}

/** For each table, how many rows it has, and the sum of their hashes, which doesn't depend on their order. */
export type Checksums = Partial<Record<string, { rows: number; sum: string }>>

export async function checksums(
  parts: AsyncIterable<Rows>,
  use: (part: Rows) => unknown = () => undefined,
): Promise<Checksums> {
  const sums: Checksums = {}
  for await (const part of parts) {
    const { rows, sum } = sums[part.table] ?? { rows: 0, sum: '0' }
    const total = part.rows.reduce((all, row) => all + hashRow(row), BigInt(sum))
    sums[part.table] = {
      rows: rows + part.rows.length,
      sum: String(BigInt.asUintN(128, total)),
    }
    await use(part)
  }
  return sums
}

function hashRow(row: Values): bigint {
  const hash = createHash('sha256')
    .update(JSON.stringify(row.map(toJson)))
    .digest('hex')
  return BigInt(`0x${hash.slice(0, 32)}`)
}

export function toJson(value: Values[number]) {
  return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value
}

export function requireEqual(ours: Checksums, theirs: Checksums, outcome: string): void {
  const none = { rows: 0, sum: '0' }
  const differing = Object.keys({ ...ours, ...theirs }).filter(
    (table) => !isDeepStrictEqual(ours[table] ?? none, theirs[table] ?? none),
  )
  if (differing.length > 0) throw new CopyError(`${outcome}: ${differing.join(', ')}`)
}

export function countRows(sums: Checksums): number {
  return Object.values(sums).reduce((total, sum) => total + (sum?.rows ?? 0), 0)
}
