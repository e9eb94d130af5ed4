import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { parseBaseUrl, REQUEST_ID_HEADER, TRACEPARENT_HEADER } from '../contract/endpoints.ts'
import { LinkServiceError, type Failure } from '../port/failures.ts'
import type { LinkServiceCall, LinkServiceMetrics } from '../metrics/app-metrics.ts'
import type { CallOptions } from '../port/link-service.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { createCalls, type RunCall } from './calls.ts'
import type { HttpRequest, HttpResponse, Transport } from './transport.ts'
import { parseRetryAfter } from '../timing/retry.ts'
import { parseJson, readAs } from './json.ts'

export interface DriverOptions {
  transport: Transport
  baseUrl: string
  apiKey: string
  clock?: Clock
  /** Returns the ID of the user's request, 32 hex digits, which the logs of both sides contain. */
  requestId?: () => string | undefined
  metrics?: LinkServiceMetrics | undefined
}

/** What a driver passes with a request. Members that only the driver knows (`About`) are passed to its `readError`. */
export type RequestParts<About = unknown> = About &
  Partial<Pick<HttpRequest, 'headers' | 'body' | 'signal'>> & { json?: object }

export interface TimedResponse extends HttpResponse {
  sentAtMs: number
  receivedAtMs: number
}

type SendArguments<About> = [
  method: HttpRequest['method'],
  path: string,
  request: RequestParts<About>,
]

export interface Requests<About = unknown> {
  base: string
  clock: Clock
  call: RunCall
  /** @throws LinkServiceError if the status is not 2xx */
  send: (...request: SendArguments<About>) => Promise<TimedResponse>
  read: <T>(schema: z.ZodType<T>, ...request: SendArguments<About>) => Promise<T>
  ask: <T>(
    name: LinkServiceCall,
    options: CallOptions,
    schema: z.ZodType<T>,
    ...request: SendArguments<About>
  ) => Promise<T>
}

export function createRequests<About = unknown>(
  options: DriverOptions,
  service: {
    headers: Record<string, string>
    /** Turns an error response into details of a LinkServiceError. The API key is already removed from its JSON. */
    readError: (json: unknown, status: number, about: RequestParts<About>) => ErrorDetails
  },
): Requests<About> {
  const { transport, baseUrl, apiKey, metrics, clock = systemClock, requestId } = options
  const base = parseBaseUrl(baseUrl)

  async function send(...[method, path, request]: SendArguments<About>): Promise<TimedResponse> {
    const { json, signal } = request
    const headers = {
      accept: 'application/json',
      ...(json && { 'content-type': 'application/json' }),
      ...request.headers,
      ...traceHeaders(requestId?.()),
      ...service.headers,
    }
    const body = json ? Buffer.from(JSON.stringify(json)) : request.body
    const sentAtMs = clock.now()
    const response = await transport.send({ method, url: base + path, headers, body, signal })
    const { status } = response
    if (status >= 200 && status < 300) return { ...response, sentAtMs, receivedAtMs: clock.now() }
    const details = service.readError(parseJson(response.text, apiKey), status, request)
    throw failedResponse(response, details, clock.now())
  }

  const call = createCalls(clock, metrics)
  return {
    base,
    clock,
    call,
    send,
    read: async (schema, ...request) => readAs(schema, await send(...request)),
    ask: (name, options, schema, method, path, request) =>
      call(name, options, async (signal) =>
        readAs(schema, await send(method, path, { ...request, signal })),
      ),
  }
}

/** All calls and attempts for a user's request have the same request ID, and each attempt has a new span ID. */
function traceHeaders(requestId: string | undefined): Record<string, string> {
  if (requestId === undefined) return {}
  const spanId = randomBytes(8).toString('hex')
  return {
    [REQUEST_ID_HEADER]: requestId,
    [TRACEPARENT_HEADER]: `00-${requestId}-${spanId}-01`,
  }
}

export function withQuery(path: string, query: object): string {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined)
  const parameters = new URLSearchParams(defined.map(([name, value]) => [name, String(value)]))
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

/** `go.example.com/a` → `go.example.com%2Fa`. @throws failure `gone` if it would change the path, as `..` does */
export function pathSegment(name: string): string {
  if (/^\.{0,2}$/.test(name)) {
    throw new LinkServiceError('There is no link with this name.', { failure: { kind: 'gone' } })
  }
  return encodeURIComponent(name.toWellFormed())
}

const DEFAULT_RETRY_AFTER_MS = 2_000
const MAX_MESSAGE_LENGTH = 500

const RETRYABLE_STATUSES = new Set([502, 503, 504])

// After these statuses, the service might have made the change, and only its response might have got lost.
const UNCERTAIN_STATUSES = new Set([500, 502, 504])

/** What a driver reads from an error response. Without a `failure`, the HTTP status decides what has failed. */
export interface ErrorDetails {
  failure?: Failure | undefined
  message?: string | undefined
  code?: string | undefined
  /** True if our own text says everything that `message` says. Users then see only our text. */
  isClear?: boolean
}

const CLEAR_FAILURES = ['duplicate', 'back_half_taken']

export function failedResponse(response: HttpResponse, details: ErrorDetails, now: number) {
  const { status } = response
  const { failure = failureOfStatus(response, now), message, code } = details
  const { isClear = CLEAR_FAILURES.includes(failure.kind) } = details
  const isBusy = failure.kind === 'busy'
  const hasFailed = failure.kind === 'failed'
  const explanation = message?.trim().slice(0, MAX_MESSAGE_LENGTH) || undefined
  return new LinkServiceError(explanation ?? defaultMessage(status), {
    failure,
    retryable: isBusy || (hasFailed && RETRYABLE_STATUSES.has(status)),
    mayHaveHappened: hasFailed && UNCERTAIN_STATUSES.has(status),
    explanation: isClear ? undefined : explanation,
    status,
    code,
    requestId: readRequestId(response),
  })
}

const FAILURES: Partial<Record<number, Failure>> = {
  400: { kind: 'invalid', fields: {} },
  401: { kind: 'unauthorized' },
  403: { kind: 'forbidden' },
  404: { kind: 'wrong_address' },
  409: { kind: 'conflict' },
  422: { kind: 'invalid', fields: {} },
}

function failureOfStatus(response: HttpResponse, now: number): Failure {
  const { status } = response
  if (status === 429) {
    const retryAfterMs = parseRetryAfter(response.header('retry-after'), now)
    return { kind: 'busy', retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_AFTER_MS }
  }
  if (status < 400) return { kind: 'wrong_address', redirects: true }
  return FAILURES[status] ?? { kind: status < 500 ? 'refused' : 'failed' }
}

function defaultMessage(status: number): string {
  return status >= 300 && status < 400
    ? `The link service redirects to another address (${status}). Its configured URL might be wrong.`
    : `The link service responded with ${status} and no explanation.`
}

/** The ID is logged, so one that is long or not printable is ignored. */
function readRequestId(response: HttpResponse): string | undefined {
  const id = response.header('x-request-id')
  return id && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined
}
