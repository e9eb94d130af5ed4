import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notReadyPage, PAGE_STYLE_HASH } from './slack/installing/pages.ts'
import type { Installer, InstallStep } from './slack/install/installer.ts'

/** The pages run nothing, load nothing, and are shown in no frame. */
const PAGE_POLICY = {
  'default-src': ["'none'"],
  'style-src': [PAGE_STYLE_HASH],
  'img-src': ['data:'],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

export interface InstallRoutesOptions {
  /** Undefined while the app starts or stops. */
  installer: () => Installer | undefined
}

/** Where workspaces install the app, also in Socket Mode. */
export async function installRoutes(
  scope: FastifyInstance,
  { installer }: InstallRoutesOptions,
): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_POLICY },
    strictTransportSecurity: false,
    // The address that Slack sends the browser back to holds a code.
    referrerPolicy: { policy: 'no-referrer' },
  })
  const answer =
    (step: (installer: Installer) => InstallStep) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      reply.raw.setHeader('cache-control', 'no-store')
      const ready = installer()
      if (!ready) return reply.code(503).type('text/html; charset=utf-8').send(notReadyPage())
      reply.hijack()
      await step(ready)(request.raw, reply.raw)
      return reply
    }
  scope.get(
    '/slack/install',
    answer(({ begin }) => begin),
  )
  scope.get(
    '/slack/oauth_redirect',
    answer(({ finish }) => finish),
  )
}
