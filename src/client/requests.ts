import { randomBytes } from 'node:crypto'
import { parseBaseUrl, REQUEST_ID_HEADER, TRACEPARENT_HEADER } from '../contract/endpoints.ts'
import { LinkServiceError } from '../port/failures.ts'
import type { ServiceAccess } from '../port/link-service.ts'
import { systemClock } from '../timing/clock.ts'
import { createCalls } from './calls.ts'
import { failedResponse, type ErrorDetails } from './failed-response.ts'
import type { HttpRequest, HttpResponse, Transport } from './transport.ts'

export type DriverOptions = ServiceAccess<Transport>

export type RequestParts<About = unknown> = Partial<HttpRequest> & About

/**
 * @param service.readError reads the JSON of an error response
 * @throws TypeError if the base URL is invalid
 */
export function createRequests<About = unknown>(
  options: DriverOptions,
  service: {
    headers: Record<string, string>
    readError: (json: unknown, status: number, about: RequestParts<About>) => ErrorDetails
  },
) {
  const { transport, baseUrl, apiKey, metrics } = options
  const { clock = systemClock, requestId = () => undefined } = options
  const base = parseBaseUrl(baseUrl)
  return {
    base,
    clock,
    call: createCalls(clock, metrics),
    send: async (
      method: HttpRequest['method'],
      path: string,
      request: RequestParts<About>,
    ): Promise<HttpResponse> => {
      const { body, signal } = request
      const headers = {
        accept: 'application/json',
        ...request.headers,
        ...traceHeaders(requestId()),
        ...service.headers,
      }
      const response = await transport.send({ method, url: base + path, headers, body, signal })
      const { status } = response
      if (status >= 200 && status < 300) return response
      const readError = (json: unknown) => service.readError(json, status, request)
      throw failedResponse(response, readError, { apiKey, now: clock.now() })
    },
  }
}

/**
 * The request ID is the same for all calls and attempts that belong together. Each attempt has a new span ID.
 */
function traceHeaders(requestId: string | undefined): Record<string, string> {
  if (requestId === undefined) return {}
  const spanId = randomBytes(8).toString('hex')
  return {
    [REQUEST_ID_HEADER]: requestId,
    [TRACEPARENT_HEADER]: `00-${requestId}-${spanId}-01`,
  }
}

export function withQuery(path: string, query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

/** @throws failure `gone` for a name that can't be part of a path: `..` would be another address */
export function pathSegment(name: string): string {
  if (/^\.{0,2}$/.test(name)) {
    throw new LinkServiceError('There is no link with this name.', { failure: { kind: 'gone' } })
  }
  return encodeURIComponent(name.toWellFormed())
}

export function jsonBody(value: object): Pick<HttpRequest, 'headers' | 'body'> {
  return {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  }
}
