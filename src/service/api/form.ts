import { Dicer } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { MIMEType } from 'node:util'
import { PREVIEW_IMAGE_MAX_BYTES } from '../../contract/preview-image.ts'
import type { CountedMessage } from '../../http/body-limits.ts'
import { OverloadedError } from '../../http/overloaded-error.ts'
import { formatNumber } from '../../web/numbers.ts'
import { FieldErrors } from '../store/field-errors.ts'
import type { LinkInput } from '../store/link-rules.ts'
import { badRequest, ServiceError } from './errors.ts'

const UNREADABLE = 'The multipart/form-data body can’t be read.'
const MAX_PARTS = 40

/** Enough for a URL that version 1.0.0 stored: 2,000 characters, each of them encoded as up to nine. */
const MAX_TEXT_BYTES = 20_000

const KEPT_TEXT_BYTES = 64 * 1024
const MAX_BYTES_IN_MEMORY = 1_000_000

/**
 * Larger than any image, so that a body with too large an image is read, and the error is reported at the image's
 * field.
 */
const MAX_BODY_BYTES = 4 * 1024 * 1024

interface Limits {
  maxParts: number
  maxBytes: number
  maxFileBytes: number
  /** The name of a text field that can be as large as a file, and is treated like one. */
  largeText?: string | undefined
}

/**
 * Reads the fields of a request that creates or changes a link. A field that the schema doesn't have, such as
 * `__proto__`, gets an error and never becomes a member of `values`.
 */
export async function readForm(
  request: FastifyRequest,
  { shape }: { shape: object },
): Promise<LinkInput> {
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
    if (!Object.hasOwn(shape, name)) errors.add(name, 'This field does not exist.')
    else if (typeof value === 'string' && size > MAX_TEXT_BYTES) {
      errors.add(name, 'This text is too long.')
    } else if (typeof value === 'object' && size > PREVIEW_IMAGE_MAX_BYTES) {
      errors.add(name, 'Use an image of at most 512,000 bytes (500 KB).')
    } else if (typeof value === 'string' || value.filename || size > 0) values[name] = value
  }
  return { values, errors }
}

/**
 * Reads a multipart/form-data body (RFC 7578). If a file is larger than `maxFileBytes`, discards the end of the file.
 * @throws ServiceError BAD_REQUEST if the body has another type, is broken, ends early, or is too large
 */
export async function readParts(
  request: FastifyRequest,
  { maxParts, maxBytes, maxFileBytes, largeText }: Limits,
): Promise<Part[]> {
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
    const part = receivePart(stream, { maxFileBytes, largeText }, raw)
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
  const close = () => {
    if (!raw.complete) reject(new Error('the connection was closed'))
  }
  raw.once('close', close)
  raw.pipe(dicer)
  try {
    await finished
    return await Promise.all(parts)
  } catch (error) {
    if (error instanceof ServiceError || error instanceof OverloadedError) throw error
    throw badRequest(UNREADABLE, error)
  } finally {
    // Discards the rest of the body, because a client reads the response only when it has sent the whole body.
    raw.off('data', countBytes).off('error', reject).off('close', close).unpipe(dicer).resume()
  }
}

async function receivePart(
  stream: Readable,
  { maxFileBytes, largeText }: Pick<Limits, 'maxFileBytes' | 'largeText'>,
  message: CountedMessage,
): Promise<Part> {
  let lines: HeaderLines = {}
  stream.on('header', (received: HeaderLines) => (lines = received))
  let header: ReturnType<typeof readHeader> | undefined
  let size = 0
  let chunks: Buffer[] = []
  let chunkBytes = 0
  let file: FileHandle | undefined
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    header ??= readHeader(lines, largeText)
    const isKept = size <= (header.isFile ? maxFileBytes : KEPT_TEXT_BYTES)
    size += chunk.length
    if (!isKept) {
      message.free?.(chunk.length)
      continue
    }
    chunks.push(chunk)
    chunkBytes += chunk.length
    if (!header.isFile || size <= MAX_BYTES_IN_MEMORY) continue
    file ??= await temporaryFile(message)
    await file.appendFile(Buffer.concat(chunks))
    message.free?.(chunkBytes)
    chunks = []
    chunkBytes = 0
  }
  const { name, filename, isFile, charset } = header ?? readHeader(lines, largeText)
  const bytes = Buffer.concat(chunks)
  if (isFile) return { name, value: { filename, bytes, file }, size }
  const text = decodeText(charset, bytes, size === bytes.length)
  if (text !== undefined) return { name, value: text, size }
  throw badRequest(`The text of ${shown(name)} is not ${shown(charset)}. Send it as UTF-8.`)
}

/** Opens a file and unlinks it at once, so that the system frees its space after the response, even after `kill -9`. */
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

type HeaderLines = Record<string, string[] | undefined>

function readHeader(lines: HeaderLines, largeText: string | undefined) {
  const disposition = parameters(lines['content-disposition']?.[0])
  if (!disposition) throw badRequest('A part of the body has no readable header.')
  const { name, filename } = disposition
  if (!name) throw badRequest('A part of the body has no name.')
  const encoding = lines['content-transfer-encoding']?.[0]?.trim() ?? 'binary'
  // RFC 7578 §4.7 has deprecated all other encodings.
  if (!/^(?:7bit|8bit|binary)$/i.test(encoding)) {
    throw badRequest(
      `The field ${shown(name)} is encoded as ${shown(encoding)}. Send it as it is, without a Content-Transfer-Encoding.`,
    )
  }
  const type = mediaType(lines['content-type']?.[0])
  const isBinary = type?.essence === 'application/octet-stream'
  return {
    name,
    filename: filename ?? '',
    isFile: filename !== undefined || isBinary || name === largeText,
    charset: type?.params.get('charset') ?? 'utf-8',
  }
}

function parameters(header = '') {
  const rest = /^form-data\s*((?:;[^]*)?)$/i.exec(header.trim())?.[1]
  // The parameters have the same grammar as those of a media type, which MIMEType can parse.
  const params = rest === undefined ? undefined : mediaType(`form-data/part${rest}`)?.params
  if (!params) return undefined
  const utf8 = (name: string): string | undefined => {
    const value = params.get(name)
    return value === null ? undefined : Buffer.from(value, 'latin1').toString('utf8')
  }
  const filename = extendedFilename(params.get('filename*')) ?? utf8('filename')
  return { name: utf8('name'), filename }
}

/** Decodes `filename*=UTF-8''…`, which some clients send although RFC 7578 forbids it. */
function extendedFilename(value: string | null): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1]
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

function mediaType(header: string | undefined): MIMEType | undefined {
  try {
    return header === undefined ? undefined : new MIMEType(header)
  } catch {
    return undefined
  }
}

/** @param isWhole false if the end is missing. The text might then stop in the middle of a character */
function decodeText(charset: string, bytes: Buffer, isWhole: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: isWhole, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function shown(text: string): string {
  return text.slice(0, 100)
}
