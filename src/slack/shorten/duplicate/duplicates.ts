import type { ModalView } from '@slack/types'
import { z } from 'zod'
import { isPicture, type Picture, type PictureState } from '../../block-kit/elements.ts'
import { LIMITS } from '../../block-kit/limits.ts'
import { cut } from '../../block-kit/mrkdwn.ts'
import type { TypedInput } from '../../block-kit/notices.ts'
import { ACTIONS, COMMAND } from '../../ids.ts'
import { type Caller, privateTarget, type ReplyTarget } from '../../platform/caller.ts'
import { encodeFailedCommand, type FieldError } from '../../platform/field-errors.ts'
import { AFTER_ACKNOWLEDGEMENT_MS } from '../../platform/form-submission.ts'
import { showWithPicture } from '../../platform/pictures.ts'
import type { Platform } from '../../platform/platform.ts'
import { createSealedMetadata } from '../../platform/sealed-metadata.ts'
import { draftText, type Draft } from '../draft.ts'
import { formState, type ShortenForm } from '../form.ts'
import { linkPictureMessage } from '../link-created.ts'
import { duplicateMessage, duplicateModal, type Duplicate } from './duplicate-blocks.ts'
import { unusedBackHalf } from './duplicate-error.ts'

/** A form whose destination already has a link. */
export interface DuplicateForm extends Duplicate {
  form: ShortenForm
  /** Where the new link would have been sent. */
  target: ReplyTarget
  /** Identifies the view as long as it shows the duplicate: Slack's `external_id`. */
  viewKey: string
}

/** The parts of the modal, as Slack sends it back, that are read. */
interface DuplicateView {
  private_metadata: string
  blocks: readonly { type: string; elements?: readonly unknown[] }[]
}

/** How many characters of the existing link's title the modal carries. */
const MAX_TITLE_LENGTH = 200

/** A stored format, like the names below: views that were opened before an upgrade must still work. */
const METADATA_KIND = 'form of a link that is there already'

/** The destinations are not part of it: each of them alone may fill a `private_metadata`. */
const carried = z.object({
  existing: z.object({
    shortlink: z.object({
      shortlink_url: z.string(),
      title: z.string().optional(),
      is_custom_preview: z.boolean().optional(),
      /** Present only if it differs from what the user typed. */
      destination_url: z.string().optional(),
    }),
    qrColor: z.string().optional(),
    /** Present if it is turned off and can be turned on. */
    changeable: z.object({ name: z.string(), enabled: z.boolean().optional() }).optional(),
  }),
  made: z.object({ by: z.string(), at: z.number() }).optional(),
  target: formState.shape.reply,
  viewKey: z.string(),
  state: formState,
  /** Not checked further, because only this app can have sealed it. */
  draft: z.custom<Omit<Draft, 'destination_url'>>(
    (value) => typeof value === 'object' && value !== null,
  ),
})

const changeButton = z.object({ action_id: z.literal(ACTIONS.changeForm), value: z.string() })

/** Shows users the existing link of a destination. */
export type Duplicates = ReturnType<typeof createDuplicates>

export function createDuplicates({ clock, keyring, logger, qrPictures, replies, views }: Platform) {
  const metadata = createSealedMetadata(keyring, METADATA_KIND, carried)

  function pictureOf(
    caller: Caller,
    { link: { qrColor: color, shortlink_url: text } }: Duplicate,
  ): PictureState | Promise<Picture | undefined> {
    return color ? qrPictures.picture(caller, { text, color }) : undefined
  }

  async function send(
    caller: Caller,
    target: ReplyTarget,
    duplicate: Duplicate,
    typedInput: TypedInput,
  ): Promise<void> {
    await replies.sendThenAddPicture(caller.client, target, pictureOf(caller, duplicate), {
      build: ({ picture }) => duplicateMessage(duplicate, picture, typedInput),
      buildPicture: (picture) => linkPictureMessage(duplicate.link, picture),
    })
  }

  /**
   * Builds the modal that replaces the form.
   *
   * @returns undefined if the user typed more than such a view can carry
   */
  function modal(
    { workspace }: Caller,
    { link, madeBy, form, target, viewKey }: DuplicateForm,
    picture?: Picture,
  ): ModalView | undefined {
    const { destination_url: typed = '', ...draft } = form.draft
    const { shortlink_url, title, is_custom_preview, destination_url } = link
    const sealed = metadata.seal(
      {
        existing: {
          shortlink: {
            shortlink_url,
            title: title && cut(title, MAX_TITLE_LENGTH),
            is_custom_preview,
            ...(destination_url !== typed && { destination_url }),
          },
          qrColor: link.qrColor,
          changeable: link.changeable,
        },
        made: madeBy,
        target,
        viewKey,
        state: form.state,
        draft,
      },
      workspace.id,
    )
    if (sealed.length > LIMITS.metadata || typed.length > LIMITS.buttonValue) return undefined
    return duplicateModal({
      link,
      madeBy,
      unusedBackHalf: unusedBackHalf(shortlink_url, draft.back_half),
      picture,
      destination: typed,
      viewKey,
      answersInThread: target.inChannel === true,
      metadata: sealed,
    })
  }

  return {
    modal,

    /** Reads the modal back. @throws if this app did not make the view */
    read({ workspace }: Caller, view: DuplicateView): DuplicateForm {
      const opened = metadata.open(view.private_metadata, workspace.id)
      const { existing: link, made: madeBy, target, viewKey, state, draft } = opened
      const typed = typedDestination(view)
      return {
        link: {
          ...link.shortlink,
          destination_url: link.shortlink.destination_url ?? typed,
          ...(link.qrColor && { qrColor: link.qrColor }),
          ...(link.changeable && { changeable: link.changeable }),
        },
        madeBy,
        form: { draft: { ...draft, destination_url: typed }, state },
        target,
        viewKey,
      }
    },

    /** Answers a command. @param text the text after `/shorten` */
    answerCommand: (
      caller: Caller,
      target: ReplyTarget,
      duplicate: Duplicate,
      text: string,
    ): Promise<void> =>
      send(
        caller,
        target,
        duplicate,
        text.length <= LIMITS.buttonValue
          ? { command: encodeFailedCommand({ text, issues: [issueOf(duplicate)] }) }
          : { typed: `${COMMAND} ${text}` },
      ),

    /** Sends a message to a user who has closed the form. */
    notify: (caller: Caller, duplicate: DuplicateForm): Promise<void> =>
      send(caller, privateTarget(duplicate.target), duplicate, {
        typed: draftText(duplicate.form.draft),
      }),

    /**
     * Adds the QR picture to the modal when Slack accepts it. Does nothing if the user has closed the modal
     * or moved on.
     */
    async addPicture(caller: Caller, duplicate: DuplicateForm): Promise<void> {
      const show = async (picture: PictureState): Promise<void> => {
        const view = isPicture(picture) && modal(caller, duplicate, picture)
        // The external_id finds the view only until the user goes back to the form, which an update
        // would overwrite.
        if (view) await views.update(caller, { external_id: duplicate.viewKey }, view)
      }
      try {
        await clock.sleep(AFTER_ACKNOWLEDGEMENT_MS)
        await showWithPicture(clock, await pictureOf(caller, duplicate), show)
      } catch (err) {
        logger.warn({ err }, 'the QR picture could not be added to a modal')
      }
    },
  }
}

/** What a form that is opened again says below its destination. */
export function duplicateAdvice(shortUrl: string): string {
  return `This already has a short link: ${shortUrl}. Change the destination or the domain to make another one.`
}

function issueOf({ link }: Duplicate): FieldError {
  return { field: 'destination_url', message: duplicateAdvice(link.shortlink_url) }
}

/** The destination as the user typed it, which the button "Change something" carries. */
function typedDestination({ blocks }: DuplicateView): string {
  const elements = blocks.flatMap((block) => block.elements ?? [])
  const button = elements.flatMap((element) => changeButton.safeParse(element).data ?? [])[0]
  if (!button) throw new Error('the view has no button that carries the destination')
  return button.value
}
