import cookie from '@fastify/cookie'
import csrfProtection from '@fastify/csrf-protection'
import formbody from '@fastify/formbody'
import type { FastifyPluginAsync } from 'fastify'
import { asServiceError } from '../error-envelope.ts'
import { pages } from '../pages/pages.ts'
import { sendPage } from '../routes/pages.ts'
import { SESSION_COOKIE, type DashboardDeps } from './deps.ts'
import { domainRoutes } from './domain-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { sendMissing } from './send-page.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { isSession } from '../store/sign-in.ts'

/** Bytes of a form: every field filled in stays far below it. */
const BODY_LIMIT = 64 * 1024

/** `/dashboard`: for the service's administrator. */
export function dashboard(deps: DashboardDeps): FastifyPluginAsync {
  const { database, addresses, now } = deps
  const { db } = database
  const { secure } = addresses // Cookies then travel by https only.
  return async (scope) => {
    await scope.register(cookie)
    await scope.register(csrfProtection, {
      cookieKey: 'backhalf_csrf',
      cookieOpts: { path: '/dashboard', httpOnly: true, sameSite: 'lax', secure },
      getToken: (request) => (request.body as { _csrf?: string } | undefined)?._csrf,
    })
    scope.removeAllContentTypeParsers()
    await scope.register(formbody, { bodyLimit: BODY_LIMIT })
    scope.addHook('preHandler', async (request, reply) => {
      if (request.method !== 'POST') return
      // Another host of the same site could plant a CSRF cookie; browsers say who asks.
      const from = request.headers['sec-fetch-site']
      if (from !== undefined && from !== 'same-origin' && from !== 'none') {
        return sendPage(reply, 403, pages.outdated)
      }
      await new Promise<void>((resolve, reject) => {
        scope.csrfProtection(request, reply, (error?: Error) => {
          if (error) reject(error)
          else resolve()
        })
      })
    })
    scope.setErrorHandler((error, _request, reply) => {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('FST_CSRF')) {
        return sendPage(reply, 403, pages.outdated)
      }
      const { status } = asServiceError(error)
      if (status >= 500) throw error
      return sendPage(reply, status, pages.refused)
    })
    await scope.register(signInRoutes(deps))
    await scope.register(async (signedIn) => {
      signedIn.addHook('onRequest', async (request, reply) => {
        const token = request.cookies[SESSION_COOKIE]
        if (token !== undefined && (await isSession(db, token, now()))) return
        return reply.redirect('/dashboard/sign-in', 303)
      })
      await signedIn.register(linkRoutes(deps))
      await signedIn.register(keyRoutes(deps))
      await signedIn.register(domainRoutes(deps))
      signedIn.get('/dashboard/*', (_request, reply) => sendMissing(reply))
    })
  }
}
