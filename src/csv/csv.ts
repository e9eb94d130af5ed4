import { stringify } from 'csv-stringify/sync'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatNumber } from '../web/numbers.ts'

interface CsvLimits {
  bytes: number
  rows: number
}

export const sizeRule = ({ rows, bytes }: CsvLimits): string =>
  `at most ${formatNumber(rows)} rows and ${formatNumber(bytes / 1_000_000)} MB`

const MAX_ROW_LENGTH = 50_000
export const MAX_COLUMNS = 200
const CHUNK_BYTES = 32 * 1024

const UNKNOWN_ENCODING =
  'The file is neither UTF-8 nor UTF-16. In Excel, save it as “CSV UTF-8 (Comma delimited)”. In LibreOffice, save it as “Text CSV” with ' +
  'the character set “Unicode (UTF-8)”.'

const NOT_CSV =
  'This is not a CSV file. In Excel or LibreOffice, save the table as CSV, and choose that file.'

export class UnreadableCsvError extends Error {
  override readonly name = 'UnreadableCsvError'
}

export interface CsvRow {
  /** The row's position in the file. The headings are row 1. */
  number: number
  /** Without the empty cells at the end of the row. */
  cells: readonly string[]
}

export interface CsvFile {
  headings: readonly string[]
  rows: readonly CsvRow[]
}

/** Reads the whole file before it returns, so that no row of a broken file is imported. @throws UnreadableCsvError */
export async function readCsv(file: Uint8Array | undefined, limits: CsvLimits): Promise<CsvFile> {
  if (!file) throw new UnreadableCsvError('Choose a CSV file.')
  const tooLarge = `A file can have ${sizeRule(limits)}. Split it into smaller files.`
  if (file.length > limits.bytes) throw new UnreadableCsvError(tooLarge)
  let headings: readonly string[] | undefined
  const rows: CsvRow[] = []
  let number = 0
  for await (const record of records(toUtf8(file))) {
    number++
    const cells = record.map((cell) => fromCell(cell.trim()))
    while (cells.at(-1) === '') cells.pop()
    if (!headings) headings = cells
    else if (cells.length > 0) rows.push({ number, cells })
    if (rows.length > limits.rows) throw new UnreadableCsvError(tooLarge)
  }
  if (!headings || rows.length === 0) throw new UnreadableCsvError('The file has no rows.')
  if (headings.length === 0) {
    throw new UnreadableCsvError('The first row must contain the names of the columns.')
  }
  if (headings.length > MAX_COLUMNS) {
    throw new UnreadableCsvError(`The file has more than ${MAX_COLUMNS} columns. Remove some.`)
  }
  return { headings, rows }
}

function toUtf8(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const [first, second] = bytes
  const mark = bytes.subarray(0, 2).toString('hex')
  // Without a byte order mark, UTF-16 is recognized by the zero byte in the first letter. Its position says the order.
  let encoding = 'utf-8'
  if (mark === 'fffe' || (first !== 0 && second === 0)) encoding = 'utf-16le'
  if (mark === 'feff' || (first === 0 && second !== 0)) encoding = 'utf-16be'
  try {
    return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes))
  } catch {
    // Only binary files, such as pictures and XLSX files, contain NUL.
    throw new UnreadableCsvError(bytes.includes(0) ? NOT_CSV : UNKNOWN_ENCODING)
  }
}

async function* records(bytes: Buffer): AsyncGenerator<string[], void> {
  const { CsvError, parse } = await import('csv-parse') // Loaded on first use, because imports are rare.
  try {
    const parser = parse({
      bom: true,
      delimiter: findDelimiter(bytes),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_ROW_LENGTH,
    })
    yield* Readable.from(chunks(bytes), { objectMode: false }).pipe(parser)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The parser counts the rows itself, because it is ahead of the loop that reads them.
    const { code, records = 0 } = error as { code: string; records?: number }
    const reason =
      code === 'CSV_MAX_RECORD_SIZE'
        ? 'it is too long, or the quote at its end is missing'
        : 'its quotes don’t match'
    throw new UnreadableCsvError(`Row ${formatNumber(records + 1)} can’t be read: ${reason}.`)
  }
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer, void> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES)
    await nextTurn()
  }
}

/** Returns the separator that is most frequent in the headings. A heading itself might contain one of the others. */
function findDelimiter(bytes: Buffer): string {
  const [firstLine = ''] = bytes.toString('utf8', 0, CHUNK_BYTES).split(/[\r\n]/)
  const count = (separator: string) => firstLine.split(separator).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

/** The byte order mark. Excel reads a CSV file as UTF-8 only if it starts with this. */
export const BOM = '\uFEFF'

/**
 * A spreadsheet runs a cell as a formula if it starts with `=`, `+`, `-`, `@`, their wide forms, a tab or a line break
 * (OWASP, “CSV injection”). Therefore, toCsv writes `=1+1` as `'=1+1`, and fromCell removes the apostrophe.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/

function fromCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

export function toCsv(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => row.map((text) => (FORMULA.test(text) ? `'${text}` : text))),
    { record_delimiter: '\r\n' },
  )
}

/** Other headings for a column, in files from Bitly, Rebrandly, Short.io and Kutt, for example. They are normalized. */
const OTHER_HEADINGS: Record<string, readonly string[]> = {
  destination_url: ['destination', 'longurl', 'originalurl', 'target', 'targeturl', 'url'],
  back_half: [
    'custombackhalf',
    'slashtag',
    'slug',
    'customslug',
    'path',
    'address',
    'keyword',
    'alias',
    'shortcode',
  ],
  title: ['linktitle', 'description', 'label'],
  tags: ['tag', 'labels'],
  expires_at: ['expirationdate', 'expiration', 'expires', 'expireson', 'validuntil'],
  domain: ['hostname', 'customdomain'],
}

/** `Long URL (required)` and `long_url` both become `longurl`. */
const normalize = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\([^()]*\)/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Finds the column that each heading means. A column's own name takes precedence over those of other services. */
export function matchColumns<C extends string>(
  { headings, rows }: CsvFile,
  columns: readonly C[],
  isKnownDomain: (cell: string) => boolean,
): (C | undefined)[] {
  const normalizedHeadings = headings.map(normalize)
  const matched: (C | undefined)[] = headings.map(() => undefined)
  for (const column of columns) {
    const names = [normalize(column), ...(OTHER_HEADINGS[column] ?? [])]
    const indexes = names.map((name) =>
      normalizedHeadings.findIndex((heading, index) => heading === name && !matched[index]),
    )
    const firstMatch = indexes.find((index) => index !== -1)
    if (firstMatch !== undefined) matched[firstMatch] = column
  }
  return matched.map((column, index) => {
    if (column !== 'domain') return column
    // If it has no known domain, the file is from another service.
    return rows.some(({ cells }) => isKnownDomain(cells[index] ?? '')) ? column : undefined
  })
}

export function ignoredHeadings(
  headings: readonly string[],
  columns: readonly (string | undefined)[],
): string[] {
  return headings.filter((heading, index) => heading !== '' && columns[index] === undefined)
}

export function cellsByColumn<C extends string>(
  { cells }: CsvRow,
  columns: readonly (C | undefined)[],
): Partial<Record<C, string>> {
  const byColumn: Partial<Record<C, string>> = {}
  for (const [index, column] of columns.entries()) {
    const text = cells[index]
    if (column !== undefined && text) byColumn[column] = text
  }
  return byColumn
}
