import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { CREATE_PATH, LIST_PATH } from '../../src/contract/endpoints.ts'
import { freePort } from '../support/free-port.ts'
import { startService, type RunningService } from '../support/service.ts'

export interface Request {
  method: string
  url: URL
  headers: Record<string, string>
  body: Buffer
  /** Undefined if the body is not a form. */
  form: FormData | undefined
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** What is wrong with a service: it changes a request before it is answered, or the answer. */
export interface Fault {
  /** May answer at once. */
  request?: (request: Request) => Promise<Reply | undefined> | Reply | undefined
  reply?: (reply: Reply, request: Request) => Reply
}

/** The real link service behind a proxy, which breaks rules of the specification. */
export interface BrokenService {
  baseUrl: string
  service: RunningService
  breaks(fault: Fault): void
  close(): Promise<void>
}

export async function startBrokenService(): Promise<BrokenService> {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const service = await startService({ publicUrl: baseUrl })
  let fault: Fault = {}
  const server = createServer((request, response) => {
    void answer(request, response, service.baseUrl, fault).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    baseUrl,
    service,
    breaks: (next) => (fault = next),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await service.close()
    },
  }
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: string,
  fault: Fault,
): Promise<void> {
  const request = await receive(incoming, target)
  const reply = (await fault.request?.(request)) ?? (await forward(request))
  const { status, headers, body } = fault.reply?.(reply, request) ?? reply
  response.writeHead(status, headers).end(body)
}

async function receive(incoming: IncomingMessage, target: string): Promise<Request> {
  const body = await buffer(incoming)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (!['host', 'connection', 'content-length'].includes(name)) headers[name] = String(value)
  }
  const form = await new Response(body, { headers }).formData().catch(() => undefined)
  const url = new URL(incoming.url ?? '', target)
  return { method: incoming.method ?? '', url, headers, body, form }
}

async function forward({ method, url, headers, body }: Request): Promise<Reply> {
  const hasBody = method !== 'GET'
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(hasBody && { body: new Uint8Array(body) }),
  })
  const kept = [...response.headers].filter(([name]) =>
    ['content-type', 'location', 'etag'].includes(name),
  )
  return {
    status: response.status,
    headers: Object.fromEntries(kept),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

export const isCreate = ({ url }: Request): boolean => url.pathname === CREATE_PATH
export const isList = ({ url }: Request): boolean => url.pathname === LIST_PATH

export async function setForm(request: Request, form: FormData): Promise<void> {
  const encoded = new Response(form)
  request.form = form
  request.headers['content-type'] = encoded.headers.get('content-type') ?? ''
  request.body = Buffer.from(await encoded.arrayBuffer())
}

/** An error in the form of the specification (spec §7). */
export function refusal(status: number): Reply {
  const error = { message: 'Refused.', status_code: status, code: 'REFUSED' }
  return json(status, { error })
}

export function json(status: number, body: unknown): Reply {
  const headers = { 'content-type': 'application/json' }
  return { status, headers, body: Buffer.from(JSON.stringify(body)) }
}
