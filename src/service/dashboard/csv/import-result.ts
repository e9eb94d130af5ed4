import { BOM, toCsv } from '../../../csv/cells.ts'
import { html } from '../../../web/layout.ts'
import { formatCount, formatNumber } from '../../../web/numbers.ts'
import { table } from '../page.ts'
import { columnNames } from './import-columns.ts'
import { type RowResult, WHOLE_ROW } from './import-links.ts'

const SHOWN_ERRORS = 100

export function importResult(results: readonly RowResult[], ignoredColumns: readonly string[]) {
  const count = (outcome: RowResult['result']): number =>
    results.filter(({ result }) => result === outcome).length
  const failed = results.filter(({ result }) => result === 'error')
  const summary = `${formatCount(count('created'), 'link')} created, ${formatNumber(count('exists'))} already existed, ${formatCount(failed.length, 'row')} with errors.`
  const csv = Buffer.from(resultCsv(results)).toString('base64')
  return html`
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
  return BOM + toCsv([headings, ...lines])
}
