import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import helmet from 'helmet'
import { simulatorPlugin } from '../simulator/http/simulator-plugin.ts'
import {
  createSimulatedWorkspace,
  type SimulatedWorkspace,
} from '../simulator/simulated-workspace.ts'
import { loopbackOnly } from './http/guards.ts'
import { dashboardRoute, PAGE_POLICY, pageRoutes, type DashboardLink } from './http/page-routes.ts'
import { personRoutes } from './http/person-routes.ts'

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
  }: { path: string; manifest: unknown; dashboardLink?: DashboardLink | undefined },
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

/**
 * Serves a simulated workspace, below the prefix that it is registered with:
 *
 *     GET  /                       the page
 *     GET  /modules/…              its modules and styles, by their path in src
 *     GET  /vendor/…               its libraries
 *     GET  /events?viewer=U…       server-sent events, each with a WorkspaceState
 *     POST /actions?viewer=U…      an Action as JSON → ActionResult
 *     POST /uploads?viewer=U…&name=card.png   the file's bytes → FileInfo
 *     GET  /files/{id}             a file for the page
 *     GET  /dashboard              the link service's dashboard, signed in, if it has one
 *     …    /api, /hooks, /upload, /files-pri   what the app calls (simulatorPlugin)
 *
 * There is no login, so the server must listen on a loopback address only.
 */
export const playgroundPlugin: FastifyPluginAsync<{
  workspace: SimulatedWorkspace
  dashboardLink?: DashboardLink | undefined
}> = async (scope, { workspace, dashboardLink }) => {
  scope.addHook('onRequest', loopbackOnly)
  const addSecurityHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_POLICY },
    strictTransportSecurity: false,
  })
  scope.addHook('onRequest', (request, reply, done) =>
    addSecurityHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined)),
  )
  await scope.register(pageRoutes, { hasDashboard: dashboardLink !== undefined })
  if (dashboardLink) await scope.register(dashboardRoute, { dashboardLink })
  await scope.register(personRoutes, { workspace })
  await scope.register(simulatorPlugin, { workspace })
}
