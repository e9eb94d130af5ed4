export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** The code of an error of Node.js or a package, such as `ENOENT`, `23503` (PostgreSQL) or `FST_ERR_CTP_BODY_TOO_LARGE`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
