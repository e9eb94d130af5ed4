import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, errors, request, type Dispatcher } from 'undici'
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
  /** @throws NetworkError if there was no response, TimeoutError, or the signal's reason if the caller aborted */
  send: (request: HttpRequest) => Promise<HttpResponse>
  close: () => Promise<void>
}

export interface TransportOptions {
  connectTimeoutMs?: number
  headersTimeoutMs?: number
  bodyTimeoutMs?: number
  maxBytes?: number
  /**
   * True for an IP address to which no connection must be opened, even if a hostname leads there. The error is
   * REFUSED_ADDRESS.
   */
  refuses?: ((address: string) => boolean) | undefined
  connections?: number
}

/**
 * The HTTP client that drivers use. It limits the time of each phase of a request, and reads at most `maxBytes` of a
 * response.
 */
export function createTransport({
  connectTimeoutMs = 3_000,
  headersTimeoutMs = 8_000,
  bodyTimeoutMs = 5_000,
  maxBytes = 1_048_576,
  connections = 64,
  refuses,
}: TransportOptions = {}): Transport {
  const dispatcher = new Agent({
    connections,
    connect: { timeout: connectTimeoutMs, ...(refuses && { lookup: lookupExcept(refuses) }) },
    // One request per connection: if a connection breaks, only one request's outcome is unknown.
    allowH2: false,
  })
  return {
    async send({ method, url, headers, body, signal }) {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && refuses?.(host)) {
        throw new NetworkError(REFUSED_ADDRESS, { reached: false })
      }
      let sent = false
      const onStart = (): void => void (sent = true)
      const watched = dispatcher.compose(
        (dispatch) => (options, handler) => dispatch(options, watchStart(handler, onStart)),
      )
      try {
        const response = await request(url, {
          dispatcher: watched,
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
        throw toClientError(error, { sent, signal })
      }
    },
    close: () => dispatcher.close(),
  }
}

export const REFUSED_ADDRESS = 'REFUSED_ADDRESS'

/**
 * Looks up a hostname for a connection, and fails if one of its addresses is refused. Checking the hostname before
 * would be unsafe, because the next lookup can have another result (DNS rebinding).
 */
function lookupExcept(refuses: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const isRefused = !error && addresses.some(({ address }) => refuses(address))
      const refusal = Object.assign(new Error(REFUSED_ADDRESS), { code: REFUSED_ADDRESS })
      callback(isRefused ? refusal : error, addresses)
    })
}

/**
 * Calls `onStart` when the request is about to be written to a connection. If it fails before that, it has had no
 * effect.
 */
function watchStart(
  handler: Dispatcher.DispatchHandler,
  onStart: () => void,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller, context) {
      onStart()
      handler.onRequestStart?.(controller, context)
    },
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  }
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

/** Mistakes in our own code. A retry would not help, so they are thrown unchanged. */
const MISUSE = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

function toClientError(
  error: unknown,
  { sent, signal }: { sent: boolean; signal: AbortSignal | undefined },
): unknown {
  if (signal?.aborted) {
    const reason: unknown = signal.reason
    const timedOut = reason instanceof DOMException && reason.name === 'TimeoutError'
    return timedOut ? new TimeoutError(sent ? 'total' : 'unsent') : reason
  }
  // The parser's error must not become the cause, because it contains bytes of the response.
  if (error instanceof errors.HTTPParserError) return new NetworkError('NO_HTTP', { reached: true })
  const code = errorCode(error)
  if (code === undefined || MISUSE.has(code)) return error
  const phase = TIMEOUT_PHASES[code]
  if (phase) return new TimeoutError(phase, error)
  return new NetworkError(code, { reached: sent, cause: error })
}
