import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, errors, request } from 'undici'
import { NetworkError, TimeoutError, type TimeoutPhase } from '../port/failures.ts'
import { errorCode } from '../values/unknown-values.ts'

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string | undefined>
  body?: Uint8Array | undefined
  signal?: AbortSignal | undefined
}

export interface HttpResponse {
  status: number
  header(name: string): string | undefined
  text: string
}

export interface Transport {
  /** @throws NetworkError, TimeoutError (also after the signal's own timeout), or the reason if the caller aborts */
  send: (request: HttpRequest) => Promise<HttpResponse>
  close: () => Promise<void>
}

export interface TransportOptions {
  connectTimeoutMs?: number
  headersTimeoutMs?: number
  bodyTimeoutMs?: number
  maxBytes?: number
  /** A request to such an IP address, or to a hostname that resolves to one, fails with the code REFUSED_ADDRESS. */
  isForbidden?: ((address: string) => boolean) | undefined
}

export function createTransport({
  connectTimeoutMs = 3_000,
  headersTimeoutMs = 8_000,
  bodyTimeoutMs = 5_000,
  maxBytes = 1_048_576,
  isForbidden,
}: TransportOptions = {}): Transport {
  const dispatcher = new Agent({
    connections: 64,
    connect: {
      timeout: connectTimeoutMs,
      ...(isForbidden && { lookup: checkedLookup(isForbidden) }),
    },
    // One request per connection: if a connection breaks, only one request's outcome is unknown.
    allowH2: false,
  })
  return {
    async send({ method, url, headers, body, signal }) {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && isForbidden?.(host)) {
        throw new NetworkError(REFUSED_ADDRESS, { reached: false })
      }
      // A request that fails before undici starts to write it to a connection has had no effect.
      let isSent = false
      const observedDispatcher = dispatcher.compose((dispatch) => (options, handler) => {
        const start = handler.onRequestStart?.bind(handler)
        handler.onRequestStart = (...args) => {
          isSent = true
          start?.(...args)
        }
        return dispatch(options, handler)
      })
      try {
        const response = await request(url, {
          dispatcher: observedDispatcher,
          method,
          headers,
          body: body ?? null,
          signal: signal ?? null,
          headersTimeout: headersTimeoutMs,
          bodyTimeout: bodyTimeoutMs,
        })
        return {
          status: response.statusCode,
          header: (name) => [response.headers[name]].flat()[0],
          text: await readText(response.body, maxBytes),
        }
      } catch (error) {
        throw toClientError(error, { isSent, signal })
      }
    },
    close: () => dispatcher.close(),
  }
}

export const REFUSED_ADDRESS = 'REFUSED_ADDRESS'

class RefusedAddressError extends Error {
  readonly code = REFUSED_ADDRESS
}

/** The connection uses the checked addresses. A separate lookup before it could return others (DNS rebinding). */
function checkedLookup(isForbidden: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const isRefused = !error && addresses.some(({ address }) => isForbidden(address))
      callback(isRefused ? new RefusedAddressError(REFUSED_ADDRESS) : error, addresses)
    })
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop destroys the rest of the body together with its connection.
    if (length > maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes)
}

const TIMEOUT_PHASES: Record<string, TimeoutPhase> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'headers',
  UND_ERR_BODY_TIMEOUT: 'body',
}

// Errors that only a bug in our own code causes. A retry wouldn't help, so they are thrown unchanged.
const MISUSE_CODES = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

function toClientError(
  error: unknown,
  { isSent, signal }: { isSent: boolean; signal: AbortSignal | undefined },
): unknown {
  if (signal?.aborted) {
    const reason: unknown = signal.reason
    const isTimeout = reason instanceof DOMException && reason.name === 'TimeoutError'
    return isTimeout ? new TimeoutError(isSent ? 'total' : 'unsent') : reason
  }
  // The parser's error is not kept as the cause, because it contains bytes of the response.
  if (error instanceof errors.HTTPParserError) return new NetworkError('NO_HTTP', { reached: true })
  const code = errorCode(error)
  if (code === undefined || MISUSE_CODES.has(code)) return error
  const phase = TIMEOUT_PHASES[code]
  if (phase) return new TimeoutError(phase, error)
  return new NetworkError(code, { reached: isSent, cause: error })
}
