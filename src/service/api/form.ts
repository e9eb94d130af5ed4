import { Dicer } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { PREVIEW_IMAGE_MAX_BYTES } from '../../contract/preview-image.ts'
import { type CountedMessage, OverloadedError } from '../../http/limits.ts'
import { formatNumber } from '../../web/numbers.ts'
import { FieldErrors } from '../store/field-errors.ts'
import type { LinkInput } from '../store/link-rules.ts'
import { badRequest, ServiceError } from './errors.ts'
import {
  decodeText,
  mediaType,
  readPartHeader,
  type HeaderLines,
  type PartHeader,
} from './part-header.ts'

const UNREADABLE = 'The multipart/form-data body can’t be read.'
const MAX_PARTS = 40

// Enough for a URL that version 1.0.0 stored: 2,000 characters, each encoded as up to nine.
const MAX_TEXT_BYTES = 20_000

const KEPT_TEXT_BYTES = 64 * 1024
const MAX_BYTES_IN_MEMORY = 1_000_000

// More than the largest image, so that the error of an image that is too large is reported at its field.
const MAX_BODY_BYTES = 4 * 1024 * 1024

interface Limits {
  maxParts: number
  maxBytes: number
  maxFileBytes: number
  // The name of a text field that can be as large as a file, and is treated like one.
  fileField?: string | undefined
}

/** A field that the schema doesn't have, such as `__proto__`, gets an error and never becomes a member of `values`. */
export async function readForm(request: FastifyRequest, schema: z.ZodObject): Promise<LinkInput> {
  const parts = await readParts(request, {
    maxParts: MAX_PARTS,
    maxBytes: MAX_BODY_BYTES,
    maxFileBytes: PREVIEW_IMAGE_MAX_BYTES,
  })
  const seen = new Set<string>()
  const values: Record<string, LinkInput['values'][string]> = {}
  const errors = new FieldErrors()
  for (const { name, value, size } of parts) {
    if (seen.has(name)) errors.add(name, 'Send this field only once.')
    seen.add(name)
    if (!Object.hasOwn(schema.shape, name)) errors.add(name, 'This field does not exist.')
    else if (typeof value === 'string' && size > MAX_TEXT_BYTES) {
      errors.add(name, 'This text is too long.')
    } else if (typeof value === 'string' || value.filename || size > 0) values[name] = value
  }
  return { values, errors }
}

/**
 * Reads a multipart/form-data body (RFC 7578). The end of a file that is larger than `maxFileBytes` is discarded.
 * @throws ServiceError BAD_REQUEST if the body has another type, is broken, ends early, or is too large
 * @throws OverloadedError if the bodies of all requests together are too large
 */
export async function readParts(request: FastifyRequest, limits: Limits): Promise<Part[]> {
  const { maxParts, maxBytes } = limits
  const { raw, headers } = request
  const type = mediaType(headers['content-type'])
  if (type?.essence !== 'multipart/form-data') {
    throw badRequest('Send the body as multipart/form-data.')
  }
  const tooLarge = () =>
    badRequest(`The request is too large. Use at most ${formatNumber(maxBytes)} bytes.`)
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const boundary = type.params.get('boundary')
  if (!boundary) throw badRequest(UNREADABLE)
  const { promise: finished, resolve, reject } = Promise.withResolvers<undefined>()
  const parts: Promise<Part>[] = []
  const dicer = new Dicer({ boundary })
  dicer.on('part', (stream) => {
    if (parts.length === maxParts) reject(badRequest(`Send at most ${maxParts} fields.`))
    const part = receivePart(stream, limits, raw)
    part.catch(reject)
    parts.push(part)
  })
  dicer.on('finish', () => resolve(undefined))
  dicer.on('error', reject)
  raw.on('error', reject)
  let received = 0
  const countBytes = (chunk: Buffer) => {
    received += chunk.length
    if (received > maxBytes) reject(tooLarge())
  }
  raw.on('data', countBytes)
  const onClose = () => {
    if (!raw.complete) reject(new Error('the connection was closed'))
  }
  raw.once('close', onClose)
  raw.pipe(dicer)
  try {
    await finished
    return await Promise.all(parts)
  } catch (error) {
    if (error instanceof ServiceError || error instanceof OverloadedError) throw error
    throw badRequest(UNREADABLE, error)
  } finally {
    // The rest of the body is read and discarded, because a client reads the response only after it has sent the body.
    raw.off('data', countBytes).off('error', reject).off('close', onClose).unpipe(dicer).resume()
  }
}

async function receivePart(
  stream: Readable,
  { maxFileBytes, fileField }: Limits,
  message: CountedMessage,
): Promise<Part> {
  let lines: HeaderLines = {}
  stream.on('header', (received: HeaderLines) => (lines = received))
  let header: PartHeader | undefined
  let size = 0
  let chunks: Buffer[] = []
  let file: FileHandle | undefined
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    header ??= readPartHeader(lines, fileField)
    const isKept = size <= (header.isFile ? maxFileBytes : KEPT_TEXT_BYTES)
    size += chunk.length
    if (!isKept) {
      message.free?.(chunk.length)
      continue
    }
    chunks.push(chunk)
    if (!header.isFile || size <= MAX_BYTES_IN_MEMORY) continue
    file ??= await temporaryFile(message)
    const bytes = Buffer.concat(chunks)
    await file.appendFile(bytes)
    message.free?.(bytes.length)
    chunks = []
  }
  const { name, filename, isFile, charset } = header ?? readPartHeader(lines, fileField)
  const bytes = Buffer.concat(chunks)
  if (isFile) return { name, value: { filename, bytes, file }, size }
  return { name, value: decodeText(name, charset, bytes, size === bytes.length), size }
}

/** Opens a file and unlinks it at once, so that the system frees its space even if this process is killed. */
async function temporaryFile({ response }: CountedMessage): Promise<FileHandle> {
  const path = join(tmpdir(), `backhalf-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  const close = () => void file.close()
  if (response?.closed) close()
  else response?.once('close', close)
  return file
}

export function formHash({ values }: LinkInput): string {
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

export interface Part {
  name: string
  /** The bytes of a large file are in `file` instead of `bytes`. */
  value: string | { filename: string; bytes: Buffer; file?: FileHandle | undefined }
  size: number
}
