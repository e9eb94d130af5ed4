import { isObject } from '../../values/unknown-values.ts'

export type SlackJson = Record<string, unknown>

export function objects(value: unknown): SlackJson[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Compares two JSON values. The order of members matters, but all blocks get theirs from the same schemas. */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Resolves Slack's three entities. `&amp;` comes last, because `&amp;lt;` would otherwise become `<`. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
