import { stringify } from 'csv-stringify/sync'

/** The byte order mark. Excel reads a CSV file as UTF-8 only if it starts with this. */
export const BOM = '\uFEFF'

/**
 * A spreadsheet runs a cell as a formula if it starts with `=`, `+`, `-`, `@`, the wide form of one of these, a tab or
 * a line break (OWASP, “CSV injection”). Therefore, toCsv writes `=1+1` as `'=1+1`, and fromCell removes the
 * apostrophe.
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
