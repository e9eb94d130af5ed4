import type { FastifyReply } from 'fastify'
import { html } from '../pages/html.ts'
import { styleHash } from '../pages/page.ts'
import { WIDE_STYLE_HASH } from '../pages/wide-page.ts'
import { COPY_SCRIPT } from './copy-script.ts'
import { dashboardPage, type Section } from './layout.ts'

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
export function sendDashboardPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  reply.helmet(POLICY)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page)
}

/** Answers whoever is signed in and asks for something that is not there. */
export function sendMissing(reply: FastifyReply, section?: Section): FastifyReply {
  const page = dashboardPage({
    section,
    title: 'There is nothing here.',
    csrf: reply.generateCsrf(),
    content: html`<p class="lead">
      The address is wrong, or what was here is gone.${' '}
      <a href=${section ?? '/dashboard'}>Go back to the list</a>
    </p>`,
  })
  return sendDashboardPage(reply, page, 404)
}
