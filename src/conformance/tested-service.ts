import { randomUUID } from 'node:crypto'
import type { Clock } from '../timing/clock.ts'
import { failureOf, NetworkError } from '../port/failures.ts'
import { encodeForm } from '../drivers/backhalf/multipart.ts'
import { parseJson } from '../client/json.ts'
import { withQuery } from '../client/requests.ts'
import { asObject } from '../values/unknown-values.ts'
import { parseRetryAfter } from '../timing/retry.ts'
import {
  REFUSED_ADDRESS,
  type HttpRequest,
  type HttpResponse,
  type Transport,
} from '../client/transport.ts'
import { API_KEY_HEADER, CREATE_PATH, LIST_PATH } from '../contract/endpoints.ts'
import type { ImageFile } from '../contract/preview-image.ts'
import { keyPattern, shownText, withoutKey } from './shown-text.ts'

export type Fields = Record<string, string | ImageFile | undefined>

export interface ServiceResponse extends HttpResponse {
  sent: string
  received: string
  json: unknown
}

export interface CreatedLink {
  name: string | undefined
  // Safe to print.
  shortUrl: string | undefined
}

/** Thrown if a rule can't be checked. The message is the reason. */
export class Unchecked extends Error {}

export class NoResponse extends Error {
  readonly sent: string

  constructor(sent: string, reason: string) {
    super(reason)
    this.sent = sent
  }
}

const KEY_WORDS = { valid: '', missing: ', without X-API-Key', unknown: ', with an unknown key' }

/** Which API key a request has. An `unknown` key looks like a key, but no service has issued it. */
export type KeyKind = keyof typeof KEY_WORDS

interface RequestBody {
  headers?: Record<string, string>
  body?: Uint8Array | undefined
  // Describes the body in the report: ` without a body`.
  words: string
}

export type TestedService = ReturnType<typeof createTestedService>

const DEADLINE_MS = 10_000
const MAX_FAILURES = 3
const MAX_WAITS = 3
const MAX_WAIT_MS = 60_000
const DEFAULT_WAIT_MS = 5_000

interface TestedServiceOptions {
  transport: Transport
  visits?: Transport
  baseUrl: string
  apiKey: string
  domain: string
  clock: Clock
  deadlineMs?: number | undefined
}

export function createTestedService(options: TestedServiceOptions) {
  const { transport, visits = transport, baseUrl, apiKey, domain, clock } = options
  const { deadlineMs = DEADLINE_MS } = options
  const responses: ServiceResponse[] = []
  const created: CreatedLink[] = []
  let failures = 0
  let waits = 0
  const keyInText = keyPattern(apiKey)
  const printable = (text: string, maxLength?: number) => shownText(text, keyInText, maxLength)

  async function send(
    sent: string,
    request: Omit<HttpRequest, 'signal'>,
    through = transport,
  ): Promise<ServiceResponse> {
    if (failures >= MAX_FAILURES) throw new Unchecked('the service stopped responding')
    let response: HttpResponse
    try {
      response = await through.send({ ...request, signal: clock.timeout(deadlineMs) })
    } catch (error) {
      if (error instanceof NetworkError && error.code === REFUSED_ADDRESS) {
        throw new Unchecked(
          `${sent} would open a private address, though the service has a public one`,
        )
      }
      failures += 1
      throw new NoResponse(sent, describeFailure(error, deadlineMs))
    }
    failures = 0
    const received = receivedText(response, printable)
    return { ...response, sent, received, json: parseJson(response.text) }
  }

  async function call(
    method: 'GET' | 'POST',
    path: string,
    { headers, body, words, keyKind }: RequestBody & { keyKind: KeyKind },
  ): Promise<ServiceResponse> {
    const key = { valid: apiKey, missing: undefined, unknown: `unknown-${randomUUID()}` }[keyKind]
    const sent = printable(`${method} ${path.replace(/^.*\//, '')}${words}${KEY_WORDS[keyKind]}`)
    const allHeaders = { accept: 'application/json', ...headers, [API_KEY_HEADER]: key }
    for (;;) {
      const response = await send(sent, { method, url: baseUrl + path, headers: allHeaders, body })
      responses.push(response)
      if (response.status === 403 && response.text.includes('FEATURE_LIMIT_EXCEEDED')) {
        throw new Unchecked('the quota of the key is used up (403)')
      }
      if (response.status !== 429) return response
      const wait = parseRetryAfter(response.header('retry-after'), clock.now()) ?? DEFAULT_WAIT_MS
      if (waits >= MAX_WAITS || wait > MAX_WAIT_MS) {
        throw new Unchecked('the service refuses more requests for now (429)')
      }
      waits += 1
      await clock.sleep(wait)
    }
  }

  async function post(body: RequestBody, keyKind: KeyKind): Promise<ServiceResponse> {
    const response = await call('POST', CREATE_PATH, { ...body, keyKind })
    if (response.status >= 200 && response.status < 300) {
      const { name, shortlink_url: shortUrl } = readShortlink(response)
      created.push({
        name: typeof name === 'string' ? name : undefined,
        shortUrl: typeof shortUrl === 'string' ? printable(shortUrl) : undefined,
      })
    }
    return response
  }

  function create(fields: Fields, keyKind: KeyKind = 'valid'): Promise<ServiceResponse> {
    const all: Fields = { domain, ...fields }
    const words = Object.entries(all).flatMap(([name, value]) => {
      if (value === undefined) return []
      if (typeof value === 'string') return [`${name}=${printable(value, 80)}`]
      return [`${name}=${value.filename} (${value.bytes.length} bytes)`]
    })
    return post({ ...encodeForm(all), words: ` with ${words.join(', ')}` }, keyKind)
  }

  return {
    responses: responses as readonly ServiceResponse[],
    /** All created links, even those that the service should have refused. */
    created: created as readonly CreatedLink[],
    repeatsKey: ({ text }: ServiceResponse) => withoutKey(text, keyInText) !== text,
    create,
    createWithKeyInBody: (destination: string) =>
      create({ destination_url: destination, 'x-api-key': apiKey, api_key: apiKey }, 'missing'),
    createRaw: (body: RequestBody) => post(body, 'valid'),
    list: (query: Record<string, string> = {}, keyKind: KeyKind = 'valid') =>
      call('GET', withQuery(LIST_PATH, query), { words: '', keyKind }),
    get: (path: string) => call('GET', path, { words: '', keyKind: 'valid' }),
    visit: (url: string, userAgent = 'Mozilla/5.0') =>
      send(
        printable(`GET ${url}`),
        { method: 'GET', url, headers: { 'user-agent': userAgent, accept: 'text/html,*/*' } },
        visits,
      ),
  }
}

export function readData({ json }: ServiceResponse): Record<string, unknown> {
  return asObject(asObject(json)['data'])
}

export function readShortlink(response: ServiceResponse): Record<string, unknown> {
  return asObject(readData(response)['shortlink'])
}

function receivedText(response: HttpResponse, printable: (text: string) => string): string {
  const { status, text } = response
  const location = response.header('location')
  const target = location === undefined ? '' : ` to ${printable(location)}`
  return `${status}${target} ${text.trim() ? printable(text) : 'with an empty body'}`
}

function describeFailure(error: unknown, deadlineMs: number): string {
  const timeout = failureOf(error, 'timeout')
  if (timeout) {
    return timeout.phase === 'connect'
      ? 'no connection in time'
      : `no complete response within ${deadlineMs / 1_000} seconds`
  }
  if (!(error instanceof NetworkError)) return 'no response: the request could not be sent'
  if (error.code === 'NO_HTTP') return 'something that is not HTTP'
  return error.mayHaveHappened
    ? `no complete response: the connection broke (${error.code})`
    : `no connection (${error.code})`
}
