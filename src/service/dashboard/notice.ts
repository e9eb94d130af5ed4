import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { html } from '../../web/pages.ts'

const NOTICE_TEXTS = {
  added: 'was added.',
  created: 'was created.',
  changed: 'was changed.',
  'turn-off': 'was turned off.',
  'turn-on': 'was turned on.',
} as const

type Notice = keyof typeof NOTICE_TEXTS

const noticeCookie = ({ server }: FastifyReply): string => `${server.cookiePrefix}backhalf_notice`

const MAX_AGE_SECONDS = 60

/** A cookie carries the notice, so that the page shows it only once, and only in this browser. */
export function redirectWithNotice(reply: FastifyReply, page: string, notice: Notice) {
  const options = { maxAge: MAX_AGE_SECONDS, sameSite: 'strict' } as const
  return reply.setCookie(noticeCookie(reply), `${notice} ${page}`, options).redirect(page, 303)
}

export function takeNotice(reply: FastifyReply, page: string): Notice | undefined {
  const [value, noticePage] = reply.request.cookies[noticeCookie(reply)]?.split(' ') ?? []
  if (noticePage !== page) return undefined
  reply.clearCookie(noticeCookie(reply))
  return (Object.keys(NOTICE_TEXTS) as Notice[]).find((notice) => notice === value)
}

export function changeNotice(notice: Notice, name: string, ...more: ComponentChildren[]) {
  return noticeBox(html`<span><bdi>${name}</bdi> ${NOTICE_TEXTS[notice]}</span>`, ...more)
}

/** Renders a box that gets the focus when the page opens. Screen readers then read it, and Tab reaches its button. */
export function noticeBox(...content: ComponentChildren[]) {
  return html`<div class="notice" role="status" tabindex="-1" autofocus>${content}</div>`
}
