import type { Kysely } from 'kysely'
import type { LinksTable, Schema } from '../../database/schema.ts'
import type { ImageSize } from './preview-image-size.ts'

/** A preview image with its media type, and its size in pixels. */
export interface PreviewImage extends ImageSize {
  bytes: Uint8Array
  type: string
}

type ImageColumns = Pick<
  LinksTable,
  'preview_image_type' | 'preview_image_width' | 'preview_image_height'
>

/** The columns of a link without a preview image. */
export const EMPTY_IMAGE: ImageColumns = {
  preview_image_type: null,
  preview_image_width: null,
  preview_image_height: null,
}

/** What a link's row says about its preview image. */
export function imageColumns(image: PreviewImage | null | undefined): ImageColumns {
  if (!image) return EMPTY_IMAGE
  return {
    preview_image_type: image.type,
    preview_image_width: image.width,
    preview_image_height: image.height,
  }
}

/** Adds or replaces the preview image of a link, in the transaction that writes its row. */
export async function storePreviewImage(
  transaction: Kysely<Schema>,
  linkId: string,
  bytes: Uint8Array,
): Promise<void> {
  await transaction
    .insertInto('preview_images')
    .values({ link_id: linkId, bytes })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet({ bytes }))
    .execute()
}

/** Whether a link's preview image is this one. */
export async function hasPreviewImage(
  db: Kysely<Schema>,
  linkId: string,
  { bytes, type }: PreviewImage,
): Promise<boolean> {
  const stored = await findPreviewImage(db, linkId)
  return stored?.mediaType === type && Buffer.compare(stored.bytes, bytes) === 0
}

export async function removePreviewImage(db: Kysely<Schema>, linkId: string): Promise<void> {
  await db.deleteFrom('preview_images').where('link_id', '=', linkId).execute()
}

/** Returns a link's preview image with its media type. */
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
