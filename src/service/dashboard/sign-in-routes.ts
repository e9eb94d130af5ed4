import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { HtmlPage } from '../../web/layout.ts'
import { formatCount } from '../../web/numbers.ts'
import { sendPage } from '../../web/send-page.ts'
import type { ServiceContext } from '../store/context.ts'
import { formValues } from './form.ts'
import { oneTimePage, signInPage } from './sign-in-page.ts'
import { endSession, SESSION_COOKIE, signInByLink, signInByPassword } from '../store/sign-in.ts'

export function signInRoutes({
  db,
  addresses: { secure },
  now,
}: ServiceContext): FastifyPluginAsync {
  const cookie = { path: '/dashboard', httpOnly: true, sameSite: 'lax', secure } as const

  const send = (reply: FastifyReply, page: HtmlPage, status = 200): FastifyReply =>
    sendPage(reply, status, page, 'no-store')

  function reject(
    reply: FastifyReply,
    status: number,
    reason: { error: string } | { alert: string },
  ): FastifyReply {
    return send(reply, signInPage(reply.generateCsrf(), reason), status)
  }

  function startSession(reply: FastifyReply, session: string): FastifyReply {
    return reply.setCookie(SESSION_COOKIE, session, cookie).redirect('/dashboard', 303)
  }

  return async (scope) => {
    scope.get('/dashboard/sign-in', (_request, reply) =>
      send(reply, signInPage(reply.generateCsrf())),
    )

    scope.post('/dashboard/sign-in', async (request, reply) => {
      const { password = '' } = formValues(request)
      if (!password || password.length > 200)
        return reject(reply, 422, { error: 'Enter the password.' })
      const result = await signInByPassword(db, password, now())
      switch (result.outcome) {
        case 'signed_in':
          return startSession(reply, result.session)
        case 'wrong':
          return reject(reply, 403, {
            error: 'This password is wrong. Passwords are case-sensitive.',
          })
        case 'locked':
          return reject(reply, 429, {
            alert: `Too many wrong passwords. Try again in ${formatCount(result.minutes, 'minute')}, or use a one-time link.`,
          })
      }
    })

    scope.get<{ Params: { token: string } }>(
      '/dashboard/sign-in/:token',
      ({ params: { token } }, reply) =>
        send(
          reply,
          oneTimePage(reply.generateCsrf(), `/dashboard/sign-in/${encodeURIComponent(token)}`),
        ),
    )

    scope.post<{ Params: { token: string } }>(
      '/dashboard/sign-in/:token',
      async ({ params: { token } }, reply) => {
        const session = await signInByLink(db, token, now())
        if (session !== undefined) return startSession(reply, session)
        return reject(reply, 403, {
          alert: 'This link has been used, or is more than 15 minutes old. Create a new one.',
        })
      },
    )

    scope.post('/dashboard/sign-out', async (request, reply) => {
      const token = request.cookies[SESSION_COOKIE]
      if (token !== undefined) await endSession(db, token)
      return reply.clearCookie(SESSION_COOKIE, cookie).redirect('/dashboard/sign-in', 303)
    })
  }
}
