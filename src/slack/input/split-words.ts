/** The double quotes that keyboards and macOS type; single ones are apostrophes far too often. */
const QUOTES = '"“”„‟«»'

const WORD = new RegExp(`([a-z_]+=)?[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?|\\S+`, 'gi')

/**
 * Splits on white space, except inside double quotes (curly ones too): `title="Spring sale"` is
 * one word. A quote counts only where a word or an option's value begins, and nothing else is
 * syntax, so that `&`, `?`, `#`, `'` and the quotes of a URL stay what they are. A quote that is
 * never closed reaches to the end.
 */
export function splitWords(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word, name = '', quoted]) =>
    quoted === undefined ? word : name + quoted,
  )
}
