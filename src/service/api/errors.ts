import type { z } from 'zod'
import type { ErrorCode } from '../../contract/error-envelope.ts'

/** The HTTP status of each code (spec §7). */
export const STATUS: Record<ErrorCode, number> = {
  BAD_REQUEST: 400,
  AUTHENTICATION_REQUIRED: 401,
  PERMISSION_DENIED: 403,
  FEATURE_LIMIT_EXCEEDED: 403,
  NOT_FOUND: 404,
  DUPLICATE_DESTINATION_URL: 409,
  BACK_HALF_CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  VALIDATION_ERROR: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
}

/** An error that is sent to the client, including its message and details. */
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
    this.status = STATUS[code]
    this.details = options.details
  }
}

/** BAD_REQUEST, for a request that is too broken to validate. */
export function badRequest(message = 'The request can’t be read.', cause?: unknown): ServiceError {
  return new ServiceError('BAD_REQUEST', message, { cause })
}

/** NOT_FOUND, for a path that does not exist. */
export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is nothing at this address.')
}

/** NOT_FOUND, for a link that does not exist, is deleted, or that the API key can't reach. */
export function linkNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'Your API key has no shortlink with this name.')
}

/** Longest name of an unknown field that a response repeats, in characters. */
const MAX_NAME_LENGTH = 100

/** Collects the errors of a request's fields, so that one response reports all of them. */
export interface FieldErrors {
  add(field: string, message: string): void
  has(field: string): boolean
  isEmpty(): boolean
  /** VALIDATION_ERROR with details like `{fields: {back_half: ['message', …]}}`. */
  toError(): ServiceError
  /** @throws ServiceError as `toError`, if there are errors */
  throwIfAny(): void
}

export function createFieldErrors(): FieldErrors {
  const messages = new Map<string, string[]>()
  const toError = (): ServiceError => {
    const names = [...messages.keys()].join(', ')
    return new ServiceError('VALIDATION_ERROR', `Some fields are invalid: ${names}.`, {
      details: { fields: Object.fromEntries(messages) },
    })
  }
  return {
    add(field, message) {
      const name = field.slice(0, MAX_NAME_LENGTH)
      const earlier = messages.get(name) ?? []
      if (!earlier.includes(message)) messages.set(name, [...earlier, message])
    },
    has: (field) => messages.has(field),
    isEmpty: () => messages.size === 0,
    toError,
    throwIfAny() {
      if (messages.size > 0) throw toError()
    },
  }
}

/**
 * Parses a query.
 *
 * @param rules what each parameter must be
 * @throws ServiceError VALIDATION_ERROR with every invalid or unknown parameter
 */
export function parseQuery<T>(
  schema: z.ZodType<T>,
  query: unknown,
  rules: ReadonlyMap<string, string>,
): T {
  const parsed = schema.safeParse(query)
  if (parsed.success) return parsed.data
  const errors = createFieldErrors()
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const name of issue.keys) errors.add(name, 'This parameter does not exist.')
      continue
    }
    const name = String(issue.path[0])
    errors.add(name, rules.get(name) ?? issue.message)
  }
  throw errors.toError()
}
