import cookie from '@fastify/cookie'
import csrfProtection from '@fastify/csrf-protection'
import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { validate as isUuid } from 'uuid'
import { sendPage } from '../../web/pages.ts'
import { notFound, toServiceError } from '../api/errors.ts'
import { findShownLink } from '../store/links.ts'
import { type DashboardContext, needs, readViewer, sessionCookie, whyRefused } from './access.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { changeRoutes } from './change-routes.ts'
import { exportRoutes } from './csv/export.ts'
import { importRoutes } from './csv/import.ts'
import { domainRoutes } from './domains.ts'
import { checkForm, csrfToken } from './form.ts'
import { createJobs } from './jobs.ts'
import { keyRoutes } from './keys.ts'
import { linkFormRoutes } from './link-form-routes.ts'
import { linkRoutes } from './link.ts'
import { linksRoutes } from './links.ts'
import { ownerRoutes } from './owners.ts'
import { sendNotFound, sendRefusal } from './page.ts'
import { reportRoutes } from './report-routes.ts'
import { sessionRoutes } from './sessions.ts'
import { busyPage, invalidPage, outdatedPage, sessionEndedPage } from './problem-pages.ts'
import { signInRoutes } from './sign-in.ts'
import { tagRoutes } from './tags.ts'
import { errorCode } from '../../values/unknown-values.ts'

const MAX_FORM_BYTES = 64 * 1024

export async function dashboardRoutes(scope: FastifyInstance, context: DashboardContext) {
  const { addresses } = context
  const { secure } = addresses
  const cookiePrefix = secure ? '__Host-' : ''
  // Browsers accept a `__Host-` cookie only with the path `/`. They also send it to short URLs on this host.
  const cookieOpts = { path: secure ? '/' : '/dashboard', httpOnly: true, secure } as const
  scope.addHook('onRequest', async (request, reply) => {
    if (!addresses.isDashboardHost(request.hostname)) return reply.callNotFound()
  })
  await scope.register(cookie, { parseOptions: cookieOpts })
  scope.decorate('cookiePrefix', cookiePrefix)
  await scope.register(csrfProtection, {
    cookieKey: `${cookiePrefix}backhalf_csrf`,
    cookieOpts,
    getToken: csrfToken,
  })
  scope.removeAllContentTypeParsers()
  await scope.register(formbody, { bodyLimit: MAX_FORM_BYTES })
  scope.addHook('preHandler', checkForm(scope))
  scope.setErrorHandler((error, _request, reply) => {
    if (errorCode(error)?.startsWith('FST_CSRF')) return sendPage(reply, 403, outdatedPage)
    const { status } = toServiceError(error)
    if (status >= 500) throw error
    if (status === 404) return sendNotFound(reply)
    if (status === 429) {
      if (!reply.hasHeader('retry-after')) reply.header('retry-after', 1)
      return sendPage(reply, status, busyPage)
    }
    return sendPage(reply, status, invalidPage)
  })
  await scope.register(signInRoutes, context)
  await scope.register(async (signedIn) => {
    signedIn.decorateRequest('viewer')
    signedIn.addHook('onRequest', async (request, reply) => {
      const session = request.cookies[sessionCookie(request)]
      if (session === undefined) return reply.redirect('/dashboard/sign-in', 303)
      const viewer = await readViewer(context, request)
      if (!viewer) {
        const isForm = request.method === 'POST'
        return sendPage(reply, 403, sessionEndedPage({ isForm }), 'no-store')
      }
      request.viewer = viewer
      request.bodyHolders = [`session:${session}`]
      if (viewer.kind === 'member') {
        request.bodyHolders = [`session:${session}`, `owner:${viewer.ownerId}`]
        signedIn.limitRate(viewer, reply)
      }
    })
    checkAccess(signedIn, context)
    const withJobs = { ...context, jobs: createJobs(signedIn, context) }
    await signedIn.register(linksRoutes, context)
    await signedIn.register(linkRoutes, context)
    await signedIn.register(linkFormRoutes, context)
    await signedIn.register(changeRoutes, context)
    await signedIn.register(bulkRoutes, withJobs)
    await signedIn.register(exportRoutes, context)
    await signedIn.register(importRoutes, withJobs)
    await signedIn.register(reportRoutes, context)
    await signedIn.register(keyRoutes, context)
    await signedIn.register(domainRoutes, context)
    await signedIn.register(ownerRoutes, context)
    await signedIn.register(sessionRoutes, context)
    await signedIn.register(tagRoutes, context)
    signedIn.get('/dashboard/*', needs('session'), (_request, reply) => sendNotFound(reply))
  })
}

function checkAccess(scope: FastifyInstance, { db }: DashboardContext): void {
  scope.decorateRequest('link')
  scope.addHook('onRequest', async (request, reply) => {
    const { viewer, routeOptions } = request
    const refusal = whyRefused(viewer, routeOptions.config.needs)
    if (refusal !== undefined) return sendRefusal(reply, refusal)
    const { id } = request.params as { id?: string }
    if (id === undefined) return
    // A path can contain NUL, which PostgreSQL and HTTP headers reject.
    if (!isUuid(id)) throw notFound()
    if (!routeOptions.url?.startsWith('/dashboard/links/')) return
    const link = await findShownLink(db, viewer.reach, id)
    if (!link) throw notFound()
    const linkRefusal = whyRefused(viewer, routeOptions.config.needs, link)
    if (linkRefusal !== undefined) return sendRefusal(reply, linkRefusal)
    request.link = link
  })
}
