import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailableError } from '../../../database/errors.ts'
import { html } from '../../../web/layout.ts'
import { addSecurityHeaders } from '../../../web/send-page.ts'
import { ServiceError } from '../../api/errors.ts'
import type { LinkContext } from '../../store/context.ts'
import { BUILT_IN_DOMAIN } from '../../store/domains.ts'
import { needs } from '../access.ts'
import * as forms from '../form.ts'
import { listMenus, NO_OWNERS } from '../menus.ts'
import { renderDashboardPage, sendDashboardPage } from '../page.ts'
import { may, readerOf, readViewer } from '../viewer.ts'
import { IMPORTED_COLUMNS } from './export.ts'
import { importLinks, type ImportChoices, type RowResult } from './import-links.ts'
import { type ImportFile, MAX_FILE, openImport } from './import-file.ts'
import { progressPart, resultPart } from './import-result.ts'
import { sizeRule, UnreadableCsvError } from '../../../csv/read-csv.ts'

const PATH = '/dashboard/import'

/** After how many rows the page shows the progress. */
const PROGRESS_EVERY = 500

/** How many imports of an owner may be uploaded, wait and run at once. */
const MAX_IMPORTS = 3

/** The name of the request decorator that resolves once the earlier imports of the owner have ended. */
const TURN = 'importTurn'

const OWNERS_OF_FILE = ['', 'As in the file (column owner_id)'] as const

/** Creates links from a CSV file. The response lasts as long as the import; closing the page stops it. */
export function importRoutes(context: LinkContext) {
  async function sendForm(
    reply: FastifyReply,
    values: forms.FilledForm['values'],
    errors: forms.FilledForm['errors'] = {},
    status = 200,
  ): Promise<FastifyReply> {
    const isMember = reply.request.viewer.kind === 'member'
    const { owners, domains } = await listMenus(context, reply.request.viewer)
    const [only] = owners.length === 1 ? owners : []
    const defaults = { domain: BUILT_IN_DOMAIN, owner: only?.[0] ?? '' }
    const { field, menu } = forms.formInputs({ values, errors }, defaults)
    const content = [
      html`<p class="lead">
        Each row becomes a link, unless it has errors. Existing links are not created again, so you
        can correct a file and import it as often as you like.
      </p>`,
      html`<${forms.PostForm} action=${PATH} enctype="multipart/form-data" class="stack">
        ${field('file', 'CSV file', {
          type: 'file',
          accept: '.csv,text/csv',
          required: true,
          hint: `UTF-8 or UTF-16, ${sizeRule(MAX_FILE)}.`,
        })}
        ${!isMember && menu('owner', 'Owner of the links', [OWNERS_OF_FILE, ...owners])}
        ${menu('domain', 'Domain, if a row has none', domains)}
        <button>Import</button>
      </${forms.PostForm}>`,
      html`<section>
        <h2>The file</h2>
        <p>
          The first row contains the names of the columns. Only <code>destination_url</code> is
          needed. The others are:
        </p>
        <p>
          ${IMPORTED_COLUMNS.filter((name) => name !== 'destination_url').map((name) => [
            html`<code>${name}</code>`,
            ' ',
          ])}
        </p>
        <p>
          Their values are the same as in the <a href="/docs#createShortlink">API</a>. A file
          from${' '} <a href="/dashboard/links.csv">Export</a> can be imported as it is. Preview
          images are not in it. The result lists the columns that an import can’t set.
        </p>
      </section>`,
    ]
    const needsOwner = !isMember && owners.length === 0
    const page = { title: 'Import', content: needsOwner ? NO_OWNERS : content }
    return sendDashboardPage(reply, page, status)
  }

  const unfinished = new Map<string, Promise<void>[]>()

  /** Takes a place in the queue of the owner until the response has been sent. */
  function queue({ viewer }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const reader = readerOf(viewer)
    const earlier = unfinished.get(reader) ?? []
    if (earlier.length === MAX_IMPORTS) {
      throw new ServiceError('RATE_LIMIT_EXCEEDED', 'Too many imports of this owner at once.')
    }
    const end = new Promise<void>((resolve) => reply.raw.once('close', resolve)).then(() => {
      const left = unfinished.get(reader)?.filter((one) => one !== end) ?? []
      if (left.length > 0) unfinished.set(reader, left)
      else unfinished.delete(reader)
    })
    unfinished.set(reader, [...earlier, end])
    return Promise.all(earlier)
  }

  return async (scope: FastifyInstance) => {
    forms.acceptUploads(scope, MAX_FILE.bytes)
    scope.decorateRequest(TURN)
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method === 'POST') request.setDecorator(TURN, queue(request, reply))
    })

    scope.get(PATH, needs('import'), (_request, reply) => sendForm(reply, {}))

    scope.post(PATH, needs('import'), async (request, reply) => {
      const { viewer } = request
      const values = forms.formValues(request)
      const { owner: ownerId = '', domain: domainId = '' } = values
      await request.getDecorator<Promise<unknown>>(TURN)
      if (reply.raw.closed) return reply
      const upload = await forms.formFile(request, 'file')
      const file = await openImport(upload?.bytes).catch((error: unknown) => {
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
      const page = { title: 'Import', content: RUNNING }
      const { html: document, policy } = renderDashboardPage(reply, page)
      addSecurityHeaders(reply, policy)
      async function* parts(): AsyncGenerator<string, void> {
        // The header, with names that people chose, comes first.
        const at = document.lastIndexOf(MARK)
        yield document.slice(0, at)
        yield* runImport(request, file as ImportFile, { viewer, ownerId, domainId })
        yield document.slice(at + MARK.length)
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
    file: ImportFile,
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
    yield resultPart(file, results, stopped)
  }
}

const MARK = 'the-result-comes-here'

/** The page of a running import. The parts of the result are sent instead of the mark, as they come. */
const RUNNING = html`<div class="import">
  <p class="unfinished">
    Importing… Keep this page open. If no result appears, import the same file again. Existing links
    are not created twice.
  </p>
  ${MARK}
</div>`
