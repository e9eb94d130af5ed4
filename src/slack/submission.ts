import { setTimeout as sleep } from 'node:timers/promises'
import type { AckFn, ViewResponseAction } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import { isForeseen } from './explain.ts'
import { faultText, type Fault } from './input/slack-input-error.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Slack gives up on an acknowledgement after 3 s; this leaves room for the way there. */
const ACKNOWLEDGE_WITHIN_MS = 2_000

/** An update that overtook the acknowledgement on its way would be drawn over by it. */
const AFTER_ACKNOWLEDGEMENT_MS = 500

/** Pause before an update that Slack did not take is sent again. */
const UPDATE_RETRY_MS = 1_000

/** What a submitted form does, and what it then looks like. */
export interface Submission<T> {
  ack: AckFn<ViewResponseAction>
  client: WebClient
  viewId: string
  /** The fields of the form's inputs, where a fault can be shown, and the block_id of each. */
  blocks: ReadonlyMap<string, string>
  work: () => Promise<T>
  /** Says in words what went wrong, by field. */
  explain: (error: unknown) => readonly Fault[]
  /** Shown while the work takes longer than a form may wait. */
  waiting: ModalView
  /** The form with what was typed and, at its top, why it is here again. */
  redraw: (messages: readonly string[]) => Promise<ModalView>
  /** What the form turns into when the work is done. */
  done: (value: T) => ModalView
  /** Whether it closes instead, where the work is done in time. */
  closesWhenDone: boolean | ((value: T) => boolean)
  logger: Logger
}

/** `shown`: whether the form could still tell the person. */
export type SubmissionOutcome<T> =
  { ok: true; value: T; shown: boolean } | { ok: false; error: unknown; shown: boolean }

/**
 * Runs a form's work and shows in the form how it went. Faults at fields can be shown only in the
 * acknowledgement, so the work races against the clock, and there is one acknowledgement: faults,
 * done, or a view that asks for patience, which is updated later.
 */
export async function answerSubmission<T>(
  form: Submission<T>,
  wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms, undefined, { ref: false }),
): Promise<SubmissionOutcome<T>> {
  const { ack } = form
  const work = form.work().then(
    (value) => ({ ok: true as const, value }),
    (error: unknown) => {
      if (!isForeseen(error)) form.logger.error({ err: error }, 'a submitted form failed')
      return { ok: false as const, error }
    },
  )
  const first = await Promise.race([work, wait(ACKNOWLEDGE_WITHIN_MS).then(() => undefined)])
  if (first?.ok) {
    const { closesWhenDone: closes } = form
    if (typeof closes === 'function' ? closes(first.value) : closes) await ack()
    else await ack({ response_action: 'update', view: form.done(first.value) })
    return { ...first, shown: true }
  }
  if (first) {
    await ack(await refusal(form, form.explain(first.error)))
    return { ...first, shown: true }
  }
  await ack({ response_action: 'update', view: form.waiting })
  const [late] = await Promise.all([work, wait(AFTER_ACKNOWLEDGEMENT_MS)])
  const view = late.ok
    ? form.done(late.value)
    : await form.redraw(form.explain(late.error).map(faultText))
  const shown = await updateView(form, view, wait)
  return { ...late, shown }
}

/** @returns whether the person can see it: not when they have closed the form */
async function updateView<T>(
  { client, viewId, logger }: Submission<T>,
  view: ModalView,
  wait: (ms: number) => Promise<unknown>,
): Promise<boolean> {
  const update = (): Promise<unknown> => client.views.update({ view_id: viewId, view })
  try {
    await update().catch(async (error: unknown) => {
      if (slackErrorCode(error) === 'not_found') throw error
      await wait(UPDATE_RETRY_MS)
      await update()
    })
    return true
  } catch (err) {
    if (slackErrorCode(err) !== 'not_found') logger.error({ err }, 'a form could not be updated')
    return false
  }
}

/** Faults at their fields, if every one of them has a field in this form; else at the top. */
async function refusal<T>(
  form: Submission<T>,
  faults: readonly Fault[],
): Promise<ViewResponseAction> {
  const errors: Record<string, string> = {}
  for (const { field, message } of faults) {
    const block = field && form.blocks.get(field)
    if (block === undefined) {
      const view = await form.redraw(faults.map(faultText))
      return { response_action: 'update', view }
    }
    errors[block] = errors[block] ? `${errors[block]} ${message}` : message
  }
  return { response_action: 'errors', errors }
}
