import type { FastifyReply } from 'fastify'
import { qrPng, qrSvg } from '../../qr/qr-code.ts'
import { dayOf, daysUntil } from '../../timing/days.ts'
import { sendImage } from '../../web/send-page.ts'
import { findKeyName } from '../store/makers.ts'
import { readClickReport } from '../store/click-report.ts'
import { endedDestinations } from '../store/link-destinations.ts'
import { earlierAddresses, linkHistory } from '../store/link-history.ts'
import { isTooShort } from '../store/link-matches.ts'
import { searchLinks } from '../store/link-search.ts'
import type { LinkRow } from '../store/links.ts'
import { findOwnerById } from '../store/owners.ts'
import { findPreviewImage } from '../store/preview-images.ts'
import { linkOf, needs, type ReadContext, type ViewerScope } from './access.ts'
import { SHOWN_DAYS } from './clicks-section.ts'
import { deletedLinkPage, linkPage } from './link-page.ts'
import { linksPage } from './links-page.ts'
import { filterOf, parseListQuery } from './list-query.ts'
import { listMenus } from './menus.ts'
import { type LinkNotice, takeNotice } from './notice.ts'
import { pageAsked, sendDashboardPage } from './page.ts'
import { may, reachOf, readerOf } from './viewer.ts'

/** A link’s color and back-half can change. */
const CACHE_CONTROL = 'private, no-cache'

const FORMATS = {
  png: { type: 'image/png', draw: qrPng },
  svg: { type: 'image/svg+xml', draw: qrSvg },
} as const

const READ = needs('shortlinks:read')

export function linkRoutes(context: ReadContext) {
  const { addresses, inTurn, now } = context
  return async (scope: ViewerScope) => {
    scope.get('/dashboard', READ, async (request, reply) => {
      const { viewer } = request
      const query = parseListQuery(request.query)
      const { q: text, sort, page } = query
      const found =
        text !== '' && isTooShort(text)
          ? undefined
          : await inTurn(readerOf(viewer), () =>
              searchLinks(context, {
                reach: reachOf(viewer),
                ...{ text, filter: filterOf(query), sort, page },
              }),
            )
      const menus = await listMenus(context, viewer, query)
      const shown = { addresses, found, query, menus, viewer, now: now() }
      return sendDashboardPage(reply, linksPage(shown))
    })

    scope.get('/dashboard/links/:id', READ, async (request, reply) => {
      const link = linkOf(request)
      if (link.alias_of !== null) return reply.redirect(pageOf({ id: link.alias_of }), 303)
      return sendLink(context, reply, link, takeNotice(request, reply, pageOf(link)))
    })

    scope.get('/dashboard/links/:id/preview-image', READ, async (request, reply) => {
      const image = await findPreviewImage(context.db, linkOf(request).id)
      return image ? sendImage(reply, image) : reply.callNotFound()
    })

    for (const [extension, { type, draw }] of Object.entries(FORMATS)) {
      scope.get(`/dashboard/links/:id/qr.${extension}`, READ, async (request, reply) => {
        const link = linkOf(request)
        if (link.deleted_at !== null) return reply.callNotFound()
        const color = link.qr_code_color ?? undefined
        return reply
          .type(type)
          .header('cache-control', CACHE_CONTROL)
          .send(await draw(addresses.shortUrl(link), { color }))
      })
    }
  }
}

/** The path of a link's page. */
export const pageOf = ({ id }: Pick<LinkRow, 'id'>): string => `/dashboard/links/${id}`

/** Sends the page of a link, or of what is left of a deleted one. */
async function sendLink(
  context: ReadContext,
  reply: FastifyReply,
  link: LinkRow,
  notice: LinkNotice | undefined,
): Promise<FastifyReply> {
  const { db, addresses, now } = context
  const { viewer } = reply.request
  const page = pageAsked(reply.request)
  const ofAll = viewer.kind === 'administrator'
  const owner = await findOwnerById(db, link.owner_id)
  const earlier = await earlierAddresses(db, link.id)
  const shown = {
    link,
    owner: owner?.name ?? '',
    earlier: earlier.map((address) => addresses.shortUrl(address)),
    changes: await linkHistory(db, link.id),
    creator: { ...link, key_name: await findKeyName(db, link.made_by) },
    // A link may have been deleted to hide where it led.
    ended: ofAll ? await endedDestinations(db, link.id, { page, now: now() }) : [],
    page,
    mayUpdate: may(viewer, 'shortlinks:update', link),
    mayDelete: may(viewer, 'shortlinks:delete', link),
  }
  if (link.deleted_at !== null) {
    return sendDashboardPage(reply, deletedLinkPage(addresses, shown))
  }
  const report = await context.inTurn(readerOf(viewer), () =>
    readClickReport(context, link.id, daysUntil(dayOf(now()), SHOWN_DAYS)),
  )
  // d3 draws it, which nothing else needs.
  const { stackedChart: drawChart } = await import('../../chart/stacked-chart.ts')
  const more = { report, drawChart, notice, now: now() }
  return sendDashboardPage(reply, linkPage(addresses, shown, more))
}
