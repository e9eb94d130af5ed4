import { cellsByColumn, matchColumns } from '../../../csv/columns.ts'
import { type CsvRow, readCsv, UnreadableCsvError } from '../../../csv/read-csv.ts'
import { FLAG_COLUMNS, IMPORTED_COLUMNS } from './export.ts'

/** The largest file that can be imported. */
export const MAX_FILE = { bytes: 10_000_000, rows: 50_000 }

/** An import knows these columns, to set them or to say that the link was deleted. */
const COLUMNS = [...IMPORTED_COLUMNS, 'deleted_at'] as const

export type ImportColumn = (typeof COLUMNS)[number]

/** A row of a file: its number as spreadsheets count, and the cells that are not empty by column. */
export interface ImportRow {
  number: number
  cells: Partial<Record<string, string>>
  /** Whether a cell has no heading. */
  isTooLong: boolean
}

export interface ImportFile {
  columns: readonly (ImportColumn | undefined)[]
  /** The headings of the columns that are not imported. */
  leftOut: readonly string[]
  rows: readonly ImportRow[]
}

/** @throws UnreadableCsvError */
export async function openImport(file: Uint8Array | undefined): Promise<ImportFile> {
  const { headings, rows } = await readCsv(file, MAX_FILE)
  const columns = matchColumns(headings, COLUMNS)
  if (!columns.includes('destination_url')) {
    throw new UnreadableCsvError(
      'The first row must contain the names of columns. The column “destination_url” is missing.',
    )
  }
  return {
    columns,
    leftOut: headings.filter((heading, at) => heading !== '' && columns[at] === undefined),
    rows: rows.map((row) => readRow(row, columns)),
  }
}

function readRow(row: CsvRow, columns: ImportFile['columns']): ImportRow {
  const cells: ImportRow['cells'] = cellsByColumn(row, columns)
  for (const [column, text = ''] of Object.entries(cells)) {
    // Excel writes TRUE and FALSE.
    if (column === 'enabled' || FLAG_COLUMNS.has(column)) cells[column] = text.toLowerCase()
  }
  return {
    number: row.number,
    cells,
    isTooLong: row.cells.slice(columns.length).some((cell) => cell !== ''),
  }
}
