import type { HomeView, ModalView } from '@slack/types'
import type { Logger } from 'pino'
import type { Clock } from '../../timing/clock.ts'
import { escape } from '../block-kit/mrkdwn.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { Caller } from './caller.ts'
import { explainError } from './error-messages.ts'
import { fieldErrorText, SlackInputError } from './field-errors.ts'
import { patiently } from './slack-client.ts'
import { slackErrorCode } from './slack-errors.ts'

/** The view to update: by its ID, or by the `external_id` that the app gave it. */
export type ViewRef = { view_id: string; hash?: string } | { external_id: string }

/** Opens and updates modals. */
export interface Views {
  /** @returns the view's ID */
  open(caller: Caller, triggerId: string, view: ModalView): Promise<string>
  /**
   * Puts a modal on top of the one that the user clicked in. Slack allows a stack of three. A second
   * click on the same button would exceed that, and is ignored.
   */
  push(caller: Caller, triggerId: string, view: ModalView): Promise<void>
  /** Updates a view. Does nothing if the user has closed or changed it since. */
  update(caller: Pick<Caller, 'client'>, ref: ViewRef, view: ModalView | HomeView): Promise<void>
  /**
   * Opens a modal whose content takes longer than a trigger lives. It first shows "One moment…" and then
   * what `build` shows, or an explanation of the error.
   *
   * @param build shows views one after another; it may show none after the user has closed the modal
   * @throws if the modal can't be opened
   */
  openThenBuild(
    caller: Caller,
    modal: { triggerId: string; title: string },
    build: (show: (view: ModalView) => Promise<void>) => Promise<void>,
  ): Promise<void>
  /** The same on top of the modal that the user clicked in. */
  pushThenBuild: Views['openThenBuild']
  /** The same in a modal that is already open, whose button was pressed. */
  rebuild(
    caller: Caller,
    view: { id: string; title?: { text: string } | undefined },
    build: (show: (view: ModalView) => Promise<void>) => Promise<void>,
  ): Promise<void>
}

/** How long an update of a view waits because Slack asks for fewer requests, in milliseconds. */
const MAX_UPDATE_WAIT_MS = 5_000

export function createViews(clock: Clock, logger: Logger): Views {
  const views: Views = {
    async open({ client }, triggerId, view) {
      const opened = await client.views.open({ trigger_id: triggerId, view })
      return opened.view?.id ?? ''
    },

    async push(caller, triggerId, view) {
      await pushView(caller, triggerId, view)
    },

    async update(caller, ref, view) {
      const update = (): Promise<unknown> => caller.client.views.update({ ...ref, view })
      await patiently(clock, { limitedMs: MAX_UPDATE_WAIT_MS }, update).catch((error: unknown) => {
        if (!isOutdatedView(error)) throw error
      })
    },

    async openThenBuild(caller, { triggerId, title }, build) {
      const id = await views.open(caller, triggerId, noticeModal(title, 'One moment…'))
      await buildIn(caller, { id, title }, build)
    },

    async pushThenBuild(caller, { triggerId, title }, build) {
      const id = await pushView(caller, triggerId, noticeModal(title, 'One moment…'))
      if (id !== undefined) await buildIn(caller, { id, title }, build)
    },

    async rebuild(caller, { id, title }, build) {
      await buildIn(caller, { id, title: title?.text ?? '' }, build)
    },
  }

  /** @returns the view's ID; undefined if it was ignored */
  async function pushView(
    { client }: Caller,
    triggerId: string,
    view: ModalView,
  ): Promise<string | undefined> {
    const push = client.views.push({ trigger_id: triggerId, view })
    const pushed = await push.catch((error: unknown) => {
      if (slackErrorCode(error) !== 'push_limit_reached') throw error
    })
    return pushed?.view?.id
  }

  async function buildIn(
    caller: Caller,
    { id, title }: { id: string; title: string },
    build: (show: (view: ModalView) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const show = (view: ModalView): Promise<void> => views.update(caller, { view_id: id }, view)
    await build(show).catch(async (err: unknown) => {
      if (!(err instanceof SlackInputError)) logger.error({ err }, 'a modal could not be built')
      const text = explainError(err).map(fieldErrorText).join('\n')
      await show(noticeModal(title, escape(text)))
    })
  }

  return views
}

/** Whether the user has closed or changed a view since the app last saw it. */
export function isOutdatedView(error: unknown): boolean {
  return ['hash_conflict', 'not_found'].includes(slackErrorCode(error) ?? '')
}
