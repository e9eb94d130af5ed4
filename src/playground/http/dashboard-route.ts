import type { FastifyPluginAsync } from 'fastify'
import { ownPageOnly } from './guards.ts'

/** Makes a link that signs in to the link service's dashboard, once. */
export type DashboardLink = () => Promise<string>

/**
 * `GET /dashboard`: opens the link service's dashboard, signed in. Other web pages can't make the browser do this,
 * and don't learn the link.
 */
export const dashboardRoute: FastifyPluginAsync<{ dashboardLink: DashboardLink }> = async (
  scope,
  { dashboardLink },
) => {
  scope.addHook('onRequest', ownPageOnly)
  scope.get('/dashboard', async (_request, reply) => {
    const link = await dashboardLink()
    return reply.header('cache-control', 'no-store').redirect(link, 303)
  })
}
