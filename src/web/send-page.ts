import type { FastifyReply } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import type { HtmlPage } from './layout.ts'

export function addSecurityHeaders(
  { request, raw }: FastifyReply,
  policy: Pick<HelmetOptions, 'contentSecurityPolicy' | 'crossOriginResourcePolicy'>,
): void {
  const addHeaders = helmet({
    strictTransportSecurity: false,
    // The URLs of these pages can contain secrets, such as one-time links.
    referrerPolicy: { policy: 'no-referrer' },
    ...policy,
  })
  addHeaders(request.raw, raw, (error) => {
    if (error) throw error as Error
  })
}

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

/** For a browser, an SVG by itself is a document. It can use its own styles, but can't run scripts or load anything. */
const IMAGE_POLICY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'style-src': ["'unsafe-inline'"], sandbox: [] },
  },
  // Slack and other sites show these images in their pages.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
} as const

/** Sends an image. An image can be replaced or removed, so browsers must ask each time whether it has changed. */
export function sendImage(
  reply: FastifyReply,
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
): FastifyReply {
  addSecurityHeaders(reply, IMAGE_POLICY)
  return reply.type(mediaType).header('cache-control', 'public, no-cache').send(Buffer.from(bytes))
}
