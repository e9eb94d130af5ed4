import { randomUUID } from 'node:crypto'
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

/** Deletes a link as the service does: only its short URL is left. */
export async function deleteLink(database: Pick<Database, 'db'>, backHalf: string): Promise<void> {
  await changeLink(database, backHalf, {
    destination_url: '',
    destination_hash: `released:${randomUUID()}`,
    preview_title: null,
    preview_image_type: null,
    deleted_at: 1,
  })
}

/** Gives a link an earlier short URL that leads to it. */
export async function addAlias(
  { db }: Pick<Database, 'db'>,
  backHalf: string,
  earlier: string,
): Promise<void> {
  const link = await linkAt({ db }, backHalf)
  const id = randomUUID()
  await db
    .insertInto('links')
    .values({
      ...link,
      id,
      back_half: earlier,
      destination_url: '',
      destination_hash: `released:${id}`,
      deleted_at: 1,
      alias_of: link.id,
    })
    .execute()
}
