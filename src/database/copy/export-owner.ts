import { sql } from 'kysely'
import { CopyError } from '../errors.ts'
import { MIGRATION_NAMES } from '../migrations.ts'
import { checksums, countRows, toJson } from './checksums.ts'
import { FORMAT, inTransaction, ownedRows, type Header } from './owner-rows.ts'

/**
 * Exports an owner, such as a workspace, to lines of JSON that importOwner reads. All lines are read in one
 * transaction, so they fit together. The exported API keys are revoked and have no hash.
 * @returns how many rows were exported
 */
export async function exportOwner(
  url: string,
  ownerId: string,
  { now, write }: { now: number; write: (line: string) => unknown },
): Promise<number> {
  return inTransaction(url, 'read', async (db) => {
    if (await db.selectFrom('backfills').select('name').executeTakeFirst()) {
      throw new CopyError(
        'The upgrade of the database is not finished. `npm run doctor` says when it is.',
      )
    }
    const print = (line: object): unknown => write(`${JSON.stringify(line)}\n`)
    const owners = db.selectFrom('owners').selectAll().where('id', '=', ownerId)
    const isUsed = sql<boolean>`(owner_id = ${ownerId}
      or id in (select domain_id from links where owner_id = ${ownerId}))`
    const header: Header = {
      format: FORMAT,
      schema: [...MIGRATION_NAMES],
      owner: await owners.executeTakeFirstOrThrow(),
      domains: await db.selectFrom('domains').selectAll().where(isUsed).execute(),
    }
    print(header)
    const sums = await checksums(ownedRows(db, ownerId, now), (batch) =>
      print({ ...batch, rows: batch.rows.map((row) => row.map(toJson)) }),
    )
    print({ end: sums })
    return countRows(sums)
  })
}
