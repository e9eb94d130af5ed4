import type { z } from 'zod'
import { ERROR_STATUS, type ErrorCode, type ErrorEnvelope } from '../../contract/error-envelope.ts'
import { DatabaseUnavailableError } from '../../database/errors.ts'
import { OverloadedError } from '../../http/limits.ts'
import { FieldErrors } from '../store/field-errors.ts'

/** An error that the API reports to its client. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: Record<string, unknown> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = ERROR_STATUS[code]
    this.details = options.details
  }
}

export function badRequest(message = 'The request can’t be read.', cause?: unknown): ServiceError {
  return new ServiceError('BAD_REQUEST', message, { cause })
}

export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is nothing at this address.')
}

/** A link that doesn't exist and one that the API key can't reach cause the same error, so that it reveals no links. */
export function linkNotFound(deletedAt?: number): ServiceError {
  return new ServiceError('NOT_FOUND', 'Your API key has no shortlink with this name.', {
    ...(deletedAt !== undefined && { details: deletedAtDetails(deletedAt) }),
  })
}

export function deletedAtDetails(deletedAt: number | null | undefined) {
  return typeof deletedAt === 'number' ? { deleted_at: new Date(deletedAt).toISOString() } : {}
}

/** The details are like `{fields: {back_half: ['message', …]}}`. */
export function invalidFields(errors: FieldErrors): ServiceError {
  const fields = errors.lists()
  const names = Object.keys(fields).join(', ')
  return new ServiceError('VALIDATION_ERROR', `Some fields are invalid: ${names}.`, {
    details: { fields },
  })
}

export function fieldError(field: string, message: string): ServiceError {
  const errors = new FieldErrors()
  errors.add(field, message)
  return invalidFields(errors)
}

/**
 * @param rules have descriptions that replace the schema's messages about some parameters
 * @throws ServiceError VALIDATION_ERROR, one error for all invalid parameters
 */
export function parseQuery<T>(
  schema: z.ZodType<T>,
  query: unknown,
  rules: Partial<Record<string, { description?: string | undefined }>> = {},
): T {
  const parsed = schema.safeParse(query)
  if (parsed.success) return parsed.data
  const errors = new FieldErrors()
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const name of issue.keys) errors.add(name, 'This parameter does not exist.')
      continue
    }
    const name = String(issue.path[0])
    errors.add(name, rules[name]?.description ?? issue.message)
  }
  throw invalidFields(errors)
}

// These replace Fastify's messages, which are written for the developers of a server.
const BAD_REQUEST_MESSAGES: Record<number, string> = {
  413: 'The request is too large.',
  414: 'The URL is too long.',
  415: 'Send the body as multipart/form-data.',
}

export function toEnvelope({ message, status, code, details }: ServiceError): ErrorEnvelope {
  return { error: { message, status_code: status, code, ...(details && { details }) } }
}

/**
 * Turns any error into one that the API can report. Fastify's own client errors (413, 415 …) become 400, because the
 * specification has no such statuses. If the database is unavailable and nothing was committed, the error is a 503. All
 * other errors become an internal error without details.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof OverloadedError) {
    return new ServiceError('SERVICE_UNAVAILABLE', error.message)
  }
  if (error instanceof DatabaseUnavailableError && !error.mayHaveCommitted) {
    return new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The link service’s database is not available right now. Try again in a few seconds.',
      { cause: error },
    )
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : NaN
  if (status >= 400 && status < 500) {
    return badRequest(BAD_REQUEST_MESSAGES[status], error)
  }
  return new ServiceError(
    'INTERNAL_ERROR',
    'Something went wrong in the link service. Try again later.',
    { cause: error },
  )
}
