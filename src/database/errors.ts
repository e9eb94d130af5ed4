/**
 * The database can't be used right now: it is away, overloaded, locked, full or read-only. The
 * request may succeed later, without a restart.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  /**
   * Whether the data may have been committed. True only if the connection broke while a commit was
   * under way.
   */
  readonly mayHaveCommitted: boolean

  constructor(reason: string, options: ErrorOptions & { mayHaveCommitted?: boolean } = {}) {
    super(`The database is not available: ${reason}`, options)
    this.mayHaveCommitted = options.mayHaveCommitted ?? false
  }
}
