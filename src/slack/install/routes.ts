import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { inRequest } from '../../http/request-context.ts'
import { addSecurityHeaders, sendPage } from '../../web/send-page.ts'
import type { Installer, InstallStep } from './installer.ts'
import { INSTALL_LAYOUT, notReadyPage } from './pages.ts'

/**
 * `GET /slack/install` and `/slack/oauth_redirect`: how a workspace installs the app by OAuth. They
 * exist in Socket Mode too.
 *
 * @param installer undefined while the app starts or stops
 */
export function installRoutes(installer: () => Installer | undefined): FastifyPluginAsync {
  return async (scope) => {
    const handle =
      (step: (installer: Installer) => InstallStep) =>
      async (request: FastifyRequest, reply: FastifyReply) => {
        const ready = installer()
        if (!ready) return sendPage(reply, 503, notReadyPage(), 'no-store')
        addSecurityHeaders(reply, INSTALL_LAYOUT.policy)
        reply.raw.setHeader('cache-control', 'no-store')
        reply.hijack()
        await inRequest(() => step(ready)(request.raw, reply.raw))
        return reply
      }
    scope.get(
      '/slack/install',
      handle(({ start }) => start),
    )
    scope.get(
      '/slack/oauth_redirect',
      handle(({ finish }) => finish),
    )
  }
}
