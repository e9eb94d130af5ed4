import type { ComponentChildren } from 'preact'
import { html, renderPart, type HtmlPage } from '../../../web/layout.ts'
import { formatCount, formatNumber } from '../../../web/numbers.ts'
import { formInputs, PostForm, type FilledForm, type Options } from '../form.ts'
import { alertBox, renderDashboardPage, table } from '../page.ts'
import type { Viewer } from '../viewer.ts'
import { BOM, IMPORTED_COLUMNS, toCsv } from './export.ts'
import type { RowResult } from './import-links.ts'
import { SIZE_RULE } from './read-csv.ts'

/** At most this many rows with errors are shown on the page. The file with the result has all of them. */
const SHOWN_ERRORS = 100

export function importForm({
  owners,
  domains,
  form,
}: {
  owners: Options | undefined
  domains: Options
  form: FilledForm
}): ComponentChildren {
  const { field, menu } = formInputs(form)
  return [
    html`<p class="lead">
      Each row becomes a link, unless it has errors. Existing links are not created again, so you
      can correct a file and import it as often as you like.
    </p>`,
    html`<${PostForm} action="/dashboard/import" enctype="multipart/form-data" class="stack">
      ${field('file', 'CSV file', {
        type: 'file',
        accept: '.csv,text/csv',
        required: true,
        hint: `UTF-8, ${SIZE_RULE}.`,
      })}
      ${owners && menu('owner', 'Owner of the links', owners)}
      ${menu('domain', 'Domain, if a row has none', domains)}
      <button>Import</button>
    </${PostForm}>`,
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
}

const MARK = 'the-result-comes-here'

/** The page of a running import, in two halves. The parts in between are sent as they come. */
export function importFrame(
  csrf: string,
  viewer: Viewer,
): { page: HtmlPage; start: string; end: string } {
  const content = html`<div class="import">
    <p class="unfinished">
      Importing… Keep this page open. If no result appears, import the same file again. Existing
      links are not created twice.
    </p>
    ${MARK}
  </div>`
  const page = renderDashboardPage({ title: 'Import', content }, csrf, viewer)
  // The header, with names that people chose, comes first.
  const at = page.html.lastIndexOf(MARK)
  return { page, start: page.html.slice(0, at), end: page.html.slice(at + MARK.length) }
}

/** Replaces the earlier progress on the page (style.ts). */
export function progressPart(done: number, total: number): string {
  return renderPart(
    html`<div class="progress">
      <progress max=${total} value=${done} aria-label="Imported rows"></progress>
      ${` ${formatNumber(done)} of ${formatCount(total, 'row')}`}
    </div>`,
  )
}

/** The end of the page: the result of each row. */
export function resultPart(
  results: readonly RowResult[],
  {
    total,
    stopped,
    leftOut,
  }: { total: number; stopped: string | undefined; leftOut: readonly string[] },
): string {
  const count = (wanted: RowResult['result']): number =>
    results.filter(({ result }) => result === wanted).length
  const failed = results.filter((one) => one.result === 'error')
  const summary = `${formatCount(count('created'), 'link')} created, ${formatNumber(count('exists'))} already existed, ${formatCount(failed.length, 'row')} with errors.`
  const csv = Buffer.from(resultCsv(results)).toString('base64')
  return renderPart(
    html`<div class="result">
      ${
        stopped &&
        alertBox(
          `The import stopped after ${formatNumber(results.length)} of ${formatCount(total, 'row')}, because ${stopped}. Import the same file again to complete it.`,
        )
      }
      <p class="lead" role="status">${summary}</p>
      <div class="actions">
        <a
          class="button"
          href=${`data:text/csv;charset=utf-8;base64,${csv}`}
          download="import-result.csv"
          >Download the result of every row</a
        >
        <a href="/dashboard">Show the links</a>
        <a href="/dashboard/import">Import another file</a>
      </div>
      ${
        leftOut.length > 0 &&
        html`<p>
          These columns were left out, because an import can’t set them:${' '}
          ${leftOut.map((name, at) => [at > 0 && ', ', html`<code>${name}</code>`])}.
        </p>`
      }
      ${failed.length > 0 && errorTable(failed)}
    </div>`,
  )
}

function errorTable(failed: readonly Extract<RowResult, { result: 'error' }>[]): ComponentChildren {
  const rows = failed
    .slice(0, SHOWN_ERRORS)
    .flatMap(({ row, destination, errors }) =>
      errors.map(({ column, message }) => [
        formatNumber(row),
        column && html`<code>${column}</code>`,
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

/** The result as CSV: a line for every row, and one for every error of a row. */
function resultCsv(results: readonly RowResult[]): string {
  const lines = results.flatMap((one): string[][] => {
    const { result, row, destination } = one
    const start = [String(row), result]
    if (result === 'created') return [[...start, one.shortUrl, destination, '', '']]
    if (result === 'exists') return [[...start, one.shortUrl, destination, '', one.message]]
    return one.errors.map(({ column, message }) => [...start, '', destination, column, message])
  })
  const headings = ['row', 'result', 'shortlink_url', 'destination_url', 'column', 'message']
  return BOM + toCsv([headings, ...lines])
}
