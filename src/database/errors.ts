import { errorCode, isObject } from '../values/unknown-values.ts'

/** Thrown if the database can't be used at the moment. `/readyz` shows the message, so it contains no secrets. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  /** True if the data might have been written, although the commit failed. A retry could write it twice. */
  readonly mayHaveCommitted: boolean

  constructor(reason: string, options: ErrorOptions & { mayHaveCommitted?: boolean } = {}) {
    super(`The database is not available: ${reason}`, options)
    this.mayHaveCommitted = options.mayHaveCommitted ?? false
  }
}

/** Thrown if a database can't be copied, backed up or restored. The message explains why, and is shown to the user. */
export class CopyError extends Error {
  override readonly name = 'CopyError'
}

const FOREIGN_KEY_VIOLATION = '23503'
const SQLITE_FOREIGN_KEY = 787

export function isForeignKeyViolation(error: unknown): boolean {
  const isSqlite = isObject(error) && error['errcode'] === SQLITE_FOREIGN_KEY
  return isSqlite || errorCode(error) === FOREIGN_KEY_VIOLATION
}
