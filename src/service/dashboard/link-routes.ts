import type { FastifyPluginAsync } from 'fastify'
import { validate as isUuid } from 'uuid'
import { qrPng, qrSvg } from '../../qr/qr-code.ts'
import { clicksByDay, countClicks } from '../store/clicks.ts'
import type { ServiceContext } from '../store/context.ts'
import { isTooShort, searchLinks } from '../store/link-search.ts'
import { findLink } from '../store/links.ts'
import { findOwnerById } from '../store/owners.ts'
import { linkPage, SHOWN_DAYS } from './link-page.ts'
import { linksPage } from './links-page.ts'
import { parseListQuery } from './list-query.ts'
import { sendDashboardPage, sendNotFound } from './page.ts'

const FORMATS = {
  png: { type: 'image/png', draw: qrPng },
  svg: { type: 'image/svg+xml', draw: qrSvg },
} as const

export function linkRoutes(context: ServiceContext): FastifyPluginAsync {
  const { db, addresses } = context
  return async (scope) => {
    scope.get('/dashboard', async (request, reply) => {
      const { q: text, sort, page } = parseListQuery(request.query)
      const found =
        text !== '' && isTooShort(text)
          ? undefined
          : await searchLinks(context, { text, sort, page })
      const csrf = reply.generateCsrf()
      return sendDashboardPage(reply, linksPage({ csrf, addresses, found, text, sort }))
    })

    scope.get<{ Params: { id: string } }>('/dashboard/links/:id', async ({ params }, reply) => {
      const link = isUuid(params.id) ? await findLink(db, params.id) : undefined
      if (!link) return sendNotFound(reply, '/dashboard')
      const owner = await findOwnerById(db, link.owner_id)
      const clicks = await clicksByDay(db, link.id, SHOWN_DAYS)
      const people = (await countClicks(db, [link.id])).get(link.id) ?? 0
      const csrf = reply.generateCsrf()
      return sendDashboardPage(
        reply,
        linkPage({ csrf, addresses, link, owner: owner?.name ?? '', clicks, people }),
      )
    })

    for (const [extension, { type, draw }] of Object.entries(FORMATS)) {
      scope.get<{ Params: { id: string } }>(
        `/dashboard/links/:id/qr.${extension}`,
        async ({ params }, reply) => {
          const link = isUuid(params.id) ? await findLink(db, params.id) : undefined
          if (!link) return reply.callNotFound()
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
