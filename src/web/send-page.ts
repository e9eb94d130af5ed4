import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { HtmlPage } from './layout.ts'

/**
 * Lets the routes of a scope send security headers, with `reply.helmet()` or `sendPage`. Responses
 * that don't ask for them, such as redirects, get none.
 */
export async function registerPagePolicies(scope: FastifyInstance): Promise<void> {
  await scope.register(helmet, {
    global: false,
    strictTransportSecurity: false,
    // URLs of these pages can contain secrets.
    referrerPolicy: { policy: 'no-referrer' },
  })
}

/**
 * Sends a page with its policy.
 *
 * @param cacheControl by default, browsers ask again each time
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  { html, policy }: HtmlPage,
  cacheControl = 'no-cache',
): FastifyReply {
  reply.helmet(policy)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', cacheControl)
    .send(html)
}
