import { fieldsOfKind, FIELD_SPECS } from '../../../contract/link-fields.ts'
import { cellsByColumn, matchColumns } from '../../../csv/columns.ts'
import { type CsvFile, type CsvRow, readCsv, UnreadableCsvError } from '../../../csv/read-csv.ts'
import { IMPORTED_COLUMNS, LINK_COLUMNS } from './export.ts'

export const MAX_FILE = { bytes: 10_000_000, rows: 50_000 }

/** An import knows `deleted_at` to reject deleted links. */
const COLUMNS = [...IMPORTED_COLUMNS, 'deleted_at'] as const

type ImportColumn = (typeof COLUMNS)[number]

export interface ImportRow {
  number: number
  cells: Partial<Record<string, string>>
  isTooLong: boolean
}

export interface ImportFile {
  columns: readonly (ImportColumn | undefined)[]
  leftOut: readonly string[]
  rows: readonly ImportRow[]
}

export async function readFile(file: Uint8Array | undefined): Promise<CsvFile | string> {
  try {
    const read = await readCsv(file, MAX_FILE)
    return read.headings.length > 0 ? read : 'The first row must contain the names of the columns.'
  } catch (error) {
    if (error instanceof UnreadableCsvError) return error.message
    throw error
  }
}

export const guessColumns = ({ headings }: CsvFile): ImportFile['columns'] =>
  matchColumns(headings, COLUMNS)

const OTHER_LABELS = { enabled: 'Turned on', owner_id: 'Workspace', deleted_at: 'Deleted' }

export const COLUMN_OPTIONS = [
  ['', 'Don’t import'],
  ...LINK_COLUMNS.map((name) => [name, `${FIELD_SPECS[name].label} (${name})`] as const),
  ...Object.entries(OTHER_LABELS).map(([name, label]) => [name, `${label} (${name})`] as const),
] as const

export function readColumns(
  { headings }: CsvFile,
  choices: readonly string[],
  errors: Map<number, string>,
): ImportFile['columns'] {
  const columns = headings.map((_, at) => COLUMNS.find((name) => name === choices[at]))
  for (const [at, name] of columns.entries()) {
    if (name === undefined || columns.indexOf(name) === at) continue
    errors.set(at, `Another column is already imported as ${name}. Choose it for only one column.`)
  }
  if (!columns.includes('destination_url')) {
    errors.set(
      0,
      'Choose “Destination (destination_url)” for the column that has the destinations.',
    )
  }
  return columns
}

export function toImportFile(
  { headings, rows }: CsvFile,
  columns: ImportFile['columns'],
): ImportFile {
  return {
    columns,
    leftOut: headings.filter((heading, at) => heading !== '' && columns[at] === undefined),
    rows: rows.map((row) => readRow(row, columns)),
  }
}

const FLAG_COLUMNS: ReadonlySet<string> = new Set(fieldsOfKind('flag'))

function readRow(row: CsvRow, columns: ImportFile['columns']): ImportRow {
  const cells: ImportRow['cells'] = cellsByColumn(row, columns)
  for (const [column, text = ''] of Object.entries(cells)) {
    // Excel writes TRUE and FALSE.
    if (FLAG_COLUMNS.has(column)) cells[column] = text.toLowerCase()
  }
  return {
    number: row.number,
    cells,
    isTooLong: row.cells.slice(columns.length).some((cell) => cell !== ''),
  }
}
