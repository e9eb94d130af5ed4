import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MAX_COLUMNS, sizeRule } from '../../../csv/read-csv.ts'
import { DatabaseUnavailableError } from '../../../database/errors.ts'
import { html } from '../../../web/layout.ts'
import type { LinkContext } from '../../store/context.ts'
import { needs } from '../access.ts'
import * as forms from '../form.ts'
import { listMenus, NO_OWNERS } from '../menus.ts'
import { createOwnerQueue } from '../owner-queue.ts'
import { pack, readPacked } from '../packed.ts'
import { sendDashboardPage } from '../page.ts'
import { progressPart, sendStreamedPage } from '../streamed-page.ts'
import { may, readQueue, readViewer } from '../viewer.ts'
import { IMPORTED_COLUMNS } from './export.ts'
import { columnInput, COLUMNS_PATH, sendColumns } from './import-columns.ts'
import { type ImportFile, MAX_FILE, readColumns, readFile, toImportFile } from './import-file.ts'
import { importLinks, type ImportChoices, type RowResult } from './import-links.ts'
import { importResult } from './import-result.ts'

const PATH = '/dashboard/import'
const PROGRESS_EVERY_ROWS = 500

/** Decorates a request with a promise that resolves once the owner's earlier imports have ended. */
const TURN = 'importTurn'

/** A file that can’t be compressed takes a third more in a form. */
const MAX_PACKED_BYTES = MAX_FILE.bytes * 1.4

const RUNNING =
  'Importing… Keep this page open. If no result appears, import the same file again. Existing links are not created twice.'

/**
 * Creates links from a CSV file. The first form takes the file; the second one carries it on, and asks what its columns
 * mean. The last response takes as long as the import; closing the page stops it.
 */
export function importRoutes(context: LinkContext) {
  const enter = createOwnerQueue()

  return async (scope: FastifyInstance) => {
    forms.acceptUploads(scope, MAX_PACKED_BYTES, MAX_COLUMNS + 10)
    scope.decorateRequest(TURN)
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'POST') return
      const closed = new Promise<void>((resolve) => reply.raw.once('close', resolve))
      request.setDecorator(TURN, enter(readQueue(request.viewer), closed))
    })

    scope.get(PATH, needs('import'), (_request, reply) => sendForm(context, reply))

    scope.post(PATH, needs('import'), async (request, reply) => {
      await request.getDecorator<Promise<unknown>>(TURN)
      if (reply.raw.closed) return reply
      const upload = await forms.formFile(request, 'file')
      const file = await readFile(upload?.bytes)
      if (typeof file === 'string') return sendForm(context, reply, file)
      const packed = await pack(upload?.bytes ?? '')
      return sendColumns(context, reply, { file, packed }, forms.EMPTY_FORM)
    })

    scope.post(COLUMNS_PATH, needs('import'), async (request, reply) => {
      await request.getDecorator<Promise<unknown>>(TURN)
      if (reply.raw.closed) return reply
      const sent = await readPacked(request, MAX_FILE.bytes)
      const file = await readFile(sent?.bytes)
      if (typeof file === 'string') return sendForm(context, reply, file)
      const values = forms.formValues(request)
      const { owner: ownerId = '', domain: domainId = '' } = values
      const wrong = new Map<number, string>()
      const choices = file.headings.map((_, at) => values[columnInput(at)] ?? '')
      const columns = readColumns(file, choices, wrong)
      const errors = Object.fromEntries([...wrong].map(([at, text]) => [columnInput(at), text]))
      const { viewer } = request
      if (viewer.kind === 'administrator' && ownerId === '' && !columns.includes('owner_id')) {
        errors['owner'] = 'No column is imported as the workspace. Choose a workspace.'
      }
      if (Object.keys(errors).length > 0) {
        const again = { file, packed: sent?.packed ?? '' }
        return sendColumns(context, reply, again, { values, errors })
      }
      const choice = { viewer, ownerId, domainId }
      const parts = runImport(context, request, toImportFile(file, columns), choice)
      return sendStreamedPage(reply, 'Import', RUNNING, parts)
    })
  }
}

async function* runImport(
  context: LinkContext,
  request: FastifyRequest,
  file: ImportFile,
  choices: ImportChoices,
): AsyncGenerator<string, void> {
  const results: RowResult[] = []
  let stopReason: string | undefined
  try {
    for await (const batch of importLinks(context, file, choices)) {
      results.push(...batch)
      if (results.length % PROGRESS_EVERY_ROWS !== 0) continue
      yield progressPart(results.length, file.rows.length, 'row')
      const viewer = await readViewer(context, request)
      if (viewer && may(viewer, 'import')) continue
      stopReason = 'you can no longer import links here'
      break
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error
    stopReason = 'the database was not available'
  }
  yield importResult(file, results, stopReason)
}

async function sendForm(
  context: LinkContext,
  reply: FastifyReply,
  error?: string,
): Promise<FastifyReply> {
  const { viewer } = reply.request
  const { owners } = await listMenus(context, viewer)
  const errors: Record<string, string> = error === undefined ? {} : { file: error }
  const { field } = forms.formInputs({ values: {}, errors })
  const content = [
    html`<p class="lead">
      Each row becomes a link, unless it has errors. Existing links are not created again, so you
      can correct a file and import it as often as you like.
    </p>`,
    html`<${forms.PostForm} action=${PATH} enctype="multipart/form-data" class="stack">
      ${field('file', 'CSV file', {
        type: 'file',
        accept: '.csv,.tsv,.txt,text/csv,text/tab-separated-values',
        required: true,
        hint: `UTF-8 or UTF-16, ${sizeRule(MAX_FILE)}.`,
      })}
      <button>Continue</button>
    </${forms.PostForm}>`,
    html`<section>
      <h2>The file</h2>
      <p>
        The first row contains the names of the columns. On the next page, you choose what each
        column is imported as. Only a column of destinations is required. Backhalf recognizes these
        names, and those in exports from Bitly, Rebrandly, Short.io and Kutt:
      </p>
      <p>${IMPORTED_COLUMNS.map((name) => [html`<code>${name}</code>`, ' '])}</p>
      <p>
        The values are the same as in the <a href="/docs#createShortlink">API</a>. A file from${' '}
        <a href="/dashboard/links.csv">Export</a> can be imported as it is. Preview images are not
        in it.
      </p>
    </section>`,
  ]
  const needsOwner = viewer.kind === 'administrator' && owners.length === 0
  const page = { title: 'Import', content: needsOwner ? NO_OWNERS : content }
  return sendDashboardPage(reply, page, error === undefined ? 200 : 422)
}
