import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { CopyError } from '../errors.ts'

export type Cell = string | number | Uint8Array | null
export type Row = readonly Cell[]

export interface RowBatch {
  table: string
  columns: readonly string[]
  rows: Row[]
}

// A sum of the rows' hashes doesn't depend on their order.
type Checksums = Partial<Record<string, { rows: number; sum: string }>>

export async function checksums(
  batches: AsyncIterable<RowBatch>,
  passOn: (batch: RowBatch) => unknown = () => undefined,
): Promise<Checksums> {
  const sums: Checksums = {}
  for await (const batch of batches) {
    const { rows, sum } = sums[batch.table] ?? { rows: 0, sum: '0' }
    const total = batch.rows.reduce((all, row) => all + hashRow(row), BigInt(sum))
    sums[batch.table] = {
      rows: rows + batch.rows.length,
      sum: String(BigInt.asUintN(128, total)),
    }
    await passOn(batch)
  }
  return sums
}

function hashRow(row: Row): bigint {
  const hex = hash('sha256', JSON.stringify(row.map(toJson)), 'hex')
  return BigInt(`0x${hex.slice(0, 32)}`)
}

export function toJson(cell: Cell) {
  return cell instanceof Uint8Array ? { hex: Buffer.from(cell).toString('hex') } : cell
}

/** @throws CopyError that names the tables with other rows, after `outcome` */
export function requireEqual(source: Checksums, copy: Checksums, outcome: string): void {
  const noRows = { rows: 0, sum: '0' }
  const differing = Object.keys({ ...source, ...copy }).filter(
    (table) => !isDeepStrictEqual(source[table] ?? noRows, copy[table] ?? noRows),
  )
  if (differing.length > 0) throw new CopyError(`${outcome}: ${differing.join(', ')}`)
}

export function countRows(sums: Checksums): number {
  return Object.values(sums).reduce((total, sum) => total + (sum?.rows ?? 0), 0)
}
