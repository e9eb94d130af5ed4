import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import type { ServiceContext } from '../../store/context.ts'
import { readAllLinks, type ExportSearch } from '../../store/link-export.ts'
import { filterOf, parseListQuery } from '../list-query.ts'
import { BOM, toCsv } from './cells.ts'
import { EXPORTED_COLUMNS, toRow } from './columns.ts'

/** `GET /dashboard/links.csv`: all links, or those that the list's filters find. */
export function exportRoutes(context: ServiceContext): FastifyPluginAsync {
  const { now } = context
  return async (scope) => {
    scope.get('/dashboard/links.csv', (request, reply) => {
      const query = parseListQuery(request.query)
      const wanted = { text: query.q, filter: filterOf(query) }
      const day = new Date(now()).toISOString().slice(0, 10)
      return (
        reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', `attachment; filename="links-${day}.csv"`)
          .header('cache-control', 'no-store')
          // If a part can't be read, the connection is aborted, so that the browser reports a failed download.
          .send(Readable.from(csvOf(context, wanted), { objectMode: false }))
      )
    })
  }
}

async function* csvOf(context: ServiceContext, wanted: ExportSearch): AsyncGenerator<string> {
  yield BOM + toCsv([EXPORTED_COLUMNS])
  for await (const links of readAllLinks(context, wanted)) {
    const rows = links.map((link) => toRow(link, context.addresses, context.now()))
    if (rows.length > 0)
      yield toCsv(rows.map((row) => EXPORTED_COLUMNS.map((name) => row[name] ?? '')))
    await nextTurn()
  }
}
