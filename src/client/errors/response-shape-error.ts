import { LinkServiceError } from './link-service-error.ts'

/** The service answered with success, but with something else than the specification says. */
export class ResponseShapeError extends LinkServiceError {
  readonly status: number

  constructor(status: number, found: string, cause?: unknown) {
    super(`The link service answered ${status} with ${found}.`, {
      retryable: false,
      mayHaveHappened: true,
      cause,
    })
    this.status = status
  }
}
