import type { ViewResponseAction } from '@slack/bolt'
import type { KnownBlock, ModalView } from '@slack/types'
import { within } from '../../timing/clock.ts'
import { parseFieldBlockId } from '../block-kit/fields.ts'
import { noticeModal, problemMessage } from '../block-kit/notices.ts'
import { privateTarget, type ReplyTarget } from './caller.ts'
import { explainError, isExpected, type FailedCreate } from './error-messages.ts'
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
  waiting: Content
  /** Builds the form again, with what the user typed and with the errors; by default, `formAgain`. */
  rebuild?: Rebuild
  done: (value: T) => Content
  push?: (value: T) => ModalView | undefined
  closesWhenDone: boolean | ((value: T) => boolean)
  /** Sends the result to the user without waiting for the update of the form, which might hang or fail. */
  passOn?: (value: T) => Promise<unknown>
  request?: FailedCreate
  target?: ReplyTarget
  consequence?: string // added to an error that is sent to the conversation
  typed?: string
}

interface FormResult<T> {
  value: T
  isPushed: boolean // a view was opened on top of the form
}

type Rebuild = (issues: readonly FieldError[]) => Promise<ModalView>

type Outcome<T> = { value: T } | { error: unknown }

/**
 * Does a submitted form's work and shows the outcome in the form. Only the acknowledgement can show errors at their
 * fields, and Slack waits 3 s for it. If the work takes longer, the acknowledgement shows a waiting view, which is
 * updated later. If the user has closed the form by then, an error is sent to the conversation.
 * @returns undefined if the work failed. The user has then seen the error
 */
export async function answerForm<T>(
  platform: Platform,
  submission: FormSubmission,
  form: FormAnswer<T>,
): Promise<FormResult<T> | undefined> {
  const { clock, logger, replies } = platform
  const { caller, view } = submission
  const work = form.work().then(
    (value) => ({ value }),
    (error: unknown) => {
      if (!isExpected(error)) logger.error({ err: error }, 'a submitted form failed')
      return { error }
    },
  )
  const rebuild: Rebuild =
    form.rebuild ?? (async (issues) => formAgain(view, issues.map(fieldErrorText)))
  const finished = await within(clock, ACKNOWLEDGE_WITHIN_MS, work)
  if (finished) return acknowledgeOutcome(platform, submission, form, rebuild, finished.value)

  const waitingView = await toView(view, form.waiting)
  await acknowledge(platform, submission, { response_action: 'update', view: waitingView })
  const canUpdate = clock.sleep(AFTER_ACKNOWLEDGEMENT_MS)
  const outcome = await work
  if ('value' in outcome) {
    const { value } = outcome
    await Promise.all([
      canUpdate.then(() => updateForm(platform, submission, () => toView(view, form.done(value)))),
      form.passOn?.(value),
    ])
    return { value, isPushed: false }
  }
  await canUpdate
  const issues = explainError(outcome.error, form.request)
  const isShown = await updateForm(platform, submission, () => rebuild(issues))
  if (!isShown) {
    const { consequence, target = submission.target, typed } = form
    const messages = issues.map(fieldErrorText)
    const texts = consequence ? [...messages, consequence] : messages
    await replies.send(caller.client, privateTarget(target), problemMessage(texts, { typed }))
  }
  return undefined
}

async function acknowledgeOutcome<T>(
  platform: Platform,
  submission: FormSubmission,
  form: FormAnswer<T>,
  rebuild: Rebuild,
  outcome: Outcome<T>,
): Promise<FormResult<T> | undefined> {
  const { ack, view } = submission
  if ('error' in outcome) {
    await ack(await errorResponse(view, explainError(outcome.error, form.request), rebuild))
    return undefined
  }
  const { value } = outcome
  const { closesWhenDone } = form
  const pushedView = form.push?.(value)
  const response = async (): Promise<ViewResponseAction | undefined> => {
    if (pushedView) return { response_action: 'push', view: pushedView }
    if (typeof closesWhenDone === 'function' ? closesWhenDone(value) : closesWhenDone) {
      return undefined
    }
    return { response_action: 'update', view: await toView(view, form.done(value)) }
  }
  await Promise.all([
    response().then((answer) => acknowledge(platform, submission, answer)),
    form.passOn?.(value),
  ])
  return { value, isPushed: pushedView !== undefined }
}

/** Logs a failed acknowledgement, so that the result is passed on even if the socket to Slack has just been lost. */
async function acknowledge(
  { logger }: Platform,
  { ack }: FormSubmission,
  response: ViewResponseAction | undefined,
): Promise<void> {
  await (response ? ack(response) : ack()).catch((err: unknown) => {
    logger.error({ err }, 'a submitted form could not be acknowledged')
  })
}

async function toView({ title }: FormSubmission['view'], content: Content): Promise<ModalView> {
  return typeof content === 'string' ? noticeModal(title.text, content) : content
}

/**
 * Lets Slack show the errors at their inputs. If one has no input, or if the form shows a warning that no longer
 * applies, the form is built again instead, because Slack changes nothing else in it.
 */
async function errorResponse(
  view: FormSubmission['view'],
  issues: readonly FieldError[],
  rebuild: Rebuild,
): Promise<ViewResponseAction> {
  const errors = errorsByInput(view, issues)
  if (!errors || hasOutdatedWarning(view.blocks as KnownBlock[], issues)) {
    return { response_action: 'update', view: await rebuild(issues) }
  }
  return { response_action: 'errors', errors }
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

async function updateForm(
  { logger, views }: Platform,
  { caller, view: { id: view_id } }: FormSubmission,
  build: () => Promise<ModalView>,
): Promise<boolean> {
  try {
    return await views.update(caller, { view_id }, await build())
  } catch (err) {
    logger.error({ err }, 'a form could not be updated')
    return false
  }
}
