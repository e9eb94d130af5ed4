import type { FastifyInstance, FastifyReply } from 'fastify'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as csv from '../../../csv/csv.ts'
import { formatCount, formatNumber } from '../../../web/numbers.ts'
import { html } from '../../../web/pages.ts'
import type { LinkContext } from '../../store/context.ts'
import { needs, readQueue } from '../access.ts'
import * as forms from '../form.ts'
import type { Jobs } from '../jobs.ts'
import { listMenus, NO_OWNERS } from '../menus.ts'
import { sendForm, table } from '../page.ts'
import { IMPORTED_COLUMNS } from './export.ts'
import { columnNames, COLUMNS_PATH, readColumns, sendColumns } from './import-columns.ts'
import { importRows, type RowResult, WHOLE_ROW } from './import-links.ts'

const PATH = '/dashboard/import'

/** A property of requests: a promise that resolves once the owner's earlier imports have ended. */
const TURN = 'importTurn'

const MAX_FILE = { bytes: 10_000_000, rows: 50_000 }

const MAX_PACKED_BYTES = MAX_FILE.bytes * 1.4 // Base64 makes the gzip file a third larger.

const SHOWN_ERRORS = 100

const RUNNING_TEXT =
  'Importing… Keep this page open. If no result appears, import the same file again. Existing links are not created twice.'

/** The second form asks what the columns mean, and carries the file, so that the service stores nothing in between. */
export async function importRoutes(scope: FastifyInstance, context: LinkContext & { jobs: Jobs }) {
  forms.acceptUploads(scope, MAX_PACKED_BYTES, csv.MAX_COLUMNS + 10)
  scope.decorateRequest(TURN, null)
  scope.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST') return
    // Throws before the body arrives if too many imports are waiting. The turn ends with the response.
    const turn = Promise.withResolvers<unknown>()
    const closed = new Promise<void>((resolve) => reply.raw.once('close', resolve))
    void context.jobs.inTurn(readQueue(request.viewer), () => {
      turn.resolve(undefined)
      return closed
    })
    request.setDecorator(TURN, turn.promise)
  })
  scope.addHook('preHandler', async (request, reply) => {
    await request.getDecorator<Promise<unknown> | null>(TURN)
    if (reply.raw.closed) return reply.hijack()
  })
  scope.setErrorHandler((error, _request, reply) => {
    if (error instanceof csv.UnreadableCsvError) return sendFileForm(context, reply, error.message)
    throw error
  })

  scope.get(PATH, needs('import'), (_request, reply) => sendFileForm(context, reply))

  scope.post(PATH, needs('import'), async (request, reply) => {
    const upload = await forms.formFile(request, 'file')
    const file = await csv.readCsv(upload?.bytes, MAX_FILE)
    const packed = (await promisify(gzip)(upload?.bytes ?? '')).toString('base64url')
    return sendColumns(context, reply, { file, packed }, forms.EMPTY_FORM)
  })

  scope.post(COLUMNS_PATH, needs('import'), async (request, reply) => {
    const packed = await forms.largeText(request)
    const limit = { maxOutputLength: MAX_FILE.bytes }
    const unpacked = promisify(gunzip)(Buffer.from(packed, 'base64url'), limit)
    const file = await csv.readCsv(await unpacked.catch(() => undefined), MAX_FILE)
    const form: forms.FilledForm = { values: forms.formValues(request), errors: {} }
    const choices = readColumns(file, form, request.viewer)
    if (Object.keys(form.errors).length > 0) {
      return sendColumns(context, reply, { file, packed }, form)
    }
    return context.jobs.send(reply, {
      title: 'Import',
      runningText: RUNNING_TEXT,
      stopTexts: { subject: 'The import', advice: 'Import the same file again to complete it.' },
      unit: 'row',
      need: 'import',
      notAllowed: 'you can no longer import links here',
      items: file.rows,
      start: (rows, importer) => importRows(context, importer, rows, choices),
      showResult: (results) =>
        importResult(results, csv.ignoredHeadings(file.headings, choices.columns)),
      isPartOfRequest: true,
    })
  })
}

async function sendFileForm(context: LinkContext, reply: FastifyReply, error?: string) {
  const { viewer } = reply.request
  const { owners } = await listMenus(context, viewer)
  const form = error === undefined ? forms.EMPTY_FORM : { values: {}, errors: { file: error } }
  const { field } = forms.formInputs(form)
  const content = [
    html`<p class="lead">
      Each row becomes a link, unless it has errors. Existing links are not created again, so you
      can correct a file and import it as often as you like.
    </p>`,
    html`<${forms.PostForm} action=${PATH} upload class="stack">
      ${field('file', 'CSV file', {
        type: 'file',
        accept: '.csv,.tsv,.txt,text/csv,text/tab-separated-values',
        required: true,
        hint: `UTF-8 or UTF-16, ${csv.sizeRule(MAX_FILE)}.`,
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
  return sendForm(reply, page, form)
}

function importResult(results: readonly RowResult[], ignoredColumns: readonly string[]) {
  const count = (outcome: RowResult['result']): number =>
    results.filter(({ result }) => result === outcome).length
  const failed = results.filter(({ result }) => result === 'error')
  const summary = `${formatCount(count('created'), 'link')} created, ${formatNumber(count('exists'))} already existed, ${formatCount(failed.length, 'row')} with errors.`
  const encoded = Buffer.from(resultCsv(results)).toString('base64')
  return html`
    <p class="lead" role="status">${summary}</p>
    <div class="actions">
      <a
        class="button"
        href=${`data:text/csv;charset=utf-8;base64,${encoded}`}
        download="import-result.csv"
        >Download the result of every row</a
      >
      <a href="/dashboard">Show the links</a>
      <a href="/dashboard/import">Import another file</a>
    </div>
    ${
      ignoredColumns.length > 0 &&
      html`<p>These columns were not imported: ${columnNames(ignoredColumns)}.</p>`
    }
    ${failed.length > 0 && errorTable(failed)}
  `
}

function errorTable(failed: readonly RowResult[]) {
  const rows = failed
    .slice(0, SHOWN_ERRORS)
    .flatMap(({ row, destination, messages }) =>
      Object.entries(messages).map(([column, message]) => [
        formatNumber(row),
        column === WHOLE_ROW ? 'The whole row' : html`<code>${column}</code>`,
        message,
        html`<span class="long">${destination.slice(0, 120)}</span>`,
      ]),
    )
  return [
    failed.length > SHOWN_ERRORS &&
      html`<p>These are the first ${SHOWN_ERRORS} rows with errors. The file has all of them.</p>`,
    table('Rows with errors', ['Row', 'Column', 'Error', 'Destination'], rows),
  ]
}

function resultCsv(results: readonly RowResult[]): string {
  const lines = results.flatMap(({ row, result, shortUrl = '', destination, messages }) => {
    const cells = [String(row), result, shortUrl, destination]
    const columnsAndMessages = Object.entries(messages)
    // A row without a message also gets a line, so that the file has every row.
    if (columnsAndMessages.length === 0) return [[...cells, WHOLE_ROW, '']]
    return columnsAndMessages.map(([column, message]) => [...cells, column, message])
  })
  const headings = ['row', 'result', 'shortlink_url', 'destination_url', 'column', 'message']
  return csv.BOM + csv.toCsv([headings, ...lines])
}
