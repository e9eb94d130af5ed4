import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { SESSION_COOKIE, type DashboardDeps } from './deps.ts'
import { formValues } from './form-values.ts'
import { sendDashboardPage } from './send-page.ts'
import { oneTimePage, signInPage } from './sign-in-page.ts'
import { endSession, signInByLink, signInByPassword } from '../store/sign-in.ts'

export function signInRoutes({
  database: { db },
  addresses: { secure },
  now,
}: DashboardDeps): FastifyPluginAsync {
  const cookie = { path: '/dashboard', httpOnly: true, sameSite: 'lax', secure } as const

  function refuse(
    reply: FastifyReply,
    status: number,
    why: { fault: string } | { problem: string },
  ): FastifyReply {
    return sendDashboardPage(reply, signInPage({ csrf: reply.generateCsrf(), ...why }), status)
  }

  function welcome(reply: FastifyReply, session: string): FastifyReply {
    return reply.setCookie(SESSION_COOKIE, session, cookie).redirect('/dashboard', 303)
  }

  return async (scope) => {
    scope.get('/dashboard/sign-in', (_request, reply) =>
      sendDashboardPage(reply, signInPage({ csrf: reply.generateCsrf() })),
    )

    scope.post('/dashboard/sign-in', async (request, reply) => {
      const { password = '' } = formValues(request)
      if (!password || password.length > 200)
        return refuse(reply, 422, { fault: 'Enter the password.' })
      const tried = await signInByPassword(db, password, now())
      switch (tried.outcome) {
        case 'signed_in':
          return welcome(reply, tried.session)
        case 'wrong':
          return refuse(reply, 403, { fault: 'That isn’t the password. Capitals count.' })
        case 'locked':
          return refuse(reply, 429, {
            problem: `Too many wrong passwords. Try again in ${tried.minutes === 1 ? 'a minute' : `${tried.minutes} minutes`}, or use a one-time link.`,
          })
      }
    })

    scope.get<{ Params: { token: string } }>(
      '/dashboard/sign-in/:token',
      ({ params: { token } }, reply) =>
        sendDashboardPage(
          reply,
          oneTimePage({
            csrf: reply.generateCsrf(),
            action: `/dashboard/sign-in/${encodeURIComponent(token)}`,
          }),
        ),
    )

    scope.post<{ Params: { token: string } }>(
      '/dashboard/sign-in/:token',
      async ({ params: { token } }, reply) => {
        const session = await signInByLink(db, token, now())
        if (session !== undefined) return welcome(reply, session)
        return refuse(reply, 403, {
          problem: 'This link was used already, or is more than 15 minutes old. Make a new one.',
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
