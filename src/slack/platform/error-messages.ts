import { CONFLICTS, failureOf, LinkServiceError, type Failure } from '../../port/failures.ts'
import { currentRequestId } from '../../http/request-context.ts'
import type { LinkServiceCall } from '../../metrics/app-metrics.ts'
import { dayOf } from '../../timing/days.ts'
import { formatCount } from '../../web/numbers.ts'
import { NotConnectedError } from '../../workspaces/connection.ts'
import { KeyringError } from '../../workspaces/keyring.ts'
import { DatabaseUnavailableError } from '../../workspaces/write-if-installed.ts'
import { isField } from '../block-kit/fields.ts'
import { cut, escape } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import { errorsAt, fieldErrorText, SlackInputError, type FieldError } from './field-errors.ts'
import { isTemporary, slackErrorCode } from './slack-errors.ts'

export function explainError(error: unknown): readonly FieldError[] {
  const explained = explain(error)
  return typeof explained === 'string' ? [{ message: explained }] : explained
}

type Explanation = string | readonly FieldError[]

function explain(error: unknown): Explanation {
  if (error instanceof SlackInputError) return error.issues
  if (error instanceof NotConnectedError) {
    return `This workspace isn’t connected to a link service. Admins can connect it with ${COMMAND} connect.`
  }
  if (error instanceof KeyringError) {
    return `This workspace’s API key can’t be read anymore. An admin can replace it with ${COMMAND} connect.`
  }
  if (error instanceof DatabaseUnavailableError) {
    return 'Backhalf can’t reach its database right now. Try again in a minute.'
  }
  if (error instanceof LinkServiceError) return explainFailure(error)
  if (slackErrorCode(error) === 'missing_scope') {
    return 'This needs a permission that Backhalf doesn’t have in this workspace. An admin can grant it by installing the app again.'
  }
  if (isTemporary(error)) return 'Slack couldn’t do what Backhalf asked for. Try again in a minute.'
  return withRequestId(
    'Something went wrong on our side, and it has been logged. Please try again.',
  )
}

export function deletedText(link: string, deletedAt: number): string {
  return `${link} was deleted on ${dayOf(deletedAt)} (UTC). Its back-half stays reserved, so that no other link gets it.`
}

export function errorTexts(error: unknown): string[] {
  return explainError(error).map(fieldErrorText)
}

export function errorMrkdwn(error: unknown): string {
  return escape(errorTexts(error).join('\n'))
}

/** True for errors that need no log line: in the user's input, or of a call to the link service, which is logged. */
export function isExpected(error: unknown): boolean {
  return (
    error instanceof SlackInputError ||
    error instanceof NotConnectedError ||
    error instanceof LinkServiceError
  )
}

/** True if the link service doesn't create this link, but might create it with other input. */
export function isRefusedInput(error: unknown): boolean {
  return failureOf(error, ...CONFLICTS, 'invalid', 'refused', 'uncertain') !== undefined
}

function explainFailure(error: LinkServiceError): Explanation {
  const { failure } = error
  switch (failure.kind) {
    case 'unauthorized':
      return `The link service doesn’t accept this workspace’s API key anymore. An admin can replace it with ${COMMAND} connect.`
    case 'not_permitted':
      // Another key might have the permission.
      return `${refusalText(error)} ${ASK_OPERATOR} An admin can replace the API key with ${COMMAND} connect.`
    case 'quota':
    case 'forbidden':
      return `${refusalText(error)} ${ASK_OPERATOR}`
    case 'duplicate':
    case 'back_half_taken':
    case 'conflict':
      // If the user didn't create a link but, for example, turned one off, there is no input to correct.
      return error.call === 'create'
        ? [explainConflict(error, failure)]
        : `${refusalText(error)} Look at ${COMMAND} list to see how the link is now, then try again.`
    case 'invalid':
      return explainFields(failure.fields) ?? refusalWithAdvice(error)
    case 'gone':
      return failure.deletedAt === undefined
        ? `The link service doesn’t have this link anymore. It was probably deleted: look at ${COMMAND} list.`
        : deletedText('This short link', failure.deletedAt)
    case 'changed':
      return 'Not saved: this link changed since you opened it. Reopen it to see the latest version.'
    case 'busy':
      return `The link service is getting too many requests. Try again in ${waitingTime(failure.retryAfterMs)}.`
    case 'refused':
      return refusalWithAdvice(error)
    case 'wrong_address':
      return failure.redirects
        ? `The link service’s address redirects to another one${statusText(error)}. Ask the person who runs Backhalf to check it.`
        : 'There is no link service at the address that Backhalf uses. Ask the person who runs Backhalf to check it.'
    case 'failed':
      return withRequestId(`The link service failed${statusText(error)}. ${nextStep(error)}`)
    case 'unreachable':
      return `The link service can’t be reached right now. ${nextStep(error)}`
    case 'timeout':
      return failure.phase === 'unsent'
        ? 'The link service is responding slowly, so this wasn’t sent. Try again in a minute.'
        : `The link service took too long to respond. ${nextStep(error)}`
    case 'unreadable':
      return withRequestId(
        `Backhalf couldn’t understand the link service’s response. ${nextStep(error)} If this keeps happening, ask the person who runs Backhalf to check the service’s address.`,
      )
    case 'uncertain':
      return errorsAt(
        'destination_url',
        `The link service’s response got lost, but this destination has a short link, which you can use: ${failure.link.shortlink_url}`,
      )
  }
}

function statusText({ status }: LinkServiceError): string {
  return status === undefined ? '' : ` (error ${status})`
}

function refusalText(error: LinkServiceError): string {
  const words = serviceWords(error)
  const end = /[.!?…]$/.test(words) ? '' : '.'
  return words
    ? `The link service refused this: “${words}”${end}`
    : `The link service refused this without saying why${statusText(error)}.`
}

const ASK_OPERATOR = 'The person who runs the link service can tell you more.'

function refusalWithAdvice(error: LinkServiceError): string {
  return error.call === 'create'
    ? `${refusalText(error)} Change something and try again. If that doesn’t help, ask the person who runs the link service.`
    : `${refusalText(error)} ${ASK_OPERATOR}`
}

const MAX_WORDS = 300

export function serviceWords({ explanation }: Pick<LinkServiceError, 'explanation'>): string {
  return cut((explanation ?? '').replace(/\s+/g, ' ').trim(), MAX_WORDS)
}

export function explainConflict(
  error: LinkServiceError,
  failure: Extract<Failure, { kind: 'duplicate' | 'back_half_taken' | 'conflict' }>,
): FieldError {
  const words = serviceWords(error)
  const quote = words && ` The link service says: “${words}”`
  switch (failure.kind) {
    case 'back_half_taken': {
      const why =
        failure.deletedAt === undefined
          ? 'This back-half is taken on this domain.'
          : deletedText('A link with this back-half', failure.deletedAt)
      return { field: 'back_half', message: `${why} Choose another back-half.${quote}` }
    }
    case 'duplicate':
      return {
        field: 'destination_url',
        message: `This destination already has a short link on this domain, but Backhalf couldn’t find it. Look for it with ${COMMAND} list, or ask the person who runs the link service.${quote}`,
      }
    case 'conflict':
      return {
        message: `Either the back-half is taken, or this destination already has a short link on this domain. Choose another back-half, or look at ${COMMAND} list.${quote}`,
      }
  }
}

function explainFields(fields: Readonly<Record<string, string>>): FieldError[] | undefined {
  const issues = Object.entries(fields).map(([field, message]) =>
    isField(field) ? { field, message } : { message: `${field}: ${message}` },
  )
  return issues.length > 0 ? issues : undefined
}

const PAST_TENSE: { [Call in LinkServiceCall]?: string } = {
  create: 'created',
  update: 'changed',
  remove: 'deleted',
}

/** Says what to do next. If the change might have been made despite the error, the user should look before retrying. */
function nextStep({ call, mayHaveHappened }: LinkServiceError): string {
  const change = call && mayHaveHappened && PAST_TENSE[call]
  return change
    ? `The link might have been ${change} anyway: look at ${COMMAND} list before you try again.`
    : 'Try again in a minute.'
}

function withRequestId(message: string): string {
  const id = currentRequestId()
  return id === undefined ? message : `${message} Request ID: ${id}.`
}

function waitingTime(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  const hours = Math.ceil(minutes / 60)
  if (minutes <= 1) return 'a minute'
  if (hours <= 2) return formatCount(minutes, 'minute')
  if (hours <= 48) return `about ${formatCount(hours, 'hour')}`
  return `about ${formatCount(Math.ceil(hours / 24), 'day')}`
}
