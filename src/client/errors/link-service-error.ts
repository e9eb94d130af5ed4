/** What a failed call says besides its message. */
export interface FailureOptions {
  /** Whether the same call may succeed when it is made again. */
  retryable: boolean
  /** Whether a create may have happened at the service all the same. */
  mayHaveHappened: boolean
  cause?: unknown
}

/**
 * A call to the link service that failed. Neither it nor its cause holds the API key, a header,
 * a body or an address with a query: it may be logged.
 */
export abstract class LinkServiceError extends Error {
  readonly retryable: boolean
  readonly mayHaveHappened: boolean

  constructor(message: string, { retryable, mayHaveHappened, cause }: FailureOptions) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.retryable = retryable
    this.mayHaveHappened = mayHaveHappened
  }
}
