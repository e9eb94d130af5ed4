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

/** Slack waits 3 s for an acknowledgement. This leaves time for it to arrive. */
const ACKNOWLEDGE_WITHIN_MS = 2_000

/** The pause between an acknowledgement and an update, which would be overwritten if it reached Slack first. */
const AFTER_ACKNOWLEDGEMENT_MS = 500

/** A view, or mrkdwn to show under the form's title. */
type Content = string | ModalView | Promise<ModalView>
type Rebuild = (issues: readonly FieldError[]) => Promise<ModalView>

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
  consequence?: string
  typed?: string
}

/**
 * Does a submitted form's work and shows the outcome in the form. Only the acknowledgement can show errors at their
 * fields, and Slack waits 3 s for it. If the work takes longer, the acknowledgement shows a waiting view, which is
 * updated later. If the user has closed the form, a failure is sent to the conversation.
 * @returns the result, and whether a view was built on top of the form; undefined after a failure
 */
export async function answerForm<T>(
  platform: Platform,
  submission: FormSubmission,
  form: FormAnswer<T>,
): Promise<{ value: T; isPushed: boolean } | undefined> {
  const { ack, caller, view } = submission
  const { clock, logger, replies } = platform
  const rebuildView: Rebuild = async (issues) => formAgain(view, issues.map(fieldErrorText))
  const { rebuild = rebuildView } = form
  const work = form.work().then(
    (value) => ({ value }),
    (error: unknown) => {
      if (!isExpected(error)) logger.error({ err: error }, 'a submitted form failed')
      return { error }
    },
  )
  // A failure is only logged, because the result must be passed on even if the socket to Slack has just been lost.
  const acknowledge = (answer?: ViewResponseAction): Promise<void> =>
    (answer ? ack(answer) : ack()).catch((err: unknown) => {
      logger.error({ err }, 'a submitted form could not be acknowledged')
    })
  const toView = async (content: Content): Promise<ModalView> =>
    typeof content === 'string' ? noticeModal(view.title.text, content) : content
  const showInstead = async (content: Content): Promise<void> =>
    acknowledge({ response_action: 'update', view: await toView(content) })
  const early = (await within(clock, ACKNOWLEDGE_WITHIN_MS, work))?.value
  if (early && 'value' in early) {
    const { value } = early
    const { closesWhenDone: closes } = form
    const pushed = form.push?.(value)
    const isClosing = typeof closes === 'function' ? closes(value) : closes
    await Promise.all([
      pushed
        ? acknowledge({ response_action: 'push', view: pushed })
        : isClosing
          ? acknowledge()
          : showInstead(form.done(value)),
      form.passOn?.(value),
    ])
    return { value, isPushed: pushed !== undefined }
  }
  if (early) {
    await ack(await refusal(view, explainError(early.error, form.request), rebuild))
    return undefined
  }

  await showInstead(form.waiting)
  const acknowledged = clock.sleep(AFTER_ACKNOWLEDGEMENT_MS)
  const late = await work
  if ('value' in late) {
    const { value } = late
    await Promise.all([
      acknowledged.then(() => updateForm(platform, submission, () => toView(form.done(value)))),
      form.passOn?.(value),
    ])
    return { value, isPushed: false }
  }
  await acknowledged
  const issues = explainError(late.error, form.request)
  const isShown = await updateForm(platform, submission, () => rebuild(issues))
  if (!isShown) {
    const { consequence, target = submission.target, typed } = form
    const messages = issues.map(fieldErrorText)
    const all = consequence ? [...messages, consequence] : messages
    await replies.send(caller.client, privateTarget(target), problemMessage(all, { typed }))
  }
  return undefined
}

/**
 * Lets Slack show the errors at their inputs. If one has no input, or if the form shows a warning that no longer
 * applies, the form is built again instead, because Slack changes nothing else in it.
 */
async function refusal(
  view: FormSubmission['view'],
  issues: readonly FieldError[],
  rebuild: Rebuild,
): Promise<ViewResponseAction> {
  const blocks = view.blocks as KnownBlock[]
  if (hasOutdatedWarning(blocks, issues)) {
    return { response_action: 'update', view: await rebuild(issues) }
  }
  const blockIds = new Map(
    blocks.flatMap(({ type, block_id: id }) =>
      type === 'input' && id ? [[parseFieldBlockId(id), id]] : [],
    ),
  )
  const errors: Record<string, string> = {}
  for (const { field, message } of issues) {
    const blockId = field && blockIds.get(field)
    if (blockId === undefined) {
      return { response_action: 'update', view: await rebuild(issues) }
    }
    errors[blockId] = errors[blockId] ? `${errors[blockId]} ${message}` : message
  }
  return { response_action: 'errors', errors }
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
