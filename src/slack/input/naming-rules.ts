import { UTM_PARAMETERS, type UtmParameter } from '../../contract/create-request.ts'
import type { NamingRules } from '../../workspaces/settings.ts'
import { cut } from '../blocks/limits.ts'
import type { Fault } from './slack-input-error.ts'

/** UTM values that are filled in, by the names of the create request. */
export type UtmValues = Partial<Record<UtmParameter, string>>

/** The same as they were typed, or as they are kept: some may be empty. */
export type TypedUtmValues = Readonly<{ [name in UtmParameter]?: string | undefined }>

/** How many of the allowed values a fault names. */
const NAMED = 10

/** Which rule lists what each of these parameters may be. */
const ALLOWED = [
  { field: 'utm_source', list: 'sources', word: 'sources' },
  { field: 'utm_medium', list: 'mediums', word: 'mediums' },
] as const

/**
 * Writes UTM values as the workspace's rules have them. What is empty then is left out.
 *
 * @returns the values, and the parameters that the rules changed, in the order of UTM_PARAMETERS
 */
export function applyNaming(
  values: TypedUtmValues,
  rules: NamingRules,
): { values: UtmValues; changed: UtmParameter[] } {
  const written: UtmValues = {}
  const changed: UtmParameter[] = []
  for (const name of UTM_PARAMETERS) {
    const typed = values[name]?.trim()
    if (!typed) continue
    written[name] = namedBy(rules, typed)
    if (written[name] !== typed) changed.push(name)
  }
  return { values: written, changed }
}

/**
 * What the rules don't allow: a source or a medium that is not on the workspace's list. Both are
 * compared as the rules write them, so `E-Mail` on the list allows `e-mail` where all is lower case.
 */
export function namingFaults(values: TypedUtmValues, rules: NamingRules): Fault[] {
  const { values: written } = applyNaming(values, rules)
  return ALLOWED.flatMap(({ field, list, word }): Fault[] => {
    const value = written[field]
    const allowed = rules[list].map((one) => namedBy(rules, one))
    if (value === undefined || allowed.length === 0) return []
    if (allowed.some((one) => one.normalize() === value.normalize())) return []
    return [
      {
        field,
        message: `“${cut(value, 80)}” isn’t one of this workspace’s ${word}. Use ${oneOf(allowed)}.`,
      },
    ]
  })
}

/**
 * One text as the rules write it. Lower case is Unicode's, the same in every language: a Turkish
 * server must not write `ınstagram`. A row of spaces, of whatever width, becomes one mark.
 */
export function namedBy(
  { lowerCase, spaces }: Pick<NamingRules, 'lowerCase' | 'spaces'>,
  text: string,
): string {
  const cased = lowerCase ? text.trim().toLowerCase() : text.trim()
  return spaces === null ? cased : cased.replace(/\s+/g, spaces)
}

function oneOf(allowed: readonly string[]): string {
  if (allowed.length === 1) return `“${allowed[0] ?? ''}”`
  const more = allowed.length - NAMED
  const named = allowed.slice(0, NAMED).map((one) => `“${one}”`)
  return more > 0
    ? `${named.join(', ')} or one of ${more} more`
    : `${named.slice(0, -1).join(', ')} or ${named.at(-1) ?? ''}`
}
