import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { html } from '../../web/layout.ts'
import { copyButton } from './copy.ts'

const DONE = {
  added: 'was added.',
  created: 'was created.',
  changed: 'was changed.',
  'turn-off': 'was turned off.',
  'turn-on': 'was turned on.',
} as const

type LinkNotice = keyof typeof DONE

const cookieOf = ({ server }: FastifyReply): string => `${server.cookiePrefix}backhalf_notice`

const MAX_AGE_SECONDS = 60

/**
 * A cookie carries the notice and its page, so that the notice is shown only once: not after a reload, and not to
 * people who get the address.
 */
export function redirectWithNotice(
  reply: FastifyReply,
  page: string,
  notice: LinkNotice,
): FastifyReply {
  const options = { maxAge: MAX_AGE_SECONDS, sameSite: 'strict' } as const
  return reply.setCookie(cookieOf(reply), `${notice} ${page}`, options).redirect(page, 303)
}

export function takeNotice(reply: FastifyReply, page: string): LinkNotice | undefined {
  const [value, shownOn] = reply.request.cookies[cookieOf(reply)]?.split(' ') ?? []
  if (shownOn !== page) return undefined
  reply.clearCookie(cookieOf(reply))
  return z.enum(Object.keys(DONE) as LinkNotice[]).safeParse(value).data
}

/** @param active whether the link leads to its destination, so that its short URL is worth copying */
export function linkNotice(
  notice: LinkNotice,
  { shortUrl, shownUrl, active }: { shortUrl: string; shownUrl: string; active: boolean },
): ComponentChildren {
  return noticeBox(
    html`<span><bdi>${shownUrl}</bdi> ${DONE[notice]}</span>`,
    active && copyButton(shortUrl, `Copy: ${shownUrl}`),
    notice === 'created' && html`<a href="/dashboard/links/new">Create another</a>`,
  )
}

/** Has the focus when the page opens, so that screen readers read it and the next Tab reaches its button. */
export function noticeBox(...content: ComponentChildren[]): ComponentChildren {
  return html`<div class="notice" role="status" tabindex="-1" autofocus>${content}</div>`
}
