import type { FastifyPluginAsync } from 'fastify'
import { simulatorPlugin } from '../../src/simulator/http/simulator-plugin.ts'
import type { SimulatedWorkspace } from '../../src/simulator/simulated-workspace.ts'
import { startSimulatedWorkspace, type TestWorkspace } from './workspace.ts'

/** The app-level token that the simulated Slack accepts, in the form of Slack's: with the app's ID. */
export const APP_TOKEN = 'xapp-1-A0123456789-1234567890-an-app-token-for-tests'

/**
 * A simulated Slack that also lets an app with the app-level token open a socket.
 *
 * @param socketUrl where the app finds it; by default nowhere
 */
export function startSlackWithSockets(
  options: Parameters<typeof startSimulatedWorkspace>[0] = {},
  socketUrl = 'wss://127.0.0.1/never-used',
): Promise<TestWorkspace> {
  const plugin: FastifyPluginAsync<{ workspace: SimulatedWorkspace }> = async (scope, own) => {
    await simulatorPlugin(scope, own)
    await scope.register(async (sockets) => {
      sockets.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
        done(null, body),
      )
      sockets.post('/api/apps.connections.open', ({ headers }) =>
        headers.authorization === `Bearer ${APP_TOKEN}`
          ? { ok: true, url: socketUrl }
          : { ok: false, error: 'invalid_auth' },
      )
    })
  }
  return startSimulatedWorkspace(options, plugin)
}
