import type { FastifyPluginAsync } from 'fastify'
import { validate as isUuid } from 'uuid'
import { qrPng, qrSvg } from '../../qr/qr-code.ts'
import { readClickReport } from '../store/click-report.ts'
import type { ServiceContext } from '../store/context.ts'
import { dayOf, daysUntil } from '../store/days.ts'
import { isTooShort } from '../store/link-matches.ts'
import { searchLinks } from '../store/link-search.ts'
import { findLink } from '../store/links.ts'
import { findOwnerById } from '../store/owners.ts'
import { SHOWN_DAYS } from './clicks-section.ts'
import { linkPage } from './link-page.ts'
import { linksPage } from './links-page.ts'
import { parseListQuery } from './list-query.ts'
import { listFilterMenus } from './menus.ts'
import { sendDashboardPage, sendNotFound } from './page.ts'

const FORMATS = {
  png: { type: 'image/png', draw: qrPng },
  svg: { type: 'image/svg+xml', draw: qrSvg },
} as const

export function linkRoutes(context: ServiceContext): FastifyPluginAsync {
  const { db, addresses, now } = context
  return async (scope) => {
    scope.get('/dashboard', async (request, reply) => {
      const query = parseListQuery(request.query)
      const { q: text, owner: ownerId, domain, state, sort, page } = query
      const filter = {
        ownerId,
        domainIds: domain === undefined ? undefined : [domain],
        state: state === 'current' ? undefined : state,
      }
      const found =
        text !== '' && isTooShort(text)
          ? undefined
          : await searchLinks(context, { text, filter, sort, page })
      const menus = await listFilterMenus(context, query)
      const csrf = reply.generateCsrf()
      return sendDashboardPage(
        reply,
        linksPage({ csrf, addresses, found, query, menus, now: now() }),
      )
    })

    scope.get<{ Params: { id: string } }>('/dashboard/links/:id', async ({ params }, reply) => {
      const link = isUuid(params.id) ? await findLink(db, params.id) : undefined
      if (!link || link.deleted_at !== null) return sendNotFound(reply, '/dashboard')
      const owner = await findOwnerById(db, link.owner_id)
      const report = await readClickReport(context, link.id, daysUntil(dayOf(now()), SHOWN_DAYS))
      const csrf = reply.generateCsrf()
      return sendDashboardPage(
        reply,
        linkPage({ csrf, addresses, link, owner: owner?.name ?? '', report }),
      )
    })

    for (const [extension, { type, draw }] of Object.entries(FORMATS)) {
      scope.get<{ Params: { id: string } }>(
        `/dashboard/links/:id/qr.${extension}`,
        async ({ params }, reply) => {
          const link = isUuid(params.id) ? await findLink(db, params.id) : undefined
          if (!link || link.deleted_at !== null) return reply.callNotFound()
          const color = link.qr_code_color ?? undefined
          return reply
            .type(type)
            .header('cache-control', 'private, max-age=86400')
            .send(await draw(addresses.shortUrl(link), { color }))
        },
      )
    }
  }
}
