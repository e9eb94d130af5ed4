import { Agent, errors, request } from 'undici'
import { NetworkError } from './errors/network-error.ts'
import { TimeoutError, type TimeoutPhase } from './errors/timeout-error.ts'

/** One HTTP request. */
export interface Outgoing {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: Uint8Array | undefined
  signal?: AbortSignal | undefined
}

/** One HTTP answer, whatever its status. */
export interface Incoming {
  status: number
  /** A header's first value, by its lower-case name. */
  header(name: string): string | undefined
  /** At most `maxBytes` of the body: what is longer was cut off there. */
  text: string
}

/** Sends requests over pooled connections. It follows no redirect and retries nothing. */
export interface Transport {
  /**
   * @throws NetworkError when no answer came, TimeoutError when it took too long, and the
   *   signal's own reason when the caller gave up
   */
  send(outgoing: Outgoing): Promise<Incoming>
  /** Waits for the answers under way, then closes the connections. */
  close(): Promise<void>
}

/** Limits of a transport. Times in milliseconds. */
export interface TransportOptions {
  connectTimeoutMs?: number
  /** Until the answer's headers are there. */
  headersTimeoutMs?: number
  /** Between two pieces of the answer's body. */
  bodyTimeoutMs?: number
  maxBytes?: number
  /** Connections to one service at a time; more calls wait their turn. */
  connections?: number
}

export function createTransport({
  connectTimeoutMs = 3_000,
  headersTimeoutMs = 10_000,
  bodyTimeoutMs = 5_000,
  maxBytes = 1_048_576,
  connections = 64,
}: TransportOptions = {}): Transport {
  const dispatcher = new Agent({
    connections,
    connect: { timeout: connectTimeoutMs },
    // One call a connection: a broken connection leaves one call's outcome open, not everybody's.
    allowH2: false,
  })
  return {
    async send({ method, url, headers, body, signal }) {
      try {
        const answer = await request(url, {
          dispatcher,
          method,
          headers,
          body: body ?? null,
          signal: signal ?? null,
          headersTimeout: headersTimeoutMs,
          bodyTimeout: bodyTimeoutMs,
        })
        return {
          status: answer.statusCode,
          header: (name) => [answer.headers[name]].flat()[0],
          text: await readText(answer.body, maxBytes),
        }
      } catch (error) {
        throw translate(error, signal)
      }
    },
    close: () => dispatcher.close(),
  }
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    pieces.push(piece)
    length += piece.length
    // Leaving the loop destroys the rest of the body, and its connection with it.
    if (length > maxBytes) break
  }
  return Buffer.concat(pieces).toString('utf8', 0, maxBytes)
}

const TIMEOUTS: Record<string, TimeoutPhase> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'headers',
  UND_ERR_BODY_TIMEOUT: 'body',
}

/** The request never left, so the service knows nothing of it. */
const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The service's certificate, or what answered in its place, was not accepted. */
const TLS_FAILED = /CERT|SIGNATURE|HOSTNAME|^ERR_(SSL|TLS)_|^EPROTO$/

/** Our own mistakes, which no retry mends: they are thrown as they are. */
const MISUSE = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

function translate(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) {
    const reason: unknown = signal.reason
    const timedOut = reason instanceof DOMException && reason.name === 'TimeoutError'
    return timedOut ? new TimeoutError('total') : reason
  }
  // Not as a cause: it carries the bytes that it stumbled over.
  if (error instanceof errors.HTTPParserError) return new NetworkError('NO_HTTP', { reached: true })
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || MISUSE.has(code)) return error
  const phase = TIMEOUTS[code]
  if (phase) return new TimeoutError(phase, error)
  const reached = !NOT_REACHED.has(code) && !TLS_FAILED.test(code)
  return new NetworkError(code, { reached, cause: error })
}
