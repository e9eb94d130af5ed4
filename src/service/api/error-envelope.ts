import type { Socket } from 'node:net'
import type { ErrorEnvelope } from '../../contract/error-envelope.ts'
import { DatabaseUnavailableError } from '../../database/errors.ts'
import { badRequest, ServiceError } from './errors.ts'

/** Replaces Fastify's messages, which address the developers of a server. */
const BAD_REQUEST_MESSAGES: Record<number, string> = {
  408: 'The request took too long to arrive.',
  413: 'The request is too large.',
  414: 'The URL is too long.',
  415: 'Send the body as multipart/form-data.',
  431: 'The request headers are too large.',
}

/** Statuses of Node's HTTP parser errors, by code. */
const PARSER_STATUS: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** The JSON of an error response (spec §7). */
export function toEnvelope({ message, status, code, details }: ServiceError): ErrorEnvelope {
  return { error: { message, status_code: status, code, ...(details && { details }) } }
}

/**
 * Turns any error into one that can be shown. Fastify's own client errors (413, 415 …) become 400, the only such
 * status in the specification. If the database is unavailable and nothing was committed, it is 503. Everything else
 * becomes an internal error without further information.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof DatabaseUnavailableError && !error.mayHaveCommitted) {
    return new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The link service’s database is not available right now. Try again in a few seconds.',
      { cause: error },
    )
  }
  const status =
    error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined
  if (status !== undefined && status >= 400 && status < 500) {
    return badRequest(BAD_REQUEST_MESSAGES[status], error)
  }
  return new ServiceError(
    'INTERNAL_ERROR',
    'Something went wrong in the link service. Try again later.',
    { cause: error },
  )
}

/** Responds to a request that Node can't parse with the error envelope, and closes the connection. */
export function respondToBrokenRequest(
  error: Error & { code?: string | undefined },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const shown = toServiceError(
    Object.assign(new Error(error.message), { statusCode: PARSER_STATUS[error.code ?? ''] ?? 400 }),
  )
  const body = JSON.stringify(toEnvelope(shown))
  const head = [
    `HTTP/1.1 ${shown.status} Bad Request`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  // A client that goes on sending would keep a socket that is only half closed.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
