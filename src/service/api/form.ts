import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { PREVIEW_IMAGE_MAX_BYTES, type ImageFile } from '../../contract/create-request.ts'
import { createFieldFaults, type FieldFaults } from '../field-faults.ts'
import { grouped } from '../grouped.ts'
import { ServiceError } from '../service-error.ts'

/** Parts of a form at most: its 17 fields, and some unknown or repeated ones to be named. */
const MAX_PARTS = 40

/** Bytes of one text field at most: the longest is a URL of 2,000 characters, of 4 bytes each. */
const MAX_TEXT_BYTES = 8_000

/** Bytes of a whole request at most: enough to read, and to refuse in words, an image too large. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** A form's fields as they came: texts and files. */
export interface Form {
  values: Record<string, string | ImageFile>
  /** What was found wrong with fields while reading. */
  faults: FieldFaults
}

/**
 * Reads a multipart/form-data body, within bounds. An empty text, and a file input without a file,
 * count as not sent.
 *
 * @throws ServiceError BAD_REQUEST for a body that is not one, or a broken or oversized one
 */
export async function readForm(request: FastifyRequest): Promise<Form> {
  if (!request.isMultipart()) {
    throw new ServiceError('BAD_REQUEST', 'Send the body as multipart/form-data.')
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  const limit = Promise.withResolvers<never>()
  let received = 0
  const count = (chunk: Buffer): void => {
    received += chunk.length
    if (received <= MAX_BODY_BYTES) return
    request.raw.off('data', count)
    limit.reject(tooLarge())
  }
  request.raw.on('data', count)
  try {
    return await Promise.race([readParts(request), limit.promise])
  } catch (error) {
    // What is left of the body is thrown away, so that the client reads the answer.
    request.raw.resume()
    if (error instanceof ServiceError) throw error
    throw new ServiceError('BAD_REQUEST', 'The multipart/form-data body can’t be read.', {
      cause: error,
    })
  }
}

/** What makes two forms the same request, whatever the order and the boundary they came with. */
export function formHash({ values }: Form): string {
  const hash = createHash('sha256')
  for (const name of Object.keys(values).sort()) {
    const value = values[name]
    const [filename, content] =
      typeof value === 'object'
        ? [value.filename, Buffer.from(value.bytes)]
        : ['', Buffer.from(value ?? '')]
    hash.update(JSON.stringify([name, filename, content.length])).update(content)
  }
  return hash.digest('hex')
}

function tooLarge(): ServiceError {
  return new ServiceError(
    'BAD_REQUEST',
    `The request is too large: ${grouped(MAX_BODY_BYTES)} bytes at most.`,
  )
}

async function readParts(request: FastifyRequest): Promise<Form> {
  const seen = new Set<string>()
  const values: Form['values'] = {}
  const faults = createFieldFaults()
  const limits = {
    parts: MAX_PARTS,
    fieldSize: MAX_TEXT_BYTES,
    fileSize: PREVIEW_IMAGE_MAX_BYTES,
  }
  for await (const part of request.parts({ limits })) {
    const { fieldname: name } = part
    if (!name) throw new Error('a part has no name')
    const value = part.type === 'file' ? await part.toBuffer() : part.value
    if (seen.has(name)) faults.add(name, 'Send this field only once.')
    seen.add(name)
    if (part.type === 'field') {
      if (part.valueTruncated) faults.add(name, 'This text is too long.')
      else if (typeof value !== 'string') faults.add(name, 'Send this field as text.')
      else if (value !== '') values[name] = value
    } else if (Buffer.isBuffer(value) && (part.filename || value.length > 0)) {
      if (part.file.truncated) faults.add(name, 'Use an image of at most 512,000 bytes (500 KB).')
      else values[name] = { filename: part.filename, bytes: value }
    }
  }
  return { values, faults }
}
