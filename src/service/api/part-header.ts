import { MIMEType } from 'node:util'
import { badRequest } from './errors.ts'

export type HeaderLines = Record<string, string[] | undefined>

export interface PartHeader {
  name: string
  filename: string
  isFile: boolean
  charset: string
}

/** @throws ServiceError BAD_REQUEST if the header is broken, or the part has no name or is encoded */
export function readPartHeader(lines: HeaderLines, fileField: string | undefined): PartHeader {
  const disposition = readDisposition(lines['content-disposition']?.[0])
  if (!disposition) throw badRequest('A part of the body has no readable header.')
  const { name, filename } = disposition
  if (!name) throw badRequest('A part of the body has no name.')
  const encoding = lines['content-transfer-encoding']?.[0]?.trim() ?? 'binary'
  // RFC 7578 §4.7 has deprecated all other encodings.
  if (!/^(?:7bit|8bit|binary)$/i.test(encoding)) {
    throw badRequest(
      `The field ${excerpt(name)} is encoded as ${excerpt(encoding)}. Send it unencoded, without a Content-Transfer-Encoding.`,
    )
  }
  const type = mediaType(lines['content-type']?.[0])
  const isBinary = type?.essence === 'application/octet-stream'
  return {
    name,
    filename: filename ?? '',
    isFile: filename !== undefined || isBinary || name === fileField,
    charset: type?.params.get('charset') ?? 'utf-8',
  }
}

/** Reads `form-data; name="title"` or `form-data; name="preview_image"; filename="card.png"`. */
function readDisposition(header = '') {
  const rest = /^form-data\s*((?:;[^]*)?)$/i.exec(header.trim())?.[1]
  // The parameters have the same grammar as those of a media type, which MIMEType can parse.
  const params = rest === undefined ? undefined : mediaType(`form-data/part${rest}`)?.params
  if (!params) return undefined
  // Node.js decodes headers as Latin-1, but clients send UTF-8.
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

export function mediaType(header: string | undefined): MIMEType | undefined {
  try {
    return header === undefined ? undefined : new MIMEType(header)
  } catch {
    return undefined
  }
}

/** @param isWhole false if the end is missing. The text might then end in the middle of a character */
export function decodeText(name: string, charset: string, bytes: Buffer, isWhole: boolean): string {
  try {
    return new TextDecoder(charset, { fatal: isWhole, ignoreBOM: true }).decode(bytes)
  } catch {
    throw badRequest(
      `The text of ${excerpt(name)} can’t be read as ${excerpt(charset)}. Send it as UTF-8.`,
    )
  }
}

function excerpt(text: string): string {
  return text.slice(0, 100)
}
