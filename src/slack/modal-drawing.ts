import type { ModalView } from '@slack/types'
import type { Logger } from 'pino'
import { escape } from './blocks/mrkdwn.ts'
import { noticeModal } from './blocks/notice-modal.ts'
import type { Caller } from './caller.ts'
import { explain } from './explain.ts'
import { faultText, SlackInputError } from './input/slack-input-error.ts'
import { slackErrorCode } from './slack-error-code.ts'
import type { ViewOpener } from './view-opener.ts'

/**
 * Opens a modal whose drawing takes longer than a trigger may wait: it asks for patience, then
 * becomes what `draw` shows, or says what went wrong.
 *
 * @param draw shows views, one after another; a modal that was closed meanwhile stays closed
 * @throws when the modal can't be opened
 */
export async function openAndDraw(
  { views, logger }: { views: ViewOpener; logger: Logger },
  { client, token }: Pick<Caller, 'client' | 'token'>,
  { triggerId, title }: { triggerId: string; title: string },
  draw: (show: (view: ModalView) => Promise<void>) => Promise<void>,
): Promise<void> {
  const viewId = await views.open(token, triggerId, noticeModal(title, 'One moment…'))
  const show = async (view: ModalView): Promise<void> => {
    await client.views.update({ view_id: viewId, view }).catch((error: unknown) => {
      if (slackErrorCode(error) !== 'not_found') throw error
    })
  }
  await draw(show).catch(async (err: unknown) => {
    if (!(err instanceof SlackInputError)) logger.error({ err }, 'a modal could not be drawn')
    await show(noticeModal(title, escape(explain(err).map(faultText).join('\n'))))
  })
}
