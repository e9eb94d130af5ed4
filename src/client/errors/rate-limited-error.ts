import { ApiError, type ApiFault } from './api-error.ts'

/** The service asked us to slow down (429, spec §8). */
export class RateLimitedError extends ApiError {
  /** How long to wait, in milliseconds, as the service's Retry-After says. */
  readonly retryAfterMs: number

  constructor(fault: ApiFault, retryAfterMs: number) {
    super(fault)
    this.retryAfterMs = retryAfterMs
  }
}
