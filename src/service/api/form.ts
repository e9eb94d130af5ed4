import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { PREVIEW_IMAGE_MAX_BYTES } from '../../contract/preview-image.ts'
import { formatNumber } from '../../web/numbers.ts'
import type { LinkInput } from '../store/link-rules.ts'
import { badRequest, createFieldErrors, ServiceError, type FieldErrors } from './errors.ts'
import { readMultipart, type Part } from './multipart.ts'

const MULTIPART = /^multipart\/form-data\s*(?:;|$)/i

/** The maximum number of parts in a form: its fields, and some unknown or repeated ones to report. */
const MAX_PARTS = 40

/** The maximum size of a text field, in bytes: the longest is a URL of 2,000 characters with 4 bytes each. */
const MAX_TEXT_BYTES = 8_000

/** The maximum size of a request, in bytes: enough to read an image that is too large, and say so. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** The fields of a form as they were sent: texts and files. */
export interface Form extends LinkInput {
  /** The errors that were found while reading. */
  errors: FieldErrors
}

/**
 * Reads a multipart/form-data body of limited size. A file input without a file counts as not sent.
 *
 * @param schema has a member for each field. Others, such as `__proto__`, never become members of an object
 * @throws ServiceError BAD_REQUEST if the body has another type, is broken, or is too large
 */
export async function readForm(request: FastifyRequest, schema: { shape: object }): Promise<Form> {
  const limits = { maxParts: MAX_PARTS, maxBytes: MAX_BODY_BYTES }
  return toForm(await readParts(request, limits), schema)
}

/**
 * Reads the parts of a multipart/form-data body of limited size.
 *
 * @param limits.maxPartBytes of a larger part, only the start is kept (readMultipart)
 * @throws ServiceError BAD_REQUEST if the body has another type, is broken, or is too large
 */
export async function readParts(
  request: FastifyRequest,
  {
    maxParts,
    maxBytes,
    maxPartBytes,
  }: { maxParts: number; maxBytes: number; maxPartBytes?: number },
): Promise<Part[]> {
  if (!MULTIPART.test(request.headers['content-type'] ?? '')) {
    throw badRequest('Send the body as multipart/form-data.')
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const limit = Promise.withResolvers<never>()
  let received = 0
  const count = (chunk: Buffer): void => {
    received += chunk.length
    if (received <= maxBytes) return
    request.raw.off('data', count)
    limit.reject(tooLarge(maxBytes))
  }
  request.raw.on('data', count)
  try {
    return await Promise.race([readMultipart(request.raw, maxParts, maxPartBytes), limit.promise])
  } catch (error) {
    // Discards the rest of the body, so that the client goes on to read the response.
    request.raw.unpipe().resume()
    if (error instanceof ServiceError) throw error
    throw badRequest('The multipart/form-data body can’t be read.', error)
  }
}

/** Equal for two forms with the same values, whatever their order and boundary. Empty texts don't count. */
export function formHash({ values }: Form): string {
  const hash = createHash('sha256')
  for (const name of Object.keys(values).sort()) {
    const value = values[name]
    if (value === '') continue
    const [filename, content] =
      typeof value === 'object'
        ? [value.filename, Buffer.from(value.bytes)]
        : ['', Buffer.from(value ?? '')]
    hash.update(JSON.stringify([name, filename, content.length])).update(content)
  }
  return hash.digest('hex')
}

function tooLarge(maxBytes: number): ServiceError {
  return badRequest(`The request is too large. Use at most ${formatNumber(maxBytes)} bytes.`)
}

function toForm(parts: readonly Part[], { shape }: { shape: object }): Form {
  const seen = new Set<string>()
  const values: Record<string, Form['values'][string]> = {}
  const errors = createFieldErrors()
  for (const { name, value, size } of parts) {
    if (seen.has(name)) errors.add(name, 'Send this field only once.')
    seen.add(name)
    if (!Object.hasOwn(shape, name)) errors.add(name, 'This field does not exist.')
    else if (typeof value === 'string') {
      if (size > MAX_TEXT_BYTES) errors.add(name, 'This text is too long.')
      else values[name] = value
    } else if (value.filename || size > 0) {
      if (size > PREVIEW_IMAGE_MAX_BYTES) {
        errors.add(name, 'Use an image of at most 512,000 bytes (500 KB).')
      } else values[name] = value
    }
  }
  return { values, errors }
}
