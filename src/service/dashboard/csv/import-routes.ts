import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailableError } from '../../../database/errors.ts'
import { addSecurityHeaders } from '../../../web/send-page.ts'
import { BUILT_IN_DOMAIN } from '../../store/domains.ts'
import { acceptUploads, formFile, formValues, type FilledForm } from '../form.ts'
import type { LinkContext } from '../../store/context.ts'
import { needs, type ViewerScope } from '../access.ts'
import { listMenus, NO_OWNERS } from '../menus.ts'
import { sendDashboardPage } from '../page.ts'
import { may, readViewer } from '../viewer.ts'
import { IMPORTED_COLUMNS } from './export.ts'
import { importLinks, type ImportChoices, type RowResult } from './import-links.ts'
import { importForm, importFrame, progressPart, resultPart } from './import-page.ts'
import { MAX_FILE_BYTES, openCsv, UnreadableCsvError, type CsvFile } from './read-csv.ts'

const PATH = '/dashboard/import'

const IMPORTED: ReadonlySet<string> = new Set(IMPORTED_COLUMNS)

/** After how many rows the page shows the progress. */
const PROGRESS_EVERY = 500

/** Creates links from a CSV file. The response lasts as long as the import; closing the page stops it. */
export function importRoutes(context: LinkContext) {
  async function sendForm(
    reply: FastifyReply,
    values: FilledForm['values'],
    errors: FilledForm['errors'] = {},
    status = 200,
  ): Promise<FastifyReply> {
    const { viewer } = reply.request
    const { owners, domains } = await listMenus(context, viewer)
    const isMember = viewer.kind === 'member'
    const [only] = owners.length === 1 ? owners : []
    const form = { values: { domain: BUILT_IN_DOMAIN, owner: only?.[0] ?? '', ...values }, errors }
    const all = [['', 'As in the file (column owner_id)'], ...owners] as const
    const choices = isMember ? undefined : all
    const content =
      choices && owners.length === 0 ? NO_OWNERS : importForm({ owners: choices, domains, form })
    return sendDashboardPage(reply, { title: 'Import', content }, status)
  }

  return async (scope: ViewerScope) => {
    acceptUploads(scope, MAX_FILE_BYTES)

    scope.get(PATH, needs('import'), (_request, reply) => sendForm(reply, {}))

    scope.post(PATH, needs('import'), async (request, reply) => {
      const { viewer } = request
      const values = formValues(request)
      const { owner: ownerId = '', domain: domainId = '' } = values
      const file = await openCsv(formFile(request, 'file')?.bytes).catch((error: unknown) => {
        if (error instanceof UnreadableCsvError) return error
        throw error
      })
      if (file instanceof UnreadableCsvError) {
        return sendForm(reply, values, { file: file.message }, 422)
      }
      if (viewer.kind === 'administrator' && ownerId === '' && !file.columns.includes('owner_id')) {
        const owner = 'The file has no column “owner_id”. Choose an owner.'
        return sendForm(reply, values, { owner }, 422)
      }
      const { page, start, end } = importFrame(reply.generateCsrf(), viewer)
      addSecurityHeaders(reply, page.policy)
      async function* parts(): AsyncGenerator<string, void> {
        yield start
        yield* runImport(request, file as CsvFile, { viewer, ownerId, domainId })
        yield end
      }
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(Readable.from(parts(), { objectMode: false }))
    })
  }

  /** Imports a file while the page is sent. */
  async function* runImport(
    request: FastifyRequest,
    file: CsvFile,
    choices: ImportChoices,
  ): AsyncGenerator<string, void> {
    const results: RowResult[] = []
    let stopped: string | undefined
    try {
      for await (const batch of importLinks(context, file, choices)) {
        results.push(...batch)
        if (results.length % PROGRESS_EVERY !== 0) continue
        yield progressPart(results.length, file.rows.length)
        const viewer = await readViewer(context, request)
        if (viewer && may(viewer, 'import')) continue
        stopped = 'you may no longer import links here'
        break
      }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error
      stopped = 'the database was not available'
    }
    const leftOut = file.columns.filter((name) => !IMPORTED.has(name))
    yield resultPart(results, { total: file.rows.length, stopped, leftOut })
  }
}
