import type { ErrorCode } from '../contract/error-envelope.ts'

/** The status that each code travels with (spec §7). */
export const STATUS: Record<ErrorCode, number> = {
  BAD_REQUEST: 400,
  AUTHENTICATION_REQUIRED: 401,
  PERMISSION_DENIED: 403,
  FEATURE_LIMIT_EXCEEDED: 403,
  NOT_FOUND: 404,
  DUPLICATE_DESTINATION_URL: 409,
  BACK_HALF_CONFLICT: 409,
  VALIDATION_ERROR: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
}

/** A refusal in the interface's own words. Whoever asked may read all of it. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Record<string, unknown> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.status = STATUS[code]
    this.details = options.details
  }
}
