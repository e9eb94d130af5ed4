/** The double quotes that keyboards and macOS type; single ones are apostrophes far too often. */
const QUOTES = /[“”„‟«»]/g

/**
 * Splits on white space, except inside double quotes (curly ones too): `title="Spring sale"` is
 * one word. Nothing else is syntax, so that `&`, `?`, `#` and `'` in a URL or a title stay what
 * they are. A quote that is never closed reaches to the end.
 */
export function splitWords(text: string): string[] {
  const words = text.replace(QUOTES, '"').match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []
  return words.map((word) => word.replaceAll('"', ''))
}
