/** Not for arrays. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An empty object if the value is something else. */
export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}
