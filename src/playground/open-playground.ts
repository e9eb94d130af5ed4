import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import helmet from 'helmet'
import { simulatorPlugin } from '../simulator/http/simulator-plugin.ts'
import { createSimulatedWorkspace } from '../simulator/simulated-workspace.ts'
import { loopbackOnly } from './http/guards.ts'
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
  return { signingSecret, botToken, connectApp: workspace.connectApp }
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
