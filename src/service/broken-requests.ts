import type { Socket } from 'node:net'
import { asServiceError, envelopeOf } from './error-envelope.ts'

/** Statuses that asServiceError has words for, by Node's error codes. */
const STATUS: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what is not HTTP, or too much of it, in the error envelope, and hangs up. */
export function answerBrokenRequest(
  error: Error & { code?: string | undefined },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = asServiceError(
    Object.assign(new Error(error.message), { statusCode: STATUS[error.code ?? ''] ?? 400 }),
  )
  const body = JSON.stringify(envelopeOf(refusal))
  const head = [
    `HTTP/1.1 ${refusal.status} Bad Request`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
