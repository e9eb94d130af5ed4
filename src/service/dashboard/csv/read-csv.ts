import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CsvError } from 'csv-parse'
import { formatNumber } from '../../../web/numbers.ts'
import { FLAG_COLUMNS, fromCell, IMPORTED_COLUMNS, INFORMATION_COLUMNS } from './export.ts'

/** The largest file that can be imported, in bytes and in rows. */
export const [MAX_FILE_BYTES, MAX_ROWS] = [10_000_000, 50_000]

/** The longest row in characters. A link with every field is shorter. */
const MAX_ROW_LENGTH = 50_000

/** How much of a file is parsed in one turn of the event loop, in bytes. */
const CHUNK_BYTES = 32 * 1024

const KNOWN: ReadonlySet<string> = new Set([...IMPORTED_COLUMNS, ...INFORMATION_COLUMNS])

/** A file that can't be imported. The message is for the user. */
export class UnreadableCsvError extends Error {
  override readonly name = 'UnreadableCsvError'
}

/** A row of a file: its number as spreadsheets count, and the cells that are not empty by column. */
export interface CsvRow {
  number: number
  cells: Partial<Record<string, string>>
  /** Whether a cell has no heading. */
  isTooLong: boolean
}

export interface CsvFile {
  columns: readonly string[]
  /** Those that are not empty. */
  rows: readonly CsvRow[]
}

/**
 * Reads a whole file, so that a broken one imports nothing. Columns are separated by commas, semicolons or
 * tabs.
 *
 * @throws UnreadableCsvError
 */
export async function openCsv(bytes: Buffer): Promise<CsvFile> {
  if (bytes.length > MAX_FILE_BYTES) {
    throw new UnreadableCsvError(`Use a file of at most ${formatNumber(MAX_FILE_BYTES)} bytes.`)
  }
  if (!isUtf8(bytes)) throw new UnreadableCsvError('Save the file as CSV with UTF-8.')
  let columns: readonly string[] | undefined
  const rows: CsvRow[] = []
  for await (const { record, number } of records(bytes)) {
    if (!columns) columns = readHeadings(record)
    else if (!isEmpty(record)) rows.push(readRow(record, number, columns))
    if (rows.length > MAX_ROWS) {
      throw new UnreadableCsvError(
        `Use a file of at most ${formatNumber(MAX_ROWS)} rows. Split this one.`,
      )
    }
  }
  if (!columns || rows.length === 0) throw new UnreadableCsvError('The file has no rows.')
  return { columns, rows }
}

function readRow(record: readonly string[], number: number, columns: readonly string[]): CsvRow {
  const cells: CsvRow['cells'] = {}
  for (const [at, column] of columns.entries()) {
    const text = fromCell((record[at] ?? '').trim())
    // Excel writes TRUE and FALSE.
    if (text !== '') cells[column] = FLAG_COLUMNS.has(column) ? text.toLowerCase() : text
  }
  return { number, cells, isTooLong: !isEmpty(record.slice(columns.length)) }
}

/** The records of a file with their numbers from 1, the headings first. */
async function* records(bytes: Buffer): AsyncGenerator<{ record: string[]; number: number }, void> {
  let number = 0
  const { CsvError, parse } = await import('csv-parse') // Few admins import a file.
  try {
    const parser: AsyncIterable<string[]> = Readable.from(chunks(bytes), {
      objectMode: false,
    }).pipe(
      parse({
        bom: true,
        delimiter: delimiterOf(bytes),
        relax_column_count: true,
        max_record_size: MAX_ROW_LENGTH,
      }),
    )
    for await (const record of parser) {
      number++
      yield { record, number }
    }
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(error, number + 1)
    throw error
  }
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES)
    await nextTurn()
  }
}

/** The character after the first heading, which contains none of the separators. */
function delimiterOf(bytes: Buffer): string {
  const [start = ''] = bytes
    .subarray(0, CHUNK_BYTES)
    .toString('utf8')
    .split(/[\r\n]/)
  return /[,;\t]/.exec(start)?.[0] ?? ','
}

function readHeadings(record: readonly string[]): string[] {
  const columns = record.map((heading) => heading.trim().toLowerCase())
  while (columns.at(-1) === '') columns.pop()
  const unknown = columns.filter((name) => !KNOWN.has(name))
  if (unknown.length > 0) {
    const names = unknown.slice(0, 5).map((name) => `“${name.slice(0, 50)}”`)
    throw new UnreadableCsvError(
      `The first row must contain the names of columns. These are unknown: ${names.join(', ')}.`,
    )
  }
  const repeated = columns.find((name, at) => columns.indexOf(name) !== at)
  if (repeated !== undefined) throw new UnreadableCsvError(`Two columns are named “${repeated}”.`)
  if (!columns.includes('destination_url')) {
    throw new UnreadableCsvError('The file has no column “destination_url”.')
  }
  return columns
}

function isEmpty(record: readonly string[]): boolean {
  return record.every((cell) => cell.trim() === '')
}

function unreadable({ code }: CsvError, number: number): UnreadableCsvError {
  const reason =
    code === 'CSV_MAX_RECORD_SIZE'
      ? 'it is too long, or the quote at its end is missing'
      : 'its quotes don’t match'
  return new UnreadableCsvError(`Row ${formatNumber(number)} can’t be read: ${reason}.`)
}
