import { UTM_PARAMETERS, type UtmParameter } from '../../contract/create-request.ts'
import type { NamingRules } from '../../workspaces/settings.ts'
import { cut } from '../blocks/limits.ts'
import { oneOf } from './one-of.ts'
import type { Fault } from './slack-input-error.ts'

/** UTM values that are filled in, by the names of the create request. */
export type UtmValues = Partial<Record<UtmParameter, string>>

/** The same as they were typed, or as they are kept: some may be empty. */
export type TypedUtmValues = Readonly<{ [name in UtmParameter]?: string | undefined }>

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

/** The only values that a parameter may have, as the rules write them; empty: any. */
export function allowedValues(field: UtmParameter, rules: NamingRules): string[] {
  const listed = ALLOWED.find((one) => one.field === field)
  return listed ? [...new Set(rules[listed.list].map((one) => namedBy(rules, one)))] : []
}

/**
 * Of the parameters that are chosen from a list, the values as they stand on it. One that is not
 * on it, because it was typed before there was a list, is left out.
 */
export function chosenNames(values: TypedUtmValues, rules: NamingRules): UtmValues {
  const chosen: UtmValues = {}
  for (const { field } of ALLOWED) {
    const value = values[field]
    const found = value && allowedValues(field, rules).find((one) => isNamed(one, value, rules))
    if (found) chosen[field] = found
  }
  return chosen
}

/**
 * What the rules don't allow: a source or a medium that is not on the workspace's list. Both are
 * compared as the rules write them, so `E-Mail` on the list allows `e-mail` where all is lower case.
 */
export function namingFaults(values: TypedUtmValues, rules: NamingRules): Fault[] {
  return ALLOWED.flatMap(({ field, word }): Fault[] => {
    const value = values[field]
    const allowed = allowedValues(field, rules)
    if (!value || allowed.length === 0) return []
    if (allowed.some((one) => isNamed(one, value, rules))) return []
    return [
      {
        field,
        message: `“${cut(namedBy(rules, value), 80)}” isn’t one of this workspace’s ${word}. Use ${oneOf(allowed)}.`,
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

function isNamed(allowed: string, typed: string, rules: NamingRules): boolean {
  return allowed.normalize() === namedBy(rules, typed).normalize()
}
