import { createRequest, type CreateField } from '../contract/create-request.ts'
import { ApiError } from '../client/errors/api-error.ts'
import { LinkServiceError } from '../client/errors/link-service-error.ts'
import { NetworkError } from '../client/errors/network-error.ts'
import { RateLimitedError } from '../client/errors/rate-limited-error.ts'
import { ResponseShapeError } from '../client/errors/response-shape-error.ts'
import { TimeoutError } from '../client/errors/timeout-error.ts'
import { conflictKind } from '../client/conflict.ts'
import { KeyringError } from '../workspaces/keyring-error.ts'
import { AlreadyShortenedError } from './already-shortened-error.ts'
import { count } from './blocks/count.ts'
import { COMMAND } from './ids.ts'
import { SlackInputError, type Fault } from './input/slack-input-error.ts'
import { NotConnectedError } from './not-connected-error.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** As much of a create as tells its faults apart. */
export interface Asked {
  back_half?: string | undefined
}

/**
 * Says in words what went wrong and what to do next, at the field that it belongs to where there
 * is one. Never empty.
 *
 * @param request what was asked of the service, where it was a create
 */
export function explain(error: unknown, request?: Asked): readonly Fault[] {
  if (error instanceof SlackInputError) return error.faults
  if (error instanceof AlreadyShortenedError) {
    const { shortlink_url: url } = error.existing.shortlink
    return [{ field: 'destination_url', message: `This link is shortened already: ${url}` }]
  }
  if (error instanceof NotConnectedError) {
    return whole(
      `This workspace isn’t connected to a link service. An admin can connect it with ${COMMAND} connect.`,
    )
  }
  if (error instanceof KeyringError) {
    return whole(
      `This workspace’s API key can’t be read any more. An admin can enter it again with ${COMMAND} connect.`,
    )
  }
  if (error instanceof RateLimitedError) {
    return whole(
      `The link service gets too many requests just now. Try again in ${duration(error.retryAfterMs)}.`,
    )
  }
  if (error instanceof ApiError) return explainAnswer(error, request)
  if (error instanceof TimeoutError) {
    return whole(`The link service took too long to answer. ${whatNext(error, request)}`)
  }
  if (error instanceof NetworkError) {
    return whole(`The link service can’t be reached just now. ${whatNext(error, request)}`)
  }
  if (error instanceof ResponseShapeError) {
    return whole(
      `The link service’s answer made no sense to me. ${whatNext(error, request)} If it stays so, ask whoever runs Backhalf to check the service’s address.`,
    )
  }
  if (slackErrorCode(error) === 'missing_scope') {
    return whole(
      'Backhalf lacks a permission in this workspace that this needs. An admin can grant it by installing the app again.',
    )
  }
  return whole('Something went wrong on our side, and it has been noted. Please try again.')
}

/** Whether it is one of those that have words of their own: any other belongs into the log. */
export function isForeseen(error: unknown): boolean {
  return [SlackInputError, AlreadyShortenedError, NotConnectedError, LinkServiceError].some(
    (type) => error instanceof type,
  )
}

function explainAnswer(error: ApiError, request: Asked | undefined): readonly Fault[] {
  switch (error.status) {
    case 401:
      return whole(
        `The link service doesn’t accept this workspace’s API key any more. An admin can enter a new one with ${COMMAND} connect.`,
      )
    case 403:
      return whole(
        `The link service refused this: “${error.message}” Whoever runs the service can say more; an admin can enter another API key with ${COMMAND} connect.`,
      )
    case 409:
      return [explainConflict(error, request)]
    case 400:
    case 422:
      return explainFields(error)
    case 404:
      return whole(
        'There is no link service where Backhalf looks for it. Ask whoever runs Backhalf to check the service’s address.',
      )
    default:
      return whole(
        `The link service had a problem of its own (error ${error.status}). ${whatNext(error, request)}`,
      )
  }
}

/** The specification has two kinds of 409 and no codes to tell them apart. */
function explainConflict(error: ApiError, request: Asked | undefined): Fault {
  const backHalf = request?.back_half
  switch (request && conflictKind(error, request)) {
    case 'back_half':
      return {
        field: 'back_half',
        message: `“${backHalf ?? ''}” is taken on this domain. Choose another back-half.`,
      }
    case 'duplicate':
      return {
        field: 'destination_url',
        message: `This link is shortened already on this domain. ${COMMAND} list shows it.`,
      }
    default:
      return {
        message:
          'The back-half is taken, or this link is shortened already on this domain. Choose another back-half, or look at ' +
          `${COMMAND} list.`,
      }
  }
}

/** The service's own words, at the fields that it names. */
function explainFields(error: ApiError): readonly Fault[] {
  const faults = Object.entries(error.fieldMessages).map(([field, message]): Fault =>
    isField(field) ? { field, message } : { message: `${field}: ${message}` },
  )
  return faults.length > 0 ? faults : whole(`The link service refused this: “${error.message}”`)
}

function isField(name: string): name is CreateField {
  return Object.hasOwn(createRequest.shape, name)
}

/** After some failures a create may have happened, and only its answer got lost. */
function whatNext({ mayHaveHappened }: LinkServiceError, request: Asked | undefined): string {
  return request && mayHaveHappened
    ? `The link may have been made all the same: look at ${COMMAND} list before you try again.`
    : 'Try again in a minute.'
}

/** As one says it: `1 second`, `90 seconds`, `5 minutes`, `24 hours`. */
function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds <= 120) return count(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 120 ? count(minutes, 'minute') : count(Math.ceil(minutes / 60), 'hour')
}

function whole(message: string): readonly Fault[] {
  return [{ message }]
}
