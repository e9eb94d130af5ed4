/** How deep an answer is searched, and how many of its members at most. */
const MAX_DEPTH = 8
const MAX_VISITED = 20_000

/** What stands in an answer whose shape nobody knows, in the order in which it stands there. */
export interface Survey {
  arrays: { items: unknown[]; insideArray: boolean }[]
  /**
   * Members with a single value, outside of arrays; by their name in lower case without
   * underscores, the first of each name.
   */
  scalars: Map<string, unknown>
}

/** Looks through JSON once, bounded. */
export function surveyJson(json: unknown): Survey {
  const found: Survey = { arrays: [], scalars: new Map() }
  let visited = 0
  const visit = (value: unknown, name: string, depth: number, insideArray: boolean): void => {
    if (++visited > MAX_VISITED || depth > MAX_DEPTH) return
    if (Array.isArray(value)) {
      const items: unknown[] = value
      found.arrays.push({ items, insideArray })
      for (const item of items) visit(item, '', depth + 1, true)
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries(value)) {
        visit(inner, member, depth + 1, insideArray)
      }
    } else if (!insideArray) {
      const plain = name.toLowerCase().replaceAll('_', '')
      if (!found.scalars.has(plain)) found.scalars.set(plain, value)
    }
  }
  visit(json, '', 0, false)
  return found
}
