import FormData from 'form-data'
import { z } from 'zod'
import { createRequest, type CreateRequest } from '../contract/create-request.ts'
import { previewImageType } from '../contract/preview-image.ts'

/** A body that can be sent again, with the headers that describe it. */
export interface MultipartBody {
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * The create request as multipart/form-data (spec §4.1): flags as `true` and `false`, fields that
 * are not given left out.
 *
 * @throws ZodError when the request breaks the contract
 */
export function encodeCreateRequest(request: CreateRequest): MultipartBody {
  const { preview_image: image, ...texts } = z.encode(createRequest, request)
  const form = new FormData()
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined) form.append(name, text)
  }
  if (image) {
    form.append('preview_image', Buffer.from(image.bytes), {
      filename: image.filename,
      contentType: previewImageType(image.filename) ?? 'application/octet-stream',
    })
  }
  // As a whole, not as a stream: undici sends a form-data stream only once, and its fetch sends
  // none of it.
  const headers = { 'content-type': `multipart/form-data; boundary=${form.getBoundary()}` }
  return { headers, body: form.getBuffer() }
}
