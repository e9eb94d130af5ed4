import type { HttpRequest, Transport } from '../../src/client/transport.ts'
import { CREATE_PATH, LIST_PATH } from '../../src/contract/endpoints.ts'

/** A request that a fault can change. */
export interface Request {
  url: URL
  headers: Record<string, string>
  body: Uint8Array
  /** Undefined if the body is not a form. */
  form: FormData | undefined
}

export interface Reply {
  status: number
  headers: Record<string, string>
  text: string
}

/** What is wrong with a service: it changes a request before it is sent, or the response. */
export interface Fault {
  /** Can respond at once. */
  request?: (request: Request) => Promise<Reply | undefined> | Reply | undefined
  reply?: (reply: Reply, request: Request) => Reply
}

/** Makes a service look as if it had a fault. */
export function brokenTransport(transport: Transport, fault: Fault): Transport {
  return {
    ...transport,
    async send(sent) {
      const request = await readRequest(sent)
      const reply = (await fault.request?.(request)) ?? (await forward(transport, sent, request))
      const { status, headers, text } = fault.reply?.(reply, request) ?? reply
      return { status, header: (name) => headers[name], text }
    },
  }
}

async function readRequest({ url, headers: sent, body }: HttpRequest): Promise<Request> {
  const bytes = new Uint8Array(body ?? [])
  const headers = Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const form = await new Response(bytes, { headers }).formData().catch(() => undefined)
  return { url: new URL(url), headers, body: bytes, form }
}

async function forward(
  transport: Transport,
  sent: HttpRequest,
  { url: { href: url }, headers, body }: Request,
): Promise<Reply> {
  const changed = { ...sent, url, headers, body: body.length > 0 ? body : undefined }
  const reply = await transport.send(changed)
  const kept = ['content-type', 'location'].flatMap((name) => {
    const value = reply.header(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...reply, headers: Object.fromEntries(kept) }
}

export const isCreate = ({ url }: Request): boolean => url.pathname === CREATE_PATH
export const isList = ({ url }: Request): boolean => url.pathname === LIST_PATH

export async function setForm(request: Request, form: FormData): Promise<void> {
  const encoded = new Response(form)
  request.form = form
  request.headers['content-type'] = encoded.headers.get('content-type') ?? ''
  request.body = await encoded.bytes()
}

/** An error in the form of the specification (spec §7). */
export function refusal(status: number): Reply {
  const error = { message: 'Refused.', status_code: status, code: 'REFUSED' }
  return json(status, { error })
}

export function json(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) }
}
