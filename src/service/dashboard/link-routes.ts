import type { FastifyPluginAsync } from 'fastify'
import { qrPng, qrSvg } from '../../qr/qr-code.ts'
import type { ServiceContext } from '../store/context.ts'
import { isTooShort } from '../store/link-matches.ts'
import { searchLinks } from '../store/link-search.ts'
import { linksPage } from './links-page.ts'
import { filterOf, parseListQuery } from './list-query.ts'
import { listFilterMenus } from './menus.ts'
import { sendDashboardPage, sendNotFound } from './page.ts'
import { findLiveLink, findNamedLink, sendLink } from './send-link.ts'

/** A link’s color and back-half can change. */
const CACHE_CONTROL = 'private, no-cache'

const FORMATS = {
  png: { type: 'image/png', draw: qrPng },
  svg: { type: 'image/svg+xml', draw: qrSvg },
} as const

export function linkRoutes(context: ServiceContext): FastifyPluginAsync {
  const { addresses, now } = context
  return async (scope) => {
    scope.get('/dashboard', async (request, reply) => {
      const query = parseListQuery(request.query)
      const { q: text, sort, page } = query
      const found =
        text !== '' && isTooShort(text)
          ? undefined
          : await searchLinks(context, { text, filter: filterOf(query), sort, page })
      const menus = await listFilterMenus(context, query)
      return sendDashboardPage(reply, linksPage({ addresses, found, query, menus, now: now() }))
    })

    scope.get<{ Params: { id: string } }>('/dashboard/links/:id', async ({ params }, reply) => {
      const link = await findNamedLink(context, params.id)
      if (!link) return sendNotFound(reply, '/dashboard')
      if (link.alias_of !== null) return reply.redirect(`/dashboard/links/${link.alias_of}`, 303)
      return sendLink(context, reply, link)
    })

    for (const [extension, { type, draw }] of Object.entries(FORMATS)) {
      scope.get<{ Params: { id: string } }>(
        `/dashboard/links/:id/qr.${extension}`,
        async ({ params }, reply) => {
          const link = await findLiveLink(context, params.id)
          if (!link) return reply.callNotFound()
          const color = link.qr_code_color ?? undefined
          return reply
            .type(type)
            .header('cache-control', CACHE_CONTROL)
            .send(await draw(addresses.shortUrl(link), { color }))
        },
      )
    }
  }
}
