import type { Kysely } from 'kysely'

/**
 * The sizes of preview images, so that no visit measures one. Images that are stored already are
 * measured at their first visit, because reading all of them here could take hours.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const column of ['preview_image_width', 'preview_image_height']) {
    await db.schema.alterTable('links').addColumn(column, 'integer').execute()
  }
}
