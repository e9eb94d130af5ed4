import type { CsvFile, CsvRow } from './csv.ts'

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
