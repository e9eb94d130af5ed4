import type { FastifyPluginAsync } from 'fastify'
import { validate as isUuid } from 'uuid'
import { z } from 'zod'
import { qrPng } from '../../qr/png.ts'
import { qrSvg } from '../../qr/svg.ts'
import { clicksByDay, countClicks } from '../store/clicks.ts'
import { LINK_SORTS, searchLinks } from '../store/link-search.ts'
import { findLink } from '../store/links.ts'
import { findOwnerById } from '../store/owners.ts'
import type { DashboardDeps } from './deps.ts'
import { sendDashboardPage, sendMissing } from './send-page.ts'
import { linkPage, SHOWN_DAYS } from './link-page.ts'
import { linksPage } from './links-page.ts'

/** What an address of the list says; whatever makes no sense is as if it were left out. */
const query = z.object({
  // PostgreSQL refuses texts with NUL.
  q: z
    .string()
    .transform((text) => text.replaceAll(/\p{Cc}/gu, ' ').trim())
    .pipe(z.string().max(200))
    .catch(''),
  sort: z.enum(LINK_SORTS).catch('newest'),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
})

const DRAW = { png: qrPng, svg: qrSvg } as const
const TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const

export function linkRoutes({ database: { db }, addresses }: DashboardDeps): FastifyPluginAsync {
  return async (scope) => {
    scope.get('/dashboard', async (request, reply) => {
      const { q: text, sort, page } = query.parse(request.query)
      const found = await searchLinks(db, { text, sort, page, root: addresses.root })
      const csrf = reply.generateCsrf()
      return sendDashboardPage(reply, linksPage({ csrf, addresses, ...found, text, sort }))
    })

    scope.get<{ Params: { id: string } }>('/dashboard/links/:id', async ({ params }, reply) => {
      const link = isUuid(params.id) ? await findLink(db, params.id) : undefined
      if (!link) return sendMissing(reply, '/dashboard')
      const owner = await findOwnerById(db, link.owner_id)
      const clicks = await clicksByDay(db, link.id, SHOWN_DAYS)
      const people = (await countClicks(db, [link.id])).get(link.id) ?? 0
      const csrf = reply.generateCsrf()
      return sendDashboardPage(
        reply,
        linkPage({ csrf, addresses, link, owner: owner?.name ?? '', clicks, people }),
      )
    })

    for (const extension of ['png', 'svg'] as const) {
      scope.get<{ Params: { id: string } }>(
        `/dashboard/links/:id/qr.${extension}`,
        async ({ params }, reply) => {
          const link = isUuid(params.id) ? await findLink(db, params.id) : undefined
          if (!link) return reply.callNotFound()
          const color = link.qr_code_color ?? undefined
          return reply
            .type(TYPES[extension])
            .header('cache-control', 'private, max-age=86400')
            .send(await DRAW[extension](addresses.shortUrl(link), { color }))
        },
      )
    }
  }
}
