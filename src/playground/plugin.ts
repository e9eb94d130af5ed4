import type { AddressInfo } from 'node:net'
import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import { loopbackOnly } from './http/guard.ts'
import { PAGE_POLICY, pageRoutes } from './http/page-routes.ts'
import { personRoutes } from './http/person-routes.ts'
import { slackRoutes } from './http/slack-routes.ts'
import type { SimulatedWorkspace } from '../simulator/simulated-workspace.ts'

/**
 * Serves a simulated workspace below the prefix that it is registered with: the page, what the
 * page calls, and what the app calls. Once the server listens, the workspace knows its address.
 * Only for a server on a loopback address: there is no log-in.
 */
export const playgroundPlugin: FastifyPluginAsync<{ workspace: SimulatedWorkspace }> = async (
  scope,
  { workspace },
) => {
  scope.addHook('onRequest', loopbackOnly)
  scope.addHook('onListen', async () => {
    const [address] = scope.addresses()
    if (typeof address === 'object') workspace.serveAt(`${originOf(address)}${scope.prefix}`)
  })
  scope.addHook('onClose', async () => workspace.close())
  await scope.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_POLICY },
    strictTransportSecurity: false,
  })
  await scope.register(pageRoutes)
  await scope.register(personRoutes, { workspace })
  await scope.register(slackRoutes, { workspace })
}

function originOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
