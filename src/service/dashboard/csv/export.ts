import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CREATE_FIELDS, fieldsOfKind, without } from '../../../contract/link-fields.ts'
import { BOM, toCsv } from '../../../csv/csv.ts'
import { dayOf } from '../../../timing/days.ts'
import type { Addresses } from '../../store/addresses.ts'
import type { FoundLink } from '../../store/link-list.ts'
import { fieldValues } from '../../store/link-values.ts'
import { linkState, DASHBOARD } from '../../store/links.ts'
import { needs, type DashboardContext } from '../access.ts'
import { readListedLinks } from '../list-query.ts'

export async function exportRoutes(scope: FastifyInstance, context: DashboardContext) {
  scope.get('/dashboard/links.csv', needs('shortlinks:read'), (request, reply) => {
    return sendCsv(reply, `links-${dayOf(context.now())}.csv`, exportParts(context, request))
  })
}

/** Sends a CSV file in parts. If a part can't be read, the connection is closed, so that the download fails. */
export function sendCsv(
  reply: FastifyReply,
  name: string,
  parts: Iterable<string> | AsyncIterable<string>,
): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(parts, { objectMode: false }))
}

async function* exportParts(context: DashboardContext, request: FastifyRequest) {
  yield BOM + toCsv([[...IMPORTED_COLUMNS, ...Object.keys(INFORMATION)]])
  for await (const links of readListedLinks(context, request)) {
    const rows = links.map((link) => toRow(link, context.addresses, context.now()))
    if (rows.length > 0) yield toCsv(rows)
    await nextTurn()
  }
}

export const LINK_COLUMNS = without(CREATE_FIELDS, fieldsOfKind('image'))
export const IMPORTED_COLUMNS = [...LINK_COLUMNS, 'enabled', 'owner_id'] as const

type Value = (link: FoundLink, addresses: Addresses, now: number) => string | null

/** The columns after those that an import reads. An import ignores all of them except `deleted_at`. */
const INFORMATION: Record<string, Value> = {
  owner: (link) => link.owner_name,
  shortlink_url: (link, addresses) => addresses.shortUrl(link),
  state: (link, _, now) => (link.deleted_at === null ? linkState(link, now) : 'deleted'),
  destination_status: (link) => (link.deleted_at === null ? link.destination_status : null),
  preview_image: (link, addresses) =>
    link.preview_image_type && addresses.previewImageUrl(link, link.preview_image_type),
  clicks: (link) => (link.deleted_at === null ? String(link.people) : null),
  created_at: (link) => time(link.created_at),
  updated_at: (link) => time(link.updated_at),
  deleted_at: (link) => (link.deleted_at === null ? null : time(link.deleted_at)),
  name: (link) => link.id,
  created_by: (link) => link.person_name,
  created_by_id: (link) => link.person_id,
  created_with: (link) => (link.made_by === DASHBOARD.made_by ? 'Dashboard' : link.key_name),
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString()

function toRow(link: FoundLink, addresses: Addresses, now: number): string[] {
  const values = fieldValues(link)
  const fields = [...LINK_COLUMNS, 'enabled' as const].map((name) => {
    const value = values[name]
    return value === null || (link.deleted_at !== null && typeof value === 'boolean') ? '' : value
  })
  const information = Object.values(INFORMATION).map((read) => read(link, addresses, now) ?? '')
  return [...fields, link.owner_id, ...information].map(String)
}
