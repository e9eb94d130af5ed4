import { errorCode, isObject } from '../values/unknown-values.ts'

/** A request might succeed later, or the message says how to recover. `/readyz` shows it, so it has no secrets. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  /** Whether the data might have been committed. True only if the connection broke while a commit was under way. */
  readonly mayHaveCommitted: boolean

  constructor(reason: string, options: ErrorOptions & { mayHaveCommitted?: boolean } = {}) {
    super(`The database is not available: ${reason}`, options)
    this.mayHaveCommitted = options.mayHaveCommitted ?? false
  }
}

/** A database can't be copied, backed up or restored. The message explains why, and is shown to the user. */
export class CopyError extends Error {
  override readonly name = 'CopyError'
}

const FOREIGN_KEY_VIOLATION = '23503'
const SQLITE_FOREIGN_KEY = 787

export function isForeignKeyViolation(error: unknown): boolean {
  const isSqlite = isObject(error) && error['errcode'] === SQLITE_FOREIGN_KEY
  return isSqlite || errorCode(error) === FOREIGN_KEY_VIOLATION
}
