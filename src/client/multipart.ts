import FormData from 'form-data'
import { z } from 'zod'
import {
  createRequest,
  updateRequest,
  type CreateRequest,
  type UpdateRequest,
} from '../contract/link-requests.ts'
import { previewImageType, type ImageFile } from '../contract/preview-image.ts'

/** A request body that can be sent several times, with the headers that describe it. */
export interface MultipartBody {
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * Encodes a create request as multipart/form-data (spec §4.1). Flags become `true` and `false`, and
 * fields without a value are omitted.
 *
 * @throws ZodError if the request violates the contract
 */
export function encodeCreateRequest(request: CreateRequest): MultipartBody {
  const { preview_image: image, ...texts } = z.encode(createRequest, request)
  return encodeForm(texts, image)
}

/**
 * Encodes a change of a link. A field that is empty is sent empty, which clears it.
 *
 * @throws ZodError if the change violates the contract
 */
export function encodeUpdateRequest(changes: UpdateRequest): MultipartBody {
  const { preview_image: image, ...texts } = z.encode(updateRequest, changes)
  return typeof image === 'string'
    ? encodeForm({ ...texts, preview_image: image }, undefined)
    : encodeForm(texts, image)
}

/** Encodes any fields, also those that violate the contract. */
export function encodeForm(
  texts: Record<string, string | undefined>,
  image: ImageFile | undefined,
): MultipartBody {
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
  // A buffer, because undici can send a form-data stream only once, and its fetch sends nothing
  // of it.
  const headers = { 'content-type': `multipart/form-data; boundary=${form.getBoundary()}` }
  return { headers, body: form.getBuffer() }
}

/** Encodes a create request that has only a domain. It lacks the destination, so it makes no link. */
export function encodeDomainTrial(domain: string): MultipartBody {
  return encodeForm({ domain }, undefined)
}
