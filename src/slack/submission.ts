import { setTimeout as sleep } from 'node:timers/promises'
import type { AckFn, ViewResponseAction } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { Fault } from './input/slack-input-error.ts'

/** Slack gives up on an acknowledgement after 3 s; this leaves room for the way there. */
const ACKNOWLEDGE_WITHIN_MS = 2_000

/** What a submitted form does, and what it then looks like. */
export interface Submission<T> {
  ack: AckFn<ViewResponseAction>
  client: WebClient
  viewId: string
  /** block_ids of the form's inputs: the places where a fault can be shown. */
  blocks: ReadonlySet<string>
  work: () => Promise<T>
  /** Says in words what went wrong, by field. */
  explain: (error: unknown) => readonly Fault[]
  /** Shown while the work takes longer than a form may wait. */
  waiting: ModalView
  /** The form with what was typed and, at its top, why it is here again. */
  redraw: (messages: readonly string[]) => Promise<ModalView>
  /** What the form turns into when the work is done; absent: it closes, unless it was waiting. */
  done: (value: T) => ModalView
  closesWhenDone: boolean
}

export type SubmissionOutcome<T> =
  | { ok: true; value: T }
  /** `shown`: whether the form could still tell the person. */
  | { ok: false; error: unknown; shown: boolean }

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
    (error: unknown) => ({ ok: false as const, error }),
  )
  const first = await Promise.race([work, wait(ACKNOWLEDGE_WITHIN_MS).then(() => undefined)])
  if (first?.ok) {
    if (form.closesWhenDone) await ack()
    else await ack({ response_action: 'update', view: form.done(first.value) })
    return first
  }
  if (first) {
    await ack(await refusal(form, form.explain(first.error)))
    return { ...first, shown: true }
  }
  await ack({ response_action: 'update', view: form.waiting })
  const late = await work
  const view = late.ok
    ? form.done(late.value)
    : await form.redraw(form.explain(late.error).map(({ message }) => message))
  const shown = await form.client.views.update({ view_id: form.viewId, view }).then(
    () => true,
    () => false, // The person closed it: the caller tells them elsewhere.
  )
  return late.ok ? late : { ...late, shown }
}

/** Faults at their fields, if every one of them has a field in this form; else at the top. */
async function refusal<T>(
  form: Submission<T>,
  faults: readonly Fault[],
): Promise<ViewResponseAction> {
  const errors: Record<string, string> = {}
  for (const { field, message } of faults) {
    if (field === undefined || !form.blocks.has(field)) {
      const view = await form.redraw(faults.map((one) => one.message))
      return { response_action: 'update', view }
    }
    errors[field] = errors[field] ? `${errors[field]} ${message}` : message
  }
  return { response_action: 'errors', errors }
}
