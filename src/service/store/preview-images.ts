import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { SVG } from 'image-size/types/svg'
import type { Db } from '../../database/schema.ts'

export interface PreviewImage extends ImageSize {
  bytes: Uint8Array
  type: string
}

export function imageColumns(image: PreviewImage | null | undefined) {
  return {
    preview_image_type: image?.type ?? null,
    preview_image_width: image?.width ?? null,
    preview_image_height: image?.height ?? null,
  }
}

export const EMPTY_IMAGE = imageColumns(null)

export async function storePreviewImage(transaction: Db, linkId: string, bytes: Uint8Array) {
  await transaction
    .insertInto('preview_images')
    .values({ link_id: linkId, bytes })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet({ bytes }))
    .execute()
}

export async function removePreviewImage(db: Db, linkId: string): Promise<void> {
  await db.deleteFrom('preview_images').where('link_id', '=', linkId).execute()
}

export async function findPreviewImage(db: Db, linkId: string) {
  const row = await db
    .selectFrom('preview_images')
    .innerJoin('links', 'links.id', 'preview_images.link_id')
    .select(['bytes', 'preview_image_type', 'destination_url', 'owner_id', 'revision'])
    .select(['enabled', 'expires_at', 'deleted_at'])
    .where('link_id', '=', linkId)
    .executeTakeFirst()
  return row?.preview_image_type ? { ...row, mediaType: row.preview_image_type } : undefined
}

interface ImageSize {
  width: number
  height: number
}

const UNKNOWN_SIZE: ImageSize = { width: 0, height: 0 }

// How many bytes of an image are searched for its size. A JPEG has its size after the metadata. With more bytes,
// image-size can take longer than 20 ms.
const SEARCHED_BYTES: Record<string, number> = {
  'image/png': 64,
  'image/jpeg': 128 * 1024,
  'image/svg+xml': 4 * 1024,
}

const MAX_PIXELS = 2 ** 31 - 1 // The columns have 32 bits.

/** @returns 0 × 0 if the size can't be read */
export function measurePreviewImage(mediaType: string, bytes: Uint8Array): ImageSize {
  // A copy, because image-size reads beyond the end of an array that shares its memory.
  const head = new Uint8Array(bytes.subarray(0, SEARCHED_BYTES[mediaType] ?? 0))
  try {
    const { width, height } = readSize(mediaType, head)
    const size = { width: Math.round(width), height: Math.round(height) }
    const isValid = Object.values(size).every((pixels) => pixels > 0 && pixels <= MAX_PIXELS)
    return isValid ? size : UNKNOWN_SIZE
  } catch {
    return UNKNOWN_SIZE
  }
}

function readSize(mediaType: string, head: Uint8Array): ImageSize {
  switch (mediaType) {
    case 'image/png':
      return PNG.calculate(head)
    case 'image/jpeg':
      return JPG.calculate(head)
    default:
      return SVG.calculate(new TextEncoder().encode(rootTag(new TextDecoder().decode(head))))
  }
}

// Cuts out the `<svg …>` tag, because image-size would search from every `<svg` to the end of the file.
function rootTag(text: string): string {
  const start = text.search(/<svg\s/)
  const tag = /<svg(?:[^>"']|"[^"]*"|'[^']*')*>/y
  tag.lastIndex = Math.max(start, 0)
  return tag.exec(text)?.[0] ?? ''
}
