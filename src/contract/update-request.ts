import { z } from 'zod'
import { createRequest } from './create-request.ts'
import type { ImageFile } from './preview-image.ts'

/**
 * The time at which a link expires: an ISO 8601 instant, or a date (`YYYY-MM-DD`), which means the end of that
 * day in UTC.
 */
export const expiresAt = z.string().min(1).describe('When the link expires.')

const { destination_url, domain, back_half, preview_image, qr_code_color, ...clearable } =
  createRequest.shape

/**
 * A change of a link (beyond the specification). Every field is optional: one that is not sent stays as it
 * is, and an empty text clears it, except the first three. Like the create request it is a codec.
 */
export const updateRequest = z.strictObject({
  ...clearable,
  destination_url: destination_url.optional(),
  domain: domain.optional(),
  back_half: back_half.unwrap().min(1).optional(),
  /** An empty text removes the image. */
  preview_image: preview_image.or(z.literal('')),
  qr_code_color: qr_code_color.or(z.literal('')),
  /** Whether the short URL leads to the destination; if not, the link is turned off. */
  enabled: createRequest.shape.qr_code_enabled,
  expires_at: expiresAt.or(z.literal('')).optional(),
})

/** A change as callers fill it in, with booleans for flags. */
export type UpdateRequest = Omit<z.output<typeof updateRequest>, 'preview_image'> & {
  preview_image?: ImageFile | '' | undefined
}
