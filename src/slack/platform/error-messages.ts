import { createRequest, type CreateField } from '../../contract/create-request.ts'
import { conflictKind } from '../../client/conflict.ts'
import { ApiError } from '../../client/errors.ts'
import { LinkServiceError } from '../../client/errors.ts'
import { NetworkError } from '../../client/errors.ts'
import { RateLimitedError } from '../../client/errors.ts'
import { ResponseShapeError } from '../../client/errors.ts'
import { TimeoutError } from '../../client/errors.ts'
import { KeyringError } from '../../workspaces/keyring.ts'
import { DatabaseUnavailableError } from '../../workspaces/write-if-installed.ts'
import { formatCount } from '../../web/numbers.ts'
import { COMMAND } from '../ids.ts'
import { SlackInputError, type FieldError } from './field-errors.ts'
import { NotConnectedError } from './link-service.ts'
import { slackErrorCode } from './slack-client.ts'

/** The parts of a create request that help to explain why it failed. */
export interface FailedCreate {
  back_half?: string | undefined
}

/**
 * Explains an error to the user: what went wrong and what to do next, at the field that caused it if
 * there is one. Never empty.
 *
 * @param request the request, if the link service was asked to create a link
 */
export function explainError(error: unknown, request?: FailedCreate): readonly FieldError[] {
  if (error instanceof SlackInputError) return error.issues
  if (error instanceof NotConnectedError) {
    return general(
      `This workspace isn’t connected to a link service. An admin can connect it with ${COMMAND} connect.`,
    )
  }
  if (error instanceof KeyringError) {
    return general(
      `This workspace’s API key can’t be read anymore. An admin can enter it again with ${COMMAND} connect.`,
    )
  }
  if (error instanceof DatabaseUnavailableError) {
    return general('Backhalf can’t reach its database right now. Try again in a minute.')
  }
  if (error instanceof RateLimitedError) {
    return general(
      `The link service is getting too many requests. Try again in ${duration(error.retryAfterMs)}.`,
    )
  }
  if (error instanceof ApiError) return explainApiError(error, request)
  if (error instanceof TimeoutError) {
    return general(`The link service took too long to answer. ${whatNext(error, request)}`)
  }
  if (error instanceof NetworkError) {
    return general(`The link service can’t be reached right now. ${whatNext(error, request)}`)
  }
  if (error instanceof ResponseShapeError) {
    return general(
      `Backhalf couldn’t understand the link service’s answer. ${whatNext(error, request)} If this keeps happening, ask the person who runs Backhalf to check the service’s address.`,
    )
  }
  if (slackErrorCode(error) === 'missing_scope') {
    return general(
      'This needs a permission that Backhalf doesn’t have in this workspace. An admin can grant it by installing the app again.',
    )
  }
  return general('Something went wrong on our side, and it has been logged. Please try again.')
}

/** Whether the error has its own message above. Any other error belongs in the log. */
export function isExpected(error: unknown): boolean {
  return (
    error instanceof SlackInputError ||
    error instanceof NotConnectedError ||
    error instanceof LinkServiceError
  )
}

function explainApiError(
  error: ApiError,
  request: FailedCreate | undefined,
): readonly FieldError[] {
  switch (error.status) {
    case 401:
      return general(
        `The link service doesn’t accept this workspace’s API key anymore. An admin can enter a new one with ${COMMAND} connect.`,
      )
    case 403:
      return general(
        `The link service refused this: “${error.message}” The person who runs the service can tell you more. An admin can enter another API key with ${COMMAND} connect.`,
      )
    case 409:
      return [explainConflict(error, request)]
    case 400:
    case 422:
      return explainFields(error)
    case 404:
      return general(
        'There is no link service at the address that Backhalf uses. Ask the person who runs Backhalf to check it.',
      )
    default:
      return general(
        `The link service had a problem of its own (error ${error.status}). ${whatNext(error, request)}`,
      )
  }
}

/** The specification has two kinds of 409, and no codes to distinguish them. */
function explainConflict(error: ApiError, request: FailedCreate | undefined): FieldError {
  switch (request && conflictKind(error, request)) {
    case 'back_half':
      return {
        field: 'back_half',
        message: `“${request?.back_half ?? ''}” is taken on this domain. Choose another back-half.`,
      }
    case 'duplicate':
      return {
        field: 'destination_url',
        message: `This destination already has a short link on this domain. ${COMMAND} list shows it.`,
      }
    default:
      return {
        message: `Either the back-half is taken, or this destination already has a short link on this domain. Choose another back-half, or look at ${COMMAND} list.`,
      }
  }
}

/** The service's own messages, at the fields that it names. */
function explainFields(error: ApiError): readonly FieldError[] {
  const issues = Object.entries(error.fieldMessages).map(([field, message]): FieldError =>
    isField(field) ? { field, message } : { message: `${field}: ${message}` },
  )
  return issues.length > 0 ? issues : general(`The link service refused this: “${error.message}”`)
}

function isField(name: string): name is CreateField {
  return Object.hasOwn(createRequest.shape, name)
}

/** After some failures the link may exist, and only the answer was lost. */
function whatNext(
  { mayHaveHappened }: LinkServiceError,
  request: FailedCreate | undefined,
): string {
  return request && mayHaveHappened
    ? `The link may have been created anyway: look at ${COMMAND} list before you try again.`
    : 'Try again in a minute.'
}

/** `1 second`, `90 seconds`, `5 minutes`, `24 hours`. */
function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds <= 120) return formatCount(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 120
    ? formatCount(minutes, 'minute')
    : formatCount(Math.ceil(minutes / 60), 'hour')
}

function general(message: string): readonly FieldError[] {
  return [{ message }]
}
