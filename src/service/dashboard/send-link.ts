import type { FastifyReply } from 'fastify'
import { validate as isUuid } from 'uuid'
import { findKeyNames } from '../store/api-keys.ts'
import { dayOf, daysUntil, readClickReport } from '../store/click-report.ts'
import type { ServiceContext } from '../store/context.ts'
import { earlierAddresses, linkHistory, type LinkChange } from '../store/link-history.ts'
import { findLink, type LinkRow } from '../store/links.ts'
import { findOwnerById } from '../store/owners.ts'
import { SHOWN_DAYS } from './clicks-section.ts'
import type { History } from './history-section.ts'
import { deletedLinkPage, linkPage } from './link-page.ts'
import { sendDashboardPage } from './page.ts'

/** Finds the link that a path names, even if it is deleted. */
export async function findNamedLink(
  { db }: ServiceContext,
  id: string,
): Promise<LinkRow | undefined> {
  return isUuid(id) ? findLink(db, id) : undefined
}

/** Finds a link that can be changed. */
export async function findLiveLink(
  context: ServiceContext,
  id: string,
): Promise<LinkRow | undefined> {
  const link = await findNamedLink(context, id)
  return link?.deleted_at === null ? link : undefined
}

/** Sends the page of a link, or of what is left of a deleted one. */
export async function sendLink(
  context: ServiceContext,
  reply: FastifyReply,
  link: LinkRow,
  { status = 200, alert }: { status?: number; alert?: string } = {},
): Promise<FastifyReply> {
  const { db, addresses, now } = context
  const owner = await findOwnerById(db, link.owner_id)
  const earlier = await earlierAddresses(db, link.id)
  const shown = {
    link,
    owner: owner?.name ?? '',
    earlier: earlier.map((address) => addresses.shortUrl(address)),
    history: await withKeyNames(context, await linkHistory(db, link.id)),
  }
  if (link.deleted_at !== null) {
    return sendDashboardPage(reply, deletedLinkPage(addresses, shown), status)
  }
  const report = await readClickReport(context, link.id, daysUntil(dayOf(now()), SHOWN_DAYS))
  // d3 draws it, which nothing else needs.
  const { clicksChart: drawChart } = await import('../../chart/clicks-chart.ts')
  const page = linkPage(addresses, shown, { report, drawChart, now: now(), alert })
  return sendDashboardPage(reply, page, status)
}

/** Adds the names of the keys that made the changes. */
export async function withKeyNames(
  { db }: ServiceContext,
  changes: readonly LinkChange[],
): Promise<History> {
  const ids = new Set(changes.map(({ madeBy }) => madeBy))
  return { changes, keyNames: ids.size > 0 ? await findKeyNames(db, [...ids]) : new Map() }
}

/** The changes since a form showed a link with a revision, newest first. Each change makes a new revision. */
export async function changesSince(
  { db }: ServiceContext,
  link: LinkRow,
  revision: number,
): Promise<LinkChange[]> {
  const changes = await linkHistory(db, link.id)
  return changes.slice(0, Math.max(0, link.revision - revision))
}
