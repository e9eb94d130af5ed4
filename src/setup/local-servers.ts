import { fastify, type FastifyInstance, type FastifyReply } from 'fastify'
import { z } from 'zod'

async function listens(server: FastifyInstance, host: string, port: number): Promise<boolean> {
  const origin = await server.listen({ host, port }).catch(() => undefined)
  return origin !== undefined
}

/** The port is fixed, so that a user at a server can forward it before the setup starts. */
export const LINK_PORT = 3002

/** Serves a short URL that redirects to a long one, which would be hard to copy from a terminal. */
export async function openLocalLink(target: string): Promise<FastifyInstance> {
  for (const port of [LINK_PORT, 0]) {
    const server = fastify({ forceCloseConnections: true })
    server.get('/', (_request, reply) => reply.redirect(target))
    if (await listens(server, '127.0.0.1', port)) return server
  }
  throw new Error('no port of this machine is free')
}

const urlVerification = z.object({
  type: z.literal('url_verification'),
  challenge: z.string().regex(/^[\w-]{1,200}$/),
})

/**
 * Responds in place of Backhalf, and echoes the challenge with which Slack verifies an address when the app is created.
 * @returns undefined if the port is in use, probably by Backhalf itself
 */
export async function openStandIn(host: string, port: number) {
  const server = fastify({ bodyLimit: 10_000, forceCloseConnections: true })
  const unavailable = (reply: FastifyReply): FastifyReply =>
    reply.code(503).type('text/plain').send('Backhalf is being set up.\n')
  server.all('*', ({ url, body }, reply) => {
    if (/\/healthz(?:\?|$)/.test(url)) return reply.send({ status: 'ok' })
    const { success, data } = urlVerification.safeParse(body)
    return success ? reply.type('text/plain').send(data.challenge) : unavailable(reply)
  })
  server.setErrorHandler((_error, _request, reply) => unavailable(reply))
  return (await listens(server, host, port)) ? server : undefined
}
