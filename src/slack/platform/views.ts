import type { ModalView } from '@slack/types'
import type { Logger } from 'pino'
import type { Clock } from '../../timing/clock.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { Caller } from './caller.ts'
import { errorMrkdwn } from './error-messages.ts'
import { SlackInputError } from './field-errors.ts'
import { patiently } from './slack-client.ts'
import { slackErrorCode } from './slack-errors.ts'

const MAX_UPDATE_WAIT_MS = 5_000

/** If Slack can't show the view in the open modal, the error says what was `done`: “The link was turned on.” */
export type Show = (view: ModalView, done?: string) => Promise<void>

type Build = (show: Show) => Promise<void>

export interface Views {
  open(caller: Caller, triggerId: string, view: ModalView): Promise<string>
  /** @returns false if the user has closed the view, or if the view has changed since Slack sent this `hash` */
  update(
    caller: Pick<Caller, 'client'>,
    ref: { view_id: string; hash?: string },
    view: ModalView,
  ): Promise<boolean>
  /** Opens a view on top of the open one. Returns undefined if the stack is full, for example after a second click. */
  push(caller: Caller, triggerId: string, view: ModalView): Promise<string | undefined>
  /** Opens a modal before the trigger expires. It shows “One moment…”, then what `build` shows or throws. */
  openThenBuild(
    caller: Caller,
    modal: { triggerId: string; title: string; isPushed?: boolean },
    build: Build,
  ): Promise<void>
  rebuild(
    caller: Caller,
    view: { id: string; title?: { text: string } | undefined },
    build: Build,
  ): Promise<void>
}

export function createViews(clock: Clock, logger: Logger): Views {
  const open: Views['open'] = async ({ client }, triggerId, view) => {
    const opened = await client.views.open({ trigger_id: triggerId, view })
    return opened.view?.id ?? ''
  }

  const push: Views['push'] = async ({ client }, triggerId, view) => {
    const pushing = client.views.push({ trigger_id: triggerId, view })
    const pushed = await pushing.catch((error: unknown) => {
      if (slackErrorCode(error) !== 'push_limit_reached') throw error
    })
    return pushed?.view?.id
  }

  const update: Views['update'] = async ({ client }, ref, view) => {
    const patience = { limitedMs: MAX_UPDATE_WAIT_MS }
    try {
      await patiently(clock, patience, () => client.views.update({ ...ref, view }))
      return true
    } catch (error) {
      if (['hash_conflict', 'not_found'].includes(slackErrorCode(error) ?? '')) return false
      throw error
    }
  }

  const rebuild: Views['rebuild'] = async (caller, { id, title }, build) => {
    const showInModal: Show = async (view, done) => {
      await update(caller, { view_id: id }, view).catch((cause: unknown) => {
        if (done === undefined) throw cause
        logger.error({ err: cause }, 'a modal could not show what was done')
        throw new SlackInputError(`${done} Slack couldn’t show it here.`, { cause })
      })
    }
    await build(showInModal).catch(async (err: unknown) => {
      if (!(err instanceof SlackInputError)) logger.error({ err }, 'a modal could not be built')
      // If the modal can't show the error, the listener reports it in the conversation.
      await showInModal(noticeModal(title?.text ?? '', errorMrkdwn(err))).catch(() => {
        throw err
      })
    })
  }

  return {
    open,
    push,
    update,
    rebuild,

    async openThenBuild(caller, { triggerId, title, isPushed = false }, build) {
      const openView = isPushed ? push : open
      const id = await openView(caller, triggerId, noticeModal(title, 'One moment…'))
      if (id !== undefined) await rebuild(caller, { id, title: { text: title } }, build)
    },
  }
}
