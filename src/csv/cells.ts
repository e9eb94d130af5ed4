import { stringify } from 'csv-stringify/sync'

/** The byte order mark, with which a CSV file starts. Without it, Excel doesn't read the file as UTF-8. */
export const BOM = '\uFEFF'

/**
 * A spreadsheet would run a cell that starts like this as a formula (OWASP, “CSV injection”): `=`, `+`, `-`, `@`, also
 * as wide characters, tab and line breaks. Therefore, toCsv puts `'` before it: `'=1+1`. fromCell takes it away again.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/

export function fromCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

export function toCsv(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => row.map((text) => (FORMULA.test(text) ? `'${text}` : text))),
    { record_delimiter: '\r\n' },
  )
}
