import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'
import { OPENAPI_PATH } from '../../src/contract/endpoints.ts'
import type { LinkClicks, DetailedShortlink } from '../../src/contract/extension-calls.ts'
import { listenOnLoopback } from './free-port.ts'

export interface ReceivedRequest {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** Returns the response to a request. `destroy` breaks the connection, `hang` leaves it open. */
export type Responder = (request: ReceivedRequest) => Answer | Fault | Promise<Answer | Fault>

export type Fault = 'destroy' | 'hang'

export interface Answer {
  status: number
  headers?: Record<string, string>
  /** A string is sent as HTML, anything else as JSON. */
  body: unknown
}

/** A link service whose responses are chosen by the test. */
export type FakeLinkService = Awaited<ReturnType<typeof startFakeLinkService>>

export async function startFakeLinkService(initial: Responder) {
  let responder = initial
  let description: Answer | Fault = failure(404, 'NOT_FOUND')
  let timesDescribed = 0
  const received: ReceivedRequest[] = []
  let hanging = 0
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { method = '', url = '', headers } = request
      const asksForDocument = url === OPENAPI_PATH
      if (asksForDocument) timesDescribed += 1
      else received.push({ method, url, headers, body })
      const answer = asksForDocument ? description : await responder({ method, url, headers, body })
      if (answer !== 'hang') return send(response, answer)
      hanging += 1
      response.once('close', () => (hanging -= 1))
    })
  })
  return {
    baseUrl: await listenOnLoopback(server),
    /** All but the requests of the OpenAPI document, which the app sends in the background. */
    received,
    /** Changes the responses from now on. */
    answers: (next: Responder): void => void (responder = next),
    /** Changes the response to requests of the OpenAPI document. By default, it has no such document. */
    describes: (document: Answer | Fault): void => void (description = document),
    /** How often the OpenAPI document was requested. */
    timesDescribed: () => timesDescribed,
    hanging: () => hanging,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Tests with a service that at first refuses every request, as a link service does without a key. */
export const fakeServiceTest = test.extend<{ service: FakeLinkService }>({
  service: async ({}, use) => {
    const service = await startFakeLinkService(() => failure(401, 'UNAUTHORIZED'))
    await use(service)
    await service.close()
  },
})

function send(response: ServerResponse, answer: Answer | 'destroy'): void {
  if (answer === 'destroy') {
    response.destroy()
    return
  }
  const { status, headers, body } = answer
  const isText = typeof body === 'string'
  response.writeHead(status, {
    'content-type': isText ? 'text/html' : 'application/json',
    ...headers,
  })
  response.end(isText ? body : JSON.stringify(body))
}

/** The text fields of the form in a request. */
export function fieldsIn({ body }: ReceivedRequest): Record<string, string> {
  const fields = body.matchAll(/name="(\w+)"\r\n\r\n([^]*?)\r\n--/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value])) as Record<
    string,
    string
  >
}

/** The response to a successful create (spec §4.1). `more` replaces members of the link. */
export function created(more: Record<string, unknown> = {}): Answer {
  return {
    status: 200,
    body: {
      data: {
        status: 'ok',
        message: 'Done.',
        shortlink: {
          name: 'lnk_1',
          destination_url: 'https://example.com/page',
          shortlink_url: 'https://go.example.com/x7Kp2Qa',
          ...more,
        },
      },
    },
  }
}

/** The answer to one of our calls beyond the specification. */
export function success(data: object, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers, body: { data: { status: 'success', message: 'Done.', ...data } } }
}

/** The answer to our call for a single link. `more` replaces members of the link. */
export function oneLink(more: Record<string, unknown> = {}, etag = '"2"'): Answer {
  return success({ shortlink: { ...WHOLE_LINK, ...more } }, { etag })
}

/** The answer to our call for a link's clicks. `more` replaces members. */
export function clickAnswer(days: LinkClicks['days'], more: Partial<LinkClicks> = {}): Answer {
  const [from = '', to = ''] = [days[0]?.date, days.at(-1)?.date]
  const sums = { total_people: 0, total_bots: 0, all_time_people: 0 }
  return success({ clicks: { from, to, ...sums, days, referrers: [], ...more } })
}

/** A link as our call for a single link shows it. */
export const WHOLE_LINK: DetailedShortlink = {
  name: 'lnk_1',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/x7Kp2Qa',
  enabled: true,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  clicks: 7,
  domain: 'dom_1',
  back_half: 'x7Kp2Qa',
  utm_analytics_enabled: false,
}

/** An error response (spec §7). */
export function failure(
  status: number,
  code: string,
  more: {
    message?: string
    details?: Record<string, unknown>
    headers?: Record<string, string>
  } = {},
): Answer {
  const { message = `Words for ${code}.`, details, headers } = more
  return {
    status,
    ...(headers && { headers }),
    body: { error: { message, status_code: status, code, ...(details && { details }) } },
  }
}
