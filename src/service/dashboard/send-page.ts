import type { FastifyReply } from 'fastify'
import { styleHash } from '../pages/page.ts'
import { WIDE_STYLE_HASH } from '../pages/wide-page.ts'
import { COPY_SCRIPT } from './copy-script.ts'

/** Our pages run one script, load nothing from elsewhere, and are shown in no frame. */
const POLICY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'style-src': [WIDE_STYLE_HASH],
      'script-src': [styleHash(COPY_SCRIPT)],
      'img-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    },
  },
} as const

/** Answers with a page of the dashboard. Nothing of it is kept anywhere. */
export function sendDashboardPage(reply: FastifyReply, html: string, status = 200): FastifyReply {
  reply.helmet(POLICY)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(html)
}
