import type { FastifyInstance, FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CREATE_FIELDS, eachField, fieldsOfKind, without } from '../../../contract/link-fields.ts'
import { BOM, toCsv } from '../../../csv/cells.ts'
import { dayOf } from '../../../timing/days.ts'
import type { Addresses } from '../../store/addresses.ts'
import { type ExportSearch, readAllLinks } from '../../store/link-export.ts'
import type { FoundLink } from '../../store/link-list.ts'
import { fieldValues } from '../../store/link-values.ts'
import { linkState } from '../../store/links.ts'
import { DASHBOARD } from '../../store/creators.ts'
import { needs, type ReadContext } from '../access.ts'
import { toLinkFilter, parseListQuery } from '../list-query.ts'
import { readQueue } from '../viewer.ts'

export function exportRoutes(context: ReadContext) {
  const { now } = context
  return async (scope: FastifyInstance) => {
    scope.get('/dashboard/links.csv', needs('shortlinks:read'), (request, reply) => {
      const query = parseListQuery(request.query)
      const wanted = { reach: request.viewer.reach, text: query.q, filter: toLinkFilter(query) }
      const day = dayOf(now())
      const csv = exportParts(context, wanted, readQueue(request.viewer))
      return sendCsv(reply, `links-${day}.csv`, csv)
    })
  }
}

/** If a part of the file can't be read, aborts the connection, so that the browser reports a failed download. */
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

async function* exportParts(context: ReadContext, wanted: ExportSearch, reader: string) {
  yield BOM + toCsv([EXPORTED_COLUMNS])
  const parts = readAllLinks(context, wanted)
  for (;;) {
    const { value: links, done } = await context.inTurn(reader, () => parts.next())
    if (done) break
    const rows = links.map((link) => toRow(link, context.addresses, context.now()))
    if (rows.length > 0)
      yield toCsv(rows.map((row) => EXPORTED_COLUMNS.map((name) => row[name] ?? '')))
    await nextTurn()
  }
}

export const LINK_COLUMNS = without(CREATE_FIELDS, fieldsOfKind('image'))
export const IMPORTED_COLUMNS = [...LINK_COLUMNS, 'enabled', 'owner_id'] as const

/** An import ignores these columns. */
const INFORMATION_COLUMNS = [
  'owner',
  'shortlink_url',
  'state',
  'destination_status',
  'preview_image',
  'clicks',
  'created_at',
  'updated_at',
  'deleted_at',
  'name',
  'created_by',
  'created_by_id',
  'created_with',
] as const

const EXPORTED_COLUMNS = [...IMPORTED_COLUMNS, ...INFORMATION_COLUMNS]

function toRow(link: FoundLink, addresses: Addresses, now: number): Record<string, string> {
  const isDeleted = link.deleted_at !== null
  const values = fieldValues(link)
  const row: Record<(typeof EXPORTED_COLUMNS)[number], string> = {
    ...eachField([...LINK_COLUMNS, 'enabled'], (name) => {
      const value = values[name]
      return value === null || (isDeleted && typeof value === 'boolean') ? '' : String(value)
    }),
    owner_id: link.owner_id,
    owner: link.owner_name,
    shortlink_url: addresses.shortUrl(link),
    state: isDeleted ? 'deleted' : linkState(link, now),
    destination_status: isDeleted ? '' : (link.destination_status ?? ''),
    preview_image:
      link.preview_image_type === null
        ? ''
        : addresses.previewImageUrl(link, link.preview_image_type),
    clicks: isDeleted ? '' : String(link.people),
    created_at: time(link.created_at),
    updated_at: time(link.updated_at),
    deleted_at: link.deleted_at === null ? '' : time(link.deleted_at),
    name: link.id,
    created_by: link.person_name ?? '',
    created_by_id: link.person_id ?? '',
    created_with: link.made_by === DASHBOARD.made_by ? 'Dashboard' : (link.key_name ?? ''),
  }
  return row
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
