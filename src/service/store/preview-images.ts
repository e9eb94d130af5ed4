import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/** Keeps the image of a link that was inserted in the same transaction. */
export async function insertPreviewImage(
  db: Kysely<Schema>,
  linkId: string,
  bytes: Uint8Array,
): Promise<void> {
  await db.insertInto('preview_images').values({ link_id: linkId, bytes }).execute()
}

/** A link's preview image with its media type. */
export async function findPreviewImage(
  db: Kysely<Schema>,
  linkId: string,
): Promise<{ bytes: Uint8Array; mediaType: string } | undefined> {
  const row = await db
    .selectFrom('preview_images')
    .innerJoin('links', 'links.id', 'preview_images.link_id')
    .select(['preview_images.bytes', 'links.preview_image_type'])
    .where('link_id', '=', linkId)
    .executeTakeFirst()
  return row?.preview_image_type
    ? { bytes: row.bytes, mediaType: row.preview_image_type }
    : undefined
}
