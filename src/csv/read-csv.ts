import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CsvError } from 'csv-parse'
import { formatNumber } from '../web/numbers.ts'
import { FLAG_COLUMNS, fromCell, IMPORTED_COLUMNS, INFORMATION_COLUMNS } from '../service/dashboard/csv/export.ts'

/** The largest file that can be imported. */
export const MAX_FILE_BYTES = 10_000_000
const MAX_ROWS = 50_000
export const SIZE_RULE = `at most ${formatNumber(MAX_ROWS)} rows and ${formatNumber(MAX_FILE_BYTES)} bytes`

/** The longest row in characters. A link with every field is shorter. */
const MAX_ROW_LENGTH = 50_000

/** How much of a file is parsed in one turn of the event loop, in bytes. */
const CHUNK_BYTES = 32 * 1024

const KNOWN: ReadonlySet<string> = new Set([...IMPORTED_COLUMNS, ...INFORMATION_COLUMNS])

const TOO_LARGE = `A file can have ${SIZE_RULE}. Split this file.`

const NOT_UTF8 =
  'The file is not UTF-8. In Excel, save it as “CSV UTF-8 (Comma delimited)”. In LibreOffice, save it as “Text CSV” with ' +
  'the character set “Unicode (UTF-8)”.'

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
export async function openCsv(file: Uint8Array | undefined): Promise<CsvFile> {
  if (!file) throw new UnreadableCsvError('Choose a CSV file.')
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.length > MAX_FILE_BYTES) throw new UnreadableCsvError(TOO_LARGE)
  // The first letter of a heading has a zero byte in UTF-16.
  if (!isUtf8(bytes) || bytes.subarray(0, 2).includes(0)) throw new UnreadableCsvError(NOT_UTF8)
  let columns: readonly string[] | undefined
  const rows: CsvRow[] = []
  for await (const { record, number } of records(bytes)) {
    if (!columns) columns = readHeadings(record)
    else if (!isEmpty(record)) rows.push(readRow(record, number, columns))
    if (rows.length > MAX_ROWS) throw new UnreadableCsvError(TOO_LARGE)
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
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: true,
        max_record_size: MAX_ROW_LENGTH,
      }),
    )
    for await (const record of parser) {
      number++
      yield { record, number }
    }
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(error)
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
  const names = unknown.slice(0, 5).map((name) => `“${name.slice(0, 50)}”`)
  const problems = [
    ...(columns.includes('destination_url') ? [] : ['The column “destination_url” is missing.']),
    ...(names.length > 0
      ? [`These columns are unknown: ${names.join(', ')}. Rename or remove them.`]
      : []),
  ]
  if (problems.length > 0) {
    throw new UnreadableCsvError(
      `The first row must contain the names of columns. ${problems.join(' ')}`,
    )
  }
  const repeated = columns.find((name, at) => columns.indexOf(name) !== at)
  if (repeated !== undefined) {
    throw new UnreadableCsvError(`Two columns are named “${repeated}”. Rename or remove one.`)
  }
  return columns
}

function isEmpty(record: readonly string[]): boolean {
  return record.every((cell) => cell.trim() === '')
}

/** The parser is ahead of the records that were taken from it, so the error says how many there were. */
function unreadable({ code, ...info }: CsvError): UnreadableCsvError {
  const { records = 0 } = info as { records?: number }
  const reason =
    code === 'CSV_MAX_RECORD_SIZE'
      ? 'it is too long, or the quote at its end is missing'
      : 'its quotes don’t match'
  return new UnreadableCsvError(`Row ${formatNumber(records + 1)} can’t be read: ${reason}.`)
}
