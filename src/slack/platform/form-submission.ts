import type { ViewResponseAction } from '@slack/bolt'
import type { KnownBlock, ModalView } from '@slack/types'
import { within } from '../../timing/clock.ts'
import { present } from '../block-kit/elements.ts'
import { parseFieldBlockId } from '../block-kit/fields.ts'
import { noticeModal, problemMessage } from '../block-kit/notices.ts'
import { privateTarget, type ReplyTarget } from './caller.ts'
import { explainError, isExpected } from './error-messages.ts'
import { fieldErrorText, hasOutdatedWarning, type FieldError } from './field-errors.ts'
import { formAgain } from './form-values.ts'
import type { FormSubmission } from './listeners.ts'
import type { Platform } from './platform.ts'

const ACKNOWLEDGE_WITHIN_MS = 2_000 // Slack waits 3 s. The last second is for the network.

/** The pause between an acknowledgement and an update, which would be overwritten if it reached Slack first. */
const AFTER_ACKNOWLEDGEMENT_MS = 500

/** A view, or mrkdwn to show under the form's title. */
type Content = string | ModalView | Promise<ModalView>

export interface FormAnswer<T> {
  work: () => Promise<T>
  waiting: string
  /** Builds the form again, with what the user typed and with the errors; by default, `formAgain`. */
  rebuild?: (issues: readonly FieldError[]) => Promise<ModalView>
  done: (value: T) => Content
  /** A view to open on top of the form, unless the form already shows that it is waiting. */
  push?: (value: T) => ModalView | undefined
  closesWhenDone?: boolean | ((value: T) => boolean) // by default, false
  /** Sends the result to the user without waiting for the update of the form, which might hang or fail. */
  passOn?: (value: T, isPushed: boolean) => Promise<unknown>
  target?: ReplyTarget
  consequence?: string // added to an error that is sent to the conversation
  typed?: string
}

type Outcome<T> = { value: T } | { issues: readonly FieldError[] }

/**
 * Does a submitted form's work and shows the outcome in the form. Only the acknowledgement can show errors at their
 * fields, and Slack waits 3 s for it. If the work takes longer, the form shows that it is waiting, and is updated later.
 * If the user has closed it by then, an error is sent to the conversation. @returns false if the work failed
 */
export async function answerForm<T>(
  platform: Platform,
  submission: FormSubmission,
  form: FormAnswer<T>,
): Promise<boolean> {
  const { clock, logger } = platform
  const work = form.work().then(
    (value): Outcome<T> => ({ value }),
    (error: unknown): Outcome<T> => {
      if (!isExpected(error)) logger.error({ err: error }, 'a submitted form failed')
      return { issues: explainError(error) }
    },
  )
  const inTime = await within(clock, ACKNOWLEDGE_WITHIN_MS, work)
  await (inTime
    ? acknowledgeOutcome(platform, submission, form, inTime.value)
    : showWhenDone(platform, submission, form, work))
  return 'value' in (await work)
}

async function acknowledgeOutcome<T>(
  platform: Platform,
  submission: FormSubmission,
  form: FormAnswer<T>,
  outcome: Outcome<T>,
): Promise<void> {
  if ('issues' in outcome) {
    return submission.ack(await errorResponse(submission, form, outcome.issues))
  }
  const { value } = outcome
  const { closesWhenDone } = form
  const pushedView = form.push?.(value)
  const response = async (): Promise<ViewResponseAction | undefined> => {
    if (pushedView) return { response_action: 'push', view: pushedView }
    const closes = typeof closesWhenDone === 'function' ? closesWhenDone(value) : closesWhenDone
    if (closes) return undefined
    return { response_action: 'update', view: await toView(submission, form.done(value)) }
  }
  await Promise.all([
    response().then((answer) => acknowledge(platform, submission, answer)),
    form.passOn?.(value, pushedView !== undefined),
  ])
}

async function showWhenDone<T>(
  platform: Platform,
  submission: FormSubmission,
  form: FormAnswer<T>,
  work: Promise<Outcome<T>>,
): Promise<void> {
  const { clock, logger, replies, views } = platform
  const { caller, view } = submission
  const waitingView = await toView(submission, form.waiting)
  await acknowledge(platform, submission, { response_action: 'update', view: waitingView })
  const canUpdate = clock.sleep(AFTER_ACKNOWLEDGEMENT_MS)
  const update = async (build: () => Promise<ModalView>): Promise<boolean> => {
    await canUpdate
    try {
      return await views.update(caller, { view_id: view.id }, await build())
    } catch (err) {
      logger.error({ err }, 'a form could not be updated')
      return false
    }
  }
  const outcome = await work
  if ('value' in outcome) {
    const { value } = outcome
    const showDone = update(() => toView(submission, form.done(value)))
    await Promise.all([showDone, form.passOn?.(value, false)])
    return
  }
  const { issues } = outcome
  if (await update(() => rebuild(submission, form, issues))) return
  const { consequence, target = submission.target, typed } = form
  const message = problemMessage(present([...issues.map(fieldErrorText), consequence]), { typed })
  await replies.send(caller.client, privateTarget(target), message)
}

/** Logs a failed acknowledgement, so that the result is passed on even if the socket to Slack has just been lost. */
async function acknowledge(
  { logger }: Platform,
  { ack }: FormSubmission,
  response: ViewResponseAction | undefined,
): Promise<void> {
  await ack(response).catch((err: unknown) => {
    logger.error({ err }, 'a submitted form could not be acknowledged')
  })
}

async function toView({ view }: FormSubmission, content: Content): Promise<ModalView> {
  return typeof content === 'string' ? noticeModal(view.title.text, content) : content
}

async function rebuild<T>(
  { view }: FormSubmission,
  form: FormAnswer<T>,
  issues: readonly FieldError[],
): Promise<ModalView> {
  return form.rebuild?.(issues) ?? formAgain(view, issues.map(fieldErrorText))
}

async function errorResponse<T>(
  submission: FormSubmission,
  form: FormAnswer<T>,
  issues: readonly FieldError[],
): Promise<ViewResponseAction> {
  const { view } = submission
  const errors = errorsByInput(view, issues)
  // Slack shows errors at their inputs, but changes nothing else in the form, such as a warning that no longer applies.
  return errors && !hasOutdatedWarning(view.blocks as KnownBlock[], issues)
    ? { response_action: 'errors', errors }
    : { response_action: 'update', view: await rebuild(submission, form, issues) }
}

/** @returns undefined if an error belongs to no input of the form */
function errorsByInput(
  { blocks }: FormSubmission['view'],
  issues: readonly FieldError[],
): Record<string, string> | undefined {
  const inputs = blocks.filter(({ type }) => type === 'input')
  const errors: Record<string, string> = {}
  for (const { field, message } of issues) {
    const id = inputs.find(({ block_id: id = '' }) => parseFieldBlockId(id) === field)?.block_id
    if (id === undefined) return undefined
    errors[id] = errors[id] ? `${errors[id]} ${message}` : message
  }
  return errors
}
