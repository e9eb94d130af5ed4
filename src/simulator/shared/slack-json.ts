import { isObject } from '../../values/unknown-values.ts'

export type SlackJson = Record<string, unknown>

export function objects(value: unknown): SlackJson[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Compares two JSON values, in which members can be in any order. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const first = new Map(Object.entries(one))
  const second = new Map(Object.entries(other))
  return (
    first.size === second.size &&
    [...first].every(([name, value]) => second.has(name) && sameJson(value, second.get(name)))
  )
}

/** Resolves Slack's three entities. `&amp;` comes last, because `&amp;lt;` would otherwise become `<`. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
