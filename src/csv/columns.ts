import type { CsvRow } from './read-csv.ts'

/**
 * Headings in files from Bitly, Rebrandly, Short.io and Kutt, and other common ones, without spaces and punctuation.
 */
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

/** `Long URL (required)` and `long_url` are the same heading. */
const normalized = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\([^()]*\)/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * Finds the column that each heading of a file means. A column's own name takes precedence over the names that other
 * services use. If several headings match, the first is used.
 */
export function matchColumns<C extends string>(
  headings: readonly string[],
  columns: readonly C[],
): (C | undefined)[] {
  const texts = headings.map(normalized)
  const matched: (C | undefined)[] = headings.map(() => undefined)
  for (const column of columns) {
    const names = [normalized(column), ...(OTHER_HEADINGS[column] ?? [])]
    const match = names
      .map((name) => texts.findIndex((text, index) => text === name && !matched[index]))
      .find((index) => index !== -1)
    if (match !== undefined) matched[match] = column
  }
  return matched
}

export function cellsByColumn<C extends string>(
  { cells }: CsvRow,
  columns: readonly (C | undefined)[],
): Partial<Record<C, string>> {
  const found: Partial<Record<C, string>> = {}
  for (const [index, column] of columns.entries()) {
    const text = cells[index]
    if (column !== undefined && text) found[column] = text
  }
  return found
}
