import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MAX_UPLOAD_BYTES } from '../shared/element-state.ts'
import { string } from '../shared/slack-json.ts'
import type { SimulatedWorkspace } from '../simulated-workspace.ts'
import { json } from '../web-api/method.ts'
import { TEAM } from '../workspace/seeds.ts'

/** Enough for a view of 250 KB that is encoded as a form. */
const MAX_CALL_BYTES = 2 * 1024 * 1024

const LOGIN_PAGE =
  '<!DOCTYPE html><html lang="en"><title>Sign in</title><p>Sign in to see this file.</p></html>'

export const simulatorPlugin: FastifyPluginAsync<{ workspace: SimulatedWorkspace }> = async (
  scope,
  { workspace },
) => {
  const { fromApp, parts } = workspace
  scope.addHook('onRequest', noBrowser)
  scope.addHook('onListen', async () => {
    parts.serveAt(`${scope.listeningOrigin}${scope.prefix}`)
  })

  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const callLimits = { bodyLimit: MAX_CALL_BYTES }
  scope.post<{ Params: { method: string } }>('/api/:method', callLimits, async (request, reply) => {
    const { method } = request.params
    const args = callArguments(request)
    if (!args) return { ok: false, error: 'invalid_json' }
    const token = bearerToken(request) ?? (string(args.token) || undefined)
    const { headers, body } = await fromApp.callApi({ method, token, args })
    return reply.headers(headers).send(body)
  })

  type Hook = { Params: { team: string; id: string } }
  scope.post<Hook>('/hooks/:team/:id', callLimits, async (request, reply) => {
    const { team, id } = request.params
    const args = callArguments(request)
    if (team !== TEAM.id || !args) {
      return reply.code(400).send({ ok: false, error: 'invalid_payload' })
    }
    const { status, body } = await fromApp.postToResponseUrl(id, args)
    return reply.code(status).send(body)
  })

  const uploadLimits = { bodyLimit: MAX_UPLOAD_BYTES + 10_000 }
  scope.post<{ Params: { id: string } }>('/upload/v1/:id', uploadLimits, async (request, reply) => {
    const file = parts.files.get(request.params.id)
    const bytes = await uploadedBytes(request)
    if (!file || file.bytes || file.size !== bytes?.length) {
      return reply.code(400).type('text/plain').send('Bad Request')
    }
    file.bytes = bytes
    return reply.type('text/plain').send(`OK - ${bytes.length}`)
  })

  scope.get<{ Params: { file: string } }>('/files-pri/:file/*', async (request, reply) => {
    const [, fileId = ''] = request.params.file.split('-')
    const grant = parts.grants.check(bearerToken(request) ?? '')
    const mayRead = typeof grant === 'object' && grant.scopes.has('files:read')
    const file = mayRead && workspace.file(fileId)
    return file
      ? reply.type(file.mimetype).send(file.bytes)
      : reply.type('text/html; charset=utf-8').send(LOGIN_PAGE)
  })
}

/** Rejects requests from browsers, because the app is not a browser, and a web page could imitate it. */
async function noBrowser(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin === undefined && site === undefined) return
  await reply.code(403).send({ ok: false, error: 'not_allowed' })
}

function callArguments({ headers, body }: FastifyRequest): Record<string, unknown> | undefined {
  if (!Buffer.isBuffer(body) || body.length === 0) return {}
  const text = body.toString()
  const isJson = headers['content-type']?.startsWith('application/json')
  if (isJson) return jsonObject.safeParse(text).data
  const fields = Object.fromEntries(new URLSearchParams(text))
  return fields.payload === undefined ? fields : jsonObject.safeParse(fields.payload).data
}

const jsonObject = json(z.record(z.string(), z.unknown()))

async function uploadedBytes({ headers, body }: FastifyRequest): Promise<Buffer | undefined> {
  if (!Buffer.isBuffer(body)) return undefined
  const type = headers['content-type'] ?? ''
  if (/^application\/octet-stream\b/i.test(type)) return body
  const sent = new Response(new Uint8Array(body), { headers: { 'content-type': type } })
  const form = await sent.formData().catch(() => undefined)
  const file = form?.values().find((value) => value instanceof File)
  return file && Buffer.from(await file.arrayBuffer())
}

function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
}
