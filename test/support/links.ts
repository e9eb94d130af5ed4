import type { Database } from '../../src/database/database.ts'
import type { LinkRow } from '../../src/service/store/links.ts'

/** The row of the link that has a back-half now. */
export function linkAt({ db }: Pick<Database, 'db'>, backHalf: string): Promise<LinkRow> {
  return db
    .selectFrom('links')
    .selectAll()
    .where('back_half', '=', backHalf)
    .where('alias_of', 'is', null)
    .executeTakeFirstOrThrow()
}

/** Changes the row of a link as another process would, with an entry in its history. */
export async function changeLink(
  { db }: Pick<Database, 'db'>,
  backHalf: string,
  values: Partial<LinkRow>,
): Promise<void> {
  const { id } = await db
    .updateTable('links')
    .set(values)
    .where('back_half', '=', backHalf)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('link_history')
    .values({ link_id: id, at: 1, made_by: 'test', changes: '{}' })
    .execute()
}
