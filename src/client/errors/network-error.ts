import { LinkServiceError } from './link-service-error.ts'

/** No answer came: the service was not reached, or the connection broke. */
export class NetworkError extends LinkServiceError {
  /** The system's or undici's code, for example ECONNREFUSED. */
  readonly code: string

  constructor(code: string, { reached, cause }: { reached: boolean; cause?: unknown }) {
    super(
      reached
        ? `The connection to the link service broke before its answer was complete (${code}).`
        : `The link service could not be reached (${code}).`,
      { retryable: true, mayHaveHappened: reached, cause },
    )
    this.code = code
  }
}
