import { createHash } from 'node:crypto'
import type { CreateRequest } from '../contract/create-request.ts'

/**
 * The `Idempotency-Key` of a create. It is made of what Slack sent (a view's or a trigger's id),
 * so that a redelivery or a double click is the same create, and of the request, so that a form
 * that was mended and sent again is another one.
 */
export function idempotencyKey(slackId: string, request: CreateRequest): string {
  const { preview_image: image, ...fields } = request
  const hash = createHash('sha256').update(JSON.stringify([slackId, fields, image?.filename]))
  if (image) hash.update(image.bytes)
  return hash.digest('base64url')
}
