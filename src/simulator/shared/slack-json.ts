import { isObject } from '../../values/unknown-values.ts'

export type SlackJson = Record<string, unknown>

export function objects(value: unknown): SlackJson[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Compares two JSON values, in which members can be in any order. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const membersOfA = Object.entries(a)
  const membersOfB = new Map(Object.entries(b))
  return (
    membersOfA.length === membersOfB.size &&
    membersOfA.every(
      ([name, value]) => membersOfB.has(name) && sameJson(value, membersOfB.get(name)),
    )
  )
}

/** Resolves Slack's three entities. `&amp;` comes last, because `&amp;lt;` would otherwise become `<`. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
