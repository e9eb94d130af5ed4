import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { PAGE_STYLE_HASH } from '../pages/page.ts'
import { docsPage } from '../api/docs.ts'
import { ICON, pages } from '../pages/pages.ts'
import { WIDE_STYLE_HASH } from '../pages/wide-page.ts'
import { openapiDocument } from '../api/openapi.ts'

/** Our pages load nothing but their icon, run nothing, and are shown in no frame. */
const PAGE_POLICY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'style-src': [PAGE_STYLE_HASH, WIDE_STYLE_HASH],
      'img-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
} as const

const ICON_CACHE = 'public, max-age=86400'

const ROBOTS = 'User-agent: *\nDisallow: /api/\n'

/**
 * The service's own pages, its description, and the small files that browsers and crawlers ask
 * for.
 */
export function pageRoutes(publicUrl: string): FastifyPluginAsync {
  const description = openapiDocument(publicUrl)
  const docs = docsPage(description)
  return async (scope) => {
    scope.get('/api/v1/openapi.json', (_request, reply) =>
      // Tools that draw the description in a browser may be anywhere.
      reply.header('access-control-allow-origin', '*').send(description),
    )
    scope.get('/docs', (_request, reply) => sendPage(reply, 200, docs))
    scope.get('/', (_request, reply) => sendPage(reply, 200, pages.home))
    for (const path of ['/favicon.ico', '/favicon.svg']) {
      scope.get(path, (_request, reply) =>
        reply.type('image/svg+xml').header('cache-control', ICON_CACHE).send(ICON),
      )
    }
    scope.get('/robots.txt', (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(ROBOTS),
    )
  }
}

/** Answers with the page for short URLs that lead nowhere. */
export function sendNotFoundPage(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, pages.notFound)
}

/** Headers of a policy only where a route or an answer asks for them: a redirect needs none. */
export async function registerPolicies(scope: FastifyInstance): Promise<void> {
  await scope.register(helmet, {
    global: false,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  })
}

/** Answers with a page of ours, under a policy that lets it do nothing. */
export function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  reply.helmet(PAGE_POLICY)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(html)
}
