import { sql } from 'kysely'
import { CopyError } from '../errors.ts'
import { MIGRATION_NAMES } from '../migrations.ts'
import { checksums, countRows, toJson } from './checksums.ts'
import { inTransaction, ownedRows, type Header } from './owner-rows.ts'

/**
 * Exports an owner, such as a workspace, to lines of JSON that importOwner reads. All lines show the same moment, and
 * in them, the owner's API keys are revoked.
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
    const used = sql<boolean>`(owner_id = ${ownerId}
      or id in (select domain_id from links where owner_id = ${ownerId}))`
    print({
      format: 'backhalf-workspace',
      schema: MIGRATION_NAMES,
      owner: await owners.executeTakeFirstOrThrow(),
      domains: await db.selectFrom('domains').selectAll().where(used).execute(),
    } satisfies Header)
    const sums = await checksums(ownedRows(db, ownerId, now), (part) =>
      print({ ...part, rows: part.rows.map((row) => row.map(toJson)) }),
    )
    print({ end: sums })
    return countRows(sums)
  })
}
