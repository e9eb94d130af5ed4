import type { CsvFile, CsvRow } from './read-csv.ts'

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

/**
 * Finds the column that each heading of a file means, or undefined if a heading means none. The name of a column takes
 * precedence over the names that other services use for it. If several headings match a column, the first is used. A
 * column of domains that are all unknown is from another service, and is ignored.
 */
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
  const isForeign = (index: number): boolean =>
    !rows.some(({ cells }) => isKnownDomain(cells[index] ?? ''))
  return matched.map((column, index) =>
    column === 'domain' && isForeign(index) ? undefined : column,
  )
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
