import { cut } from '../blocks/limits.ts'

/** So many can be read in a sentence. */
const NAMED = 10

/** How much of each. */
const SHOWN = 80

/** `“a”, “b” or “c”`; of many, the first ones. @param choices at least one */
export function oneOf(choices: readonly string[]): string {
  const quoted = choices.map((one) => `“${cut(one, SHOWN)}”`)
  if (quoted.length > NAMED + 1) {
    return `${quoted.slice(0, NAMED).join(', ')} or one of ${quoted.length - NAMED} more`
  }
  return [quoted.slice(0, -1).join(', '), quoted.at(-1) ?? ''].filter(Boolean).join(' or ')
}
