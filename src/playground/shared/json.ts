import type { SlackJson } from '../../simulator/protocol.ts'

/** Slack's JSON comes from the app and is checked by nobody on its way here: these read it. */
export function isObject(value: unknown): value is SlackJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object, or an empty one. */
export function object(value: unknown): SlackJson {
  return isObject(value) ? value : {}
}

/** The objects of a list. */
export function objects(value: unknown): SlackJson[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A string, or an empty one. */
export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A number, also one in a string as Slack sends some; undefined for anything else. */
export function number(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}
