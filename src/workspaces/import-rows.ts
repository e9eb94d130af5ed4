import { z } from 'zod'
import type { Db, DbTransaction } from '../database/schema.ts'
import { defineWrite } from '../database/write.ts'

const ROWS_AT_ONCE = 100

const outcome = z.union([
  /** The link is being created, or its response got lost. */
  z.literal('started'),
  z.object({ shortUrl: z.string(), existed: z.boolean() }),
  z.object({ reason: z.string() }),
])

export type ImportOutcome = z.infer<typeof outcome>

export type NotedOutcomes = readonly [number, ImportOutcome | undefined][]

export interface ImportRow {
  number: number
  draft: string // A `Draft` as JSON.
  outcome?: ImportOutcome | undefined
}

export interface Lease {
  id: string
  heldUntil: number
}

export async function insertImportRows(
  transaction: DbTransaction,
  { id, workspaceId }: { id: string; workspaceId: string },
  rows: readonly ImportRow[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const values = rows.slice(start, start + ROWS_AT_ONCE).map((row) => ({
      import_id: id,
      workspace_id: workspaceId,
      number: row.number,
      draft: row.draft,
      outcome: toJson(row.outcome),
    }))
    await transaction.insertInto('import_rows').values(values).execute()
  }
}

export async function readImportRows(db: Db, id: string): Promise<ImportRow[]> {
  const rows = await db
    .selectFrom('import_rows')
    .select(['number', 'draft', 'outcome'])
    .where('import_id', '=', id)
    .orderBy('number')
    .execute()
  return rows.map(({ number, draft, outcome: json }) => ({
    number,
    draft,
    outcome: json === null ? undefined : outcome.parse(JSON.parse(json)),
  }))
}

/** @returns false, and stores nothing, if the lease is lost */
export const noteOutcomes = defineWrite(async function noteOutcomes(
  transaction,
  { id, heldUntil }: Lease,
  outcomes: NotedOutcomes,
): Promise<boolean> {
  const lockedLease = await transaction
    .updateTable('imports')
    .set({ run_at: heldUntil })
    .where((is) => is.and({ id, run_at: heldUntil }))
    .executeTakeFirst()
  if (lockedLease.numUpdatedRows === 0n) return false
  for (const [number, rowOutcome] of outcomes) {
    await transaction
      .updateTable('import_rows')
      .set({ outcome: toJson(rowOutcome) })
      .where((is) => is.and({ import_id: id, number }))
      .execute()
  }
  return true
})

function toJson(value: ImportOutcome | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
