import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { qrPng, qrSvg } from '../../qr/qr-code.ts'
import { sendImage } from '../../web/send-page.ts'
import { findKeyName } from '../store/makers.ts'
import { dayOf, daysUntil, readClickReport } from '../store/click-report.ts'
import type { ServiceContext } from '../store/context.ts'
import { endedDestinations } from '../store/link-destinations.ts'
import { earlierAddresses, linkHistory } from '../store/link-history.ts'
import { isTooShort } from '../store/link-matches.ts'
import { searchLinks } from '../store/link-search.ts'
import { findLink, type LinkRow } from '../store/links.ts'
import { findOwnerById } from '../store/owners.ts'
import { findPreviewImage } from '../store/preview-images.ts'
import { SHOWN_DAYS } from './clicks-section.ts'
import { deletedLinkPage, linkPage } from './link-page.ts'
import { linksPage } from './links-page.ts'
import { filterOf, parseListQuery } from './list-query.ts'
import { listMenus } from './menus.ts'
import { type LinkNotice, takeNotice } from './notice.ts'
import { pageNumber, sendDashboardPage, sendNotFound } from './page.ts'

/** A link’s color and back-half can change. */
const CACHE_CONTROL = 'private, no-cache'

const FORMATS = {
  png: { type: 'image/png', draw: qrPng },
  svg: { type: 'image/svg+xml', draw: qrSvg },
} as const

type ById = { Params: { id: string }; Querystring: { page?: string } }

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
      const menus = await listMenus(context, query)
      return sendDashboardPage(reply, linksPage({ addresses, found, query, menus, now: now() }))
    })

    scope.get<ById>('/dashboard/links/:id', async (request, reply) => {
      const { params, query } = request
      const link = await findLink(context.db, params.id)
      if (!link) return sendNotFound(reply, '/dashboard')
      if (link.alias_of !== null) return reply.redirect(pageOf({ id: link.alias_of }), 303)
      const notice = takeNotice(request, reply, pageOf(link))
      return sendLink(context, reply, link, pageNumber.parse(query.page), notice)
    })

    scope.get<{ Params: { id: string } }>(
      '/dashboard/links/:id/preview-image',
      async ({ params }, reply) => {
        const image = await findPreviewImage(context.db, params.id)
        return image ? sendImage(reply, image) : reply.callNotFound()
      },
    )

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

/** The path of a link's page. */
export const pageOf = ({ id }: Pick<LinkRow, 'id'>): string => `/dashboard/links/${id}`

/** Finds a link that can be changed. */
export async function findLiveLink(
  { db }: ServiceContext,
  id: string,
): Promise<LinkRow | undefined> {
  const link = await findLink(db, id)
  return link?.deleted_at === null ? link : undefined
}

/** Sends the page of a link, or of what is left of a deleted one. */
async function sendLink(
  context: ServiceContext,
  reply: FastifyReply,
  link: LinkRow,
  page: number,
  notice: LinkNotice | undefined,
): Promise<FastifyReply> {
  const { db, addresses, now } = context
  const owner = await findOwnerById(db, link.owner_id)
  const earlier = await earlierAddresses(db, link.id)
  const shown = {
    link,
    owner: owner?.name ?? '',
    earlier: earlier.map((address) => addresses.shortUrl(address)),
    changes: await linkHistory(db, link.id),
    creator: { ...link, key_name: await findKeyName(db, link.made_by) },
    ended: await endedDestinations(db, link.id, { page, now: now() }),
    page,
  }
  if (link.deleted_at !== null) {
    return sendDashboardPage(reply, deletedLinkPage(addresses, shown))
  }
  const report = await readClickReport(context, link.id, daysUntil(dayOf(now()), SHOWN_DAYS))
  // d3 draws it, which nothing else needs.
  const { clicksChart: drawChart } = await import('../../chart/clicks-chart.ts')
  const more = { report, drawChart, notice, now: now() }
  return sendDashboardPage(reply, linkPage(addresses, shown, more))
}
