import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AlreadyShortenedError } from './already-shortened-error.ts'
import { alreadyShortened } from './blocks/already-shortened.ts'
import { LIMITS } from './blocks/limits.ts'
import type { QrPicture } from './blocks/qr-image.ts'
import type { Caller } from './caller.ts'
import type { Duplicate, DuplicateViews } from './duplicate-views.ts'
import { COMMAND } from './ids.ts'
import { draftInWords } from './input/draft.ts'
import { showWithPicture } from './picture-retry.ts'
import type { QrPictures } from './qr-pictures.ts'
import type { Replies } from './replies.ts'
import { privately, type ReplyTarget } from './reply-target.ts'
import { isOvertaken } from './slack-error-code.ts'

/** An update that overtook the form's acknowledgement on its way would be drawn over by it. */
const AFTER_ACKNOWLEDGEMENT_MS = 500

type Existing = Pick<AlreadyShortenedError, 'existing' | 'made'>

/** Shows people the link that is there already. */
export interface Duplicates {
  /**
   * Answers a command.
   *
   * @param text what was typed behind it
   */
  answerCommand(caller: Caller, target: ReplyTarget, link: Existing, text: string): Promise<void>
  /** For somebody who has closed the form, and would not learn of it otherwise. */
  tell(caller: Caller, duplicate: Duplicate): Promise<void>
  /**
   * Adds the QR picture to the view that a form has turned into, as soon as Slack takes it. That
   * happens beside what the person sees already; a view that they have left stays as it is.
   */
  addPicture(caller: Caller, duplicate: Duplicate): Promise<void>
}

export function createDuplicates({
  duplicateViews,
  qrPictures,
  replies,
  logger,
  pause = sleep,
}: {
  duplicateViews: DuplicateViews
  qrPictures: QrPictures
  replies: Replies
  logger: Logger
  pause?: (ms: number) => Promise<unknown>
}): Duplicates {
  async function pictureOf(
    { client }: Caller,
    { existing: { qrColor: color, shortlink } }: Existing,
  ): Promise<QrPicture | undefined> {
    return color ? qrPictures.picture(client, { text: shortlink.shortlink_url, color }) : undefined
  }

  async function send(
    caller: Caller,
    target: ReplyTarget,
    link: Existing,
    more: Parameters<typeof alreadyShortened>[1],
  ): Promise<void> {
    const picture = await pictureOf(caller, link)
    await replies.sendWithPicture(caller.client, target, picture, ({ picture: shown }) =>
      alreadyShortened({ ...link, picture: shown }, more),
    )
  }

  return {
    answerCommand: (caller, target, link, text) =>
      send(
        caller,
        target,
        link,
        text.length <= LIMITS.buttonValue ? { command: text } : { typed: `${COMMAND} ${text}` },
      ),

    tell: (caller, duplicate) =>
      send(caller, privately(duplicate.target), duplicate, {
        typed: draftInWords(duplicate.form.draft),
      }),

    async addPicture(caller, duplicate) {
      const show = async (picture: QrPicture | undefined): Promise<void> => {
        const view = picture && duplicateViews.draw(caller, duplicate, picture)
        // By this name Slack finds the view only as long as nobody has gone on, whose typing an
        // update would wipe away.
        if (view) await caller.client.views.update({ external_id: duplicate.viewKey, view })
      }
      try {
        await pause(AFTER_ACKNOWLEDGEMENT_MS)
        await showWithPicture(await pictureOf(caller, duplicate), show, pause)
      } catch (err) {
        if (!isOvertaken(err)) logger.warn({ err }, 'a view could not be given its QR picture')
      }
    },
  }
}
