/** Limits of a scan: how deep it goes, and how many values it visits. */
const MAX_DEPTH = 8
const MAX_VISITED = 20_000

/** The values in a JSON document of unknown shape, in document order. */
export interface JsonScan {
  arrays: { items: unknown[]; insideArray: boolean }[]
  /**
   * Single values outside arrays, by member name in lower case and without underscores. If a name
   * occurs several times, the first value counts.
   */
  scalars: Map<string, unknown>
}

/** Collects the arrays and single values of a parsed JSON document, within fixed limits. */
export function scanJson(json: unknown): JsonScan {
  const scan: JsonScan = { arrays: [], scalars: new Map() }
  let visited = 0
  const visit = (value: unknown, name: string, depth: number, insideArray: boolean): void => {
    if (++visited > MAX_VISITED || depth > MAX_DEPTH) return
    if (Array.isArray(value)) {
      const items: unknown[] = value
      scan.arrays.push({ items, insideArray })
      for (const item of items) visit(item, '', depth + 1, true)
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries(value)) {
        visit(inner, member, depth + 1, insideArray)
      }
    } else if (!insideArray) {
      const normalized = name.toLowerCase().replaceAll('_', '')
      if (!scan.scalars.has(normalized)) scan.scalars.set(normalized, value)
    }
  }
  visit(json, '', 0, false)
  return scan
}
