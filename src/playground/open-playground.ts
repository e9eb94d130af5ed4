import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'
import { simulatorPlugin } from '../simulator/http/simulator-plugin.ts'
import { createSimulatedWorkspace } from '../simulator/simulated-workspace.ts'
import { PAGE_POLICY, pageRoutes } from './http/page-routes.ts'
import { personRoutes, type PersonRoutes } from './http/person-routes.ts'

export interface Playground {
  signingSecret: string
  botToken: string
  connectApp(eventsUrl: string): void
}

export async function openPlayground(
  server: FastifyInstance,
  {
    path,
    manifest,
    dashboardLink,
  }: { path: string; manifest: unknown } & Pick<PersonRoutes, 'dashboardLink'>,
): Promise<Playground> {
  const signingSecret = randomBytes(32).toString('hex')
  const botToken = `xoxb-${randomBytes(24).toString('hex')}`
  const workspace = createSimulatedWorkspace({
    manifest,
    signingSecret,
    botToken,
    reachesLoopback: true,
  })
  await server.register(playgroundPlugin, { prefix: path, workspace, dashboardLink })
  return { signingSecret, botToken, connectApp: workspace.parts.app.connect }
}

/** Serves a simulated workspace and its page. There is no login, so the server must listen on loopback addresses only. */
export const playgroundPlugin: FastifyPluginAsync<PersonRoutes> = async (
  scope,
  { workspace, dashboardLink },
) => {
  scope.addHook('onRequest', loopbackOnly)
  const addSecurityHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_POLICY },
    strictTransportSecurity: false,
  })
  scope.addHook('onRequest', (request, reply, done) =>
    addSecurityHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined)),
  )
  await scope.register(pageRoutes, { hasDashboard: dashboardLink !== undefined })
  await scope.register(personRoutes, { workspace, dashboardLink })
  await scope.register(simulatorPlugin, { workspace })
}

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
const LOOPBACK_ADDRESSES = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/

async function loopbackOnly(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // Checks the Host header too, because a foreign web page could make its own name resolve to this machine (DNS
  // rebinding). Ignores the headers that a proxy sets.
  const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? ''
  const isLocal = LOOPBACK_ADDRESSES.test(request.socket.remoteAddress ?? '')
  if (isLocal && LOOPBACK_HOSTS.has(host)) return
  await reply.code(403).send({
    ok: false,
    message: 'The playground only works on the machine that it runs on, at localhost.',
  })
}
