import { cut } from '../blocks/limits.ts'
import { SlackInputError } from './slack-input-error.ts'

/** The double quotes that keyboards and macOS type; single ones are apostrophes far too often. */
const QUOTES = '"“”„‟«»'

const WORD = new RegExp(
  `([a-z_]+=)?[${QUOTES}]([^${QUOTES}]*)([${QUOTES}]?)|<[a-z]+:[^<>]*>|\\S+`,
  'gi',
)

/**
 * Splits on white space, except inside double quotes (curly ones too): `title="Spring sale"` is
 * one word, and so is a link as Slack marks it up, `<https://…|label>`. A quote counts only where a
 * word or an option's value begins, and nothing else is syntax, so that `&`, `?`, `#`, `'` and the
 * quotes of a URL stay what they are.
 *
 * @throws SlackInputError for a quote that is never closed
 */
export function splitWords(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word, name = '', quoted, end]) => {
    if (quoted === undefined) return word
    if (end) return name + quoted
    throw new SlackInputError([{ message: `A quote is never closed: ${cut(word, 80)}` }])
  })
}
