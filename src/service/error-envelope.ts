import type { ErrorEnvelope } from '../contract/error-envelope.ts'
import { ServiceError } from './service-error.ts'

/** In place of the framework's words, which speak to programmers of the service. */
const BAD_REQUEST_MESSAGES: Record<number, string> = {
  408: 'The request took too long to arrive.',
  413: 'The request is too large.',
  414: 'The address is too long.',
  415: 'Send the body as multipart/form-data.',
  431: 'The request’s headers are too large.',
}

/** The error envelope of spec §7. */
export function envelopeOf({ message, status, code, details }: ServiceError): ErrorEnvelope {
  return { error: { message, status_code: status, code, ...(details && { details }) } }
}

/**
 * Any error as one that may be shown. The framework's own refusals (413, 415 …) become 400, since
 * the interface knows no other; everything else is an internal error that says nothing more.
 */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const status =
    error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined
  if (status !== undefined && status >= 400 && status < 500) {
    const message = BAD_REQUEST_MESSAGES[status]
    return unreadable(message, error)
  }
  return new ServiceError(
    'INTERNAL_ERROR',
    'Something went wrong in the link service. Try again later.',
    { cause: error },
  )
}

/** BAD_REQUEST, for a request that no rule can look at. */
export function unreadable(message = 'The request can’t be read.', cause?: unknown): ServiceError {
  return new ServiceError('BAD_REQUEST', message, { cause })
}

/** NOT_FOUND, for an address that leads nowhere. */
export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is nothing at this address.')
}
