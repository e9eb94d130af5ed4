import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MAX_UPLOAD_BYTES } from '../../simulator/shared/element-state.ts'
import { actionSchema } from '../../simulator/protocol.ts'
import type { SimulatedWorkspace } from '../../simulator/simulated-workspace.ts'
import { PEOPLE } from '../../simulator/workspace/seeds.ts'
import { errorCode } from '../../values/unknown-values.ts'

const viewer = z.enum(PEOPLE.map(({ id }) => id))
const viewerQuery = z.object({ viewer })
/** Without a viewer, or with one of an earlier start, the page shows the workspace as Ana sees it. */
const eventsQuery = z.object({ viewer: viewer.catch(PEOPLE[0].id) })
const uploadQuery = viewerQuery.extend({ name: z.string().min(1).max(255) })

/** Uploaded files can contain anything, such as an SVG with a script. With this policy, nothing in them runs. */
const UPLOAD_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
const TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE'

export interface PersonRoutes {
  workspace: SimulatedWorkspace
  /** Creates a link that signs the browser in to the link service's dashboard. */
  dashboardLink?: (() => Promise<string>) | undefined
}

export const personRoutes: FastifyPluginAsync<PersonRoutes> = async (
  scope,
  { workspace, dashboardLink },
) => {
  const closing = new AbortController()
  scope.addHook('preClose', async () => closing.abort())
  scope.addHook('onRequest', ownPageOnly)
  scope.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) {
      return reply.code(400).send({ ok: false, message: z.prettifyError(error) })
    }
    if (errorCode(error) === TOO_LARGE) {
      return reply.code(413).send({ ok: false, message: 'A file can be at most 10 MB.' })
    }
    throw error
  })

  scope.get('/events', (request, reply) => {
    const { viewer } = eventsQuery.parse(request.query)
    const signal = AbortSignal.any([closing.signal, request.signal])
    return reply
      .type('text/event-stream')
      .header('cache-control', 'no-store')
      .send(Readable.from(stateEvents(workspace, viewer, signal), { highWaterMark: 1 }))
  })

  scope.post('/actions', (request) => {
    const { viewer } = viewerQuery.parse(request.query)
    return workspace.act(viewer, actionSchema.parse(request.body))
  })

  if (dashboardLink) {
    scope.get('/dashboard', async (_request, reply) =>
      reply.header('cache-control', 'no-store').redirect(await dashboardLink(), 303),
    )
  }

  scope.get<{ Params: { id: string } }>('/files/:id', (request, reply) => {
    const file = workspace.file(request.params.id)
    if (!file) return reply.callNotFound()
    return reply
      .type(file.mimetype)
      .header('content-security-policy', UPLOAD_POLICY)
      .send(file.bytes)
  })

  // Actions are JSON, and everything else is a file.
  scope.removeContentTypeParser('text/plain')
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.post('/uploads', { bodyLimit: MAX_UPLOAD_BYTES }, (request, reply) => {
    const { viewer, name } = uploadQuery.parse(request.query)
    if (!Buffer.isBuffer(request.body) || request.body.length === 0) {
      return reply.code(400).send({ ok: false, message: 'This file is empty.' })
    }
    return workspace.upload(viewer, name, request.body)
  })
}

/** Sends the state at once and after each change. Changes that come faster than the page reads share an event. */
async function* stateEvents(
  workspace: SimulatedWorkspace,
  viewerId: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  while (!signal.aborted) {
    const change = once(workspace.parts.changes, 'change', { signal }).catch(() => undefined)
    yield `data: ${JSON.stringify(workspace.state(viewerId))}\n\n`
    await change
  }
}

/** Prevents foreign web pages from acting as a person, or reading what a person sees. */
async function ownPageOnly(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, host, 'sec-fetch-site': site = 'same-origin' } = request.headers
  const isOwnOrigin = origin === undefined || URL.parse(origin)?.host === host
  if (isOwnOrigin && (site === 'same-origin' || site === 'none')) return
  await reply.code(403).send({ ok: false, message: 'Only the playground’s own page can do this.' })
}
