import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that a link service got. */
export interface ReceivedRequest {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** Says what to answer; `destroy` breaks the connection, and a promise may take its time. */
export type Answering = (
  request: ReceivedRequest,
) => Answer | 'destroy' | Promise<Answer | 'destroy'>

export interface Answer {
  status: number
  headers?: Record<string, string>
  /** Text as it is; anything else as JSON. */
  body: unknown
}

/** A link service that is not ours, and does whatever a test needs it to do. */
export interface ForeignService {
  baseUrl: string
  received: ReceivedRequest[]
  answers(answering: Answering): void
  close(): Promise<void>
}

export async function startForeignService(first: Answering): Promise<ForeignService> {
  let answering = first
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { method = '', url = '', headers } = request
      received.push({ method, url, headers, body })
      send(response, await answering({ method, url, headers, body }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers: (next) => (answering = next),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(response: ServerResponse, answer: Answer | 'destroy'): void {
  if (answer === 'destroy') {
    response.destroy()
    return
  }
  const { status, headers, body } = answer
  const plain = typeof body === 'string'
  response.writeHead(status, {
    'content-type': plain ? 'text/html' : 'application/json',
    ...headers,
  })
  response.end(plain ? body : JSON.stringify(body))
}

/** The success envelope of a create (spec §4.1) with a link. */
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

/** The error envelope (spec §7). */
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
