import { createHash } from 'node:crypto'
import { eachField, someFields } from '../contract/field-spec.ts'
import { UTM_PARAMETERS, type UtmParameter } from '../contract/link-fields.ts'
import type { NamingRules, UtmTemplate } from './settings.ts'

export type UtmValues = Partial<Record<UtmParameter, string>>

type RawUtmValues = Readonly<{ [name in UtmParameter]?: string | undefined }>

export function filledUtm(values: RawUtmValues): UtmValues {
  return someFields(UTM_PARAMETERS, (name) => values[name] || undefined)
}

/** The UTM parameters that visitors of a link arrive with. The destination's own take precedence. */
export function effectiveUtm(
  link: RawUtmValues & { destination_url: string; utm_analytics_enabled?: boolean | undefined },
): UtmValues {
  const inDestination = URL.parse(link.destination_url)?.searchParams
  const added: RawUtmValues = link.utm_analytics_enabled === false ? {} : link
  return filledUtm(eachField(UTM_PARAMETERS, (name) => inDestination?.get(name) ?? added[name]))
}

// The parameters whose allowed values admins can list.
const LISTED: { [name in UtmParameter]?: 'sources' | 'mediums' } = {
  utm_source: 'sources',
  utm_medium: 'mediums',
}

export function applyNaming(values: RawUtmValues, rules: NamingRules): UtmValues {
  return filledUtm(eachField(UTM_PARAMETERS, (name) => applyRules(rules, values[name] ?? '')))
}

/**
 * Rewrites a UTM value as the naming rules demand, such as `Spring Sale` → `spring-sale`. Lower case follows Unicode's
 * rules, not the server's locale, because a Turkish server would write `ınstagram`.
 */
export function applyRules(
  { lowerCase, spaces }: Pick<NamingRules, 'lowerCase' | 'spaces'>,
  text: string,
): string {
  const cased = lowerCase ? text.trim().toLowerCase() : text.trim()
  return spaces === null ? cased : cased.replace(/\s+/g, spaces)
}

export function allowedValues(name: UtmParameter, rules: NamingRules): string[] {
  const list = LISTED[name]
  return list ? [...new Set(rules[list].map((value) => applyRules(rules, value)))] : []
}

export function listedValues(values: RawUtmValues, rules: NamingRules): UtmValues {
  return someFields(UTM_PARAMETERS, (name) => findAllowed(name, values, rules))
}

export interface DisallowedValue {
  name: UtmParameter
  list: 'sources' | 'mediums'
  value: string
  allowed: string[]
}

/**
 * Finds the source and the medium that are not on the admins' lists. Both sides are compared as the naming rules write
 * them, so `E-Mail` on a list allows `e-mail` if the rules demand lower case.
 */
export function disallowedValues(values: RawUtmValues, rules: NamingRules): DisallowedValue[] {
  return UTM_PARAMETERS.flatMap((name) => {
    const [list, value] = [LISTED[name], values[name]]
    const allowed = allowedValues(name, rules)
    if (!list || !value || allowed.length === 0) return []
    if (findAllowed(name, values, rules) !== undefined) return []
    return [{ name, list, value: applyRules(rules, value), allowed }]
  })
}

function findAllowed(name: UtmParameter, values: RawUtmValues, rules: NamingRules) {
  const value = values[name]
  if (!value) return undefined
  const written = applyRules(rules, value).normalize()
  return allowedValues(name, rules).find((allowed) => allowed.normalize() === written)
}

export function findTemplateByKey(templates: readonly UtmTemplate[], key: string) {
  return templates.find(({ name }) => templateKey(name) === key)
}

export function findTemplateByName(templates: readonly UtmTemplate[], name: string) {
  return templates.find((template) => comparable(template.name) === comparable(name))
}

function comparable(name: string): string {
  return name.trim().replace(/\s+/g, ' ').normalize('NFKC').toLowerCase()
}

/** Identifies a template in the IDs that Slack sends back. Slack might return `&` in a name as `&amp;`. */
export function templateKey(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22)
}
