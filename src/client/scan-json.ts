/** How deep a scan goes. */
const MAX_DEPTH = 8

/** How many values a document may have, and how deep they may be nested. */
export interface JsonLimits {
  maxValues: number
  maxDepth: number
}

/**
 * Whether a JSON text keeps within limits, as far as can be told without parsing it. It takes about two
 * milliseconds for a megabyte, however the text is made, while parsing and validating could take seconds.
 */
export function isWithinLimits(text: string, { maxValues, maxDepth }: JsonLimits): boolean {
  let values = 1
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index)
        break
      case COMMA:
        values++
        break
      case OPENING_BRACKET:
      case OPENING_BRACE:
        values++
        depth++
        break
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--
        break
    }
    if (values > maxValues || depth > maxDepth) return false
  }
  return true
}

const QUOTE = '"'.charCodeAt(0)
const COMMA = ','.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const OPENING_BRACKET = '['.charCodeAt(0)
const CLOSING_BRACKET = ']'.charCodeAt(0)
const OPENING_BRACE = '{'.charCodeAt(0)
const CLOSING_BRACE = '}'.charCodeAt(0)

/** @returns the index of the closing quote, or of the text's end */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) return index
    if (code === BACKSLASH) index++
  }
  return text.length
}

/** The values in a JSON document of unknown shape, in document order. */
export interface JsonScan {
  arrays: { items: unknown[]; insideArray: boolean }[]
  /**
   * Single values outside arrays, by member name in lower case and without underscores. If a name
   * occurs several times, the first value counts.
   */
  scalars: Map<string, unknown>
}

/** Collects the arrays and single values of a parsed JSON document, down to a fixed depth. */
export function scanJson(json: unknown): JsonScan {
  const scan: JsonScan = { arrays: [], scalars: new Map() }
  const visit = (value: unknown, name: string, depth: number, insideArray: boolean): void => {
    if (depth > MAX_DEPTH) return
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
