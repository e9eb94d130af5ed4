import { sql, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** Larger files aren't checked at the start, because it takes a second for each 70 MB. */
const MAX_CHECKED_BYTES = 64 * 2 ** 20

/** @throws if the file is damaged */
export async function checkIntact(db: Kysely<Schema>): Promise<void> {
  const { rows: sizes } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db)
  if ((sizes[0]?.bytes ?? 0) > MAX_CHECKED_BYTES) return
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const found = rows[0]?.quick_check
  if (found !== 'ok')
    throw new Error(`the file is damaged (${found ?? 'the check returned nothing'})`)
}
