import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HtmlPage } from '../../web/layout.ts'
import { formatCount } from '../../web/numbers.ts'
import { sendPage } from '../../web/send-page.ts'
import type { ServiceContext } from '../store/context.ts'
import { endSession, findViewer, signInByLink } from '../store/sessions.ts'
import { signInByPassword } from '../store/sign-in.ts'
import { EMPTY_FORM, type FilledForm, formValues } from './form.ts'
import { KEPT_FOR_BACK } from './page.ts'
import { expiredAddressPage } from './problem-pages.ts'
import { oneTimePage, signInPage } from './sign-in-page.ts'
import { readViewer, sessionCookie } from './viewer.ts'

type ByToken = { Params: { token: string } }

export async function signInRoutes(scope: FastifyInstance, context: ServiceContext) {
  const { db, addresses, now } = context

  const send = (reply: FastifyReply, page: HtmlPage, status = 200): FastifyReply =>
    sendPage(reply, status, page, 'no-store')

  const reject = (reply: FastifyReply, status: number, faults: Partial<FilledForm>) => {
    const form = { ...EMPTY_FORM, ...faults }
    return sendPage(reply, status, signInPage(reply.generateCsrf(), form), KEPT_FOR_BACK)
  }

  async function startSession(request: FastifyRequest, reply: FastifyReply, session: string) {
    const earlierSession = request.cookies[sessionCookie(request)]
    if (earlierSession !== undefined) await endSession(db, earlierSession, now())
    return reply.setCookie(sessionCookie(request), session).redirect('/dashboard', 303)
  }

  scope.get('/dashboard/sign-in', (_request, reply) =>
    send(reply, signInPage(reply.generateCsrf())),
  )

  scope.post('/dashboard/sign-in', async (request, reply) => {
    const { password = '' } = formValues(request)
    if (!password || password.length > 200) {
      const error = 'Enter the password. It has at most 200 characters.'
      return reject(reply, 422, { errors: { password: error } })
    }
    const result = await signInByPassword(db, password, now())
    if (result.outcome === 'signed_in') return startSession(request, reply, result.session)
    if (result.outcome === 'wrong') {
      const error = 'This password is wrong. Passwords are case-sensitive.'
      return reject(reply, 403, { errors: { password: error } })
    }
    const alert = `Too many wrong passwords. Try again in ${formatCount(result.minutes, 'minute')}, or use a one-time link.`
    return reject(reply, 429, { alert })
  })

  // Opening the link changes nothing, because programs that check or preview links open them.
  scope.get<ByToken>('/dashboard/sign-in/:token', async (request, reply) => {
    const { token } = request.params
    const next = await findViewer(db, 'sign_in_link', token, now())
    if (!next) return send(reply, expiredAddressPage(), 410)
    const current = await readViewer(context, request)
    const form = {
      csrf: reply.generateCsrf(),
      action: `/dashboard/sign-in/${encodeURIComponent(token)}`,
      host: new URL(addresses.origin).host,
    }
    return send(reply, oneTimePage(next, current, form))
  })

  scope.post<ByToken>('/dashboard/sign-in/:token', async (request, reply) => {
    const session = await signInByLink(db, request.params.token, now())
    if (session === undefined) return send(reply, expiredAddressPage(), 410)
    return startSession(request, reply, session)
  })

  scope.post('/dashboard/sign-out', async (request, reply) => {
    const token = request.cookies[sessionCookie(request)]
    if (token !== undefined) await endSession(db, token, now())
    // The browser then forgets the forms that it has stored (KEPT_FOR_BACK).
    reply.clearCookie(sessionCookie(request)).header('clear-site-data', '"cache"')
    return reply.redirect('/dashboard/sign-in', 303)
  })
}
