import type { FastifyReply } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import type { HtmlPage } from './layout.ts'

/** Adds the security headers of a page. Other responses, such as redirects, have none. */
export function addSecurityHeaders(
  { request, raw }: FastifyReply,
  policy: Pick<HelmetOptions, 'contentSecurityPolicy' | 'crossOriginResourcePolicy'>,
): void {
  const addHeaders = helmet({
    strictTransportSecurity: false,
    // URLs of these pages can contain secrets.
    referrerPolicy: { policy: 'no-referrer' },
    ...policy,
  })
  addHeaders(request.raw, raw, (error) => {
    if (error) throw error as Error
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
  addSecurityHeaders(reply, policy)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', cacheControl)
    .send(html)
}
