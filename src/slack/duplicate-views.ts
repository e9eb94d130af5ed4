import type { ModalView } from '@slack/types'
import { z } from 'zod'
import type { Keyring } from '../workspaces/keyring.ts'
import type { AlreadyShortenedError } from './already-shortened-error.ts'
import { alreadyShortenedModal } from './blocks/already-shortened.ts'
import { cut, LIMITS } from './blocks/limits.ts'
import type { QrPicture } from './blocks/qr-image.ts'
import type { Caller } from './caller.ts'
import { formState } from './form-state.ts'
import { ACTIONS } from './ids.ts'
import type { Draft } from './input/draft.ts'
import type { ReplyTarget } from './reply-target.ts'
import { createSealedStates } from './sealed-states.ts'
import type { ShortenForm } from './shorten-forms.ts'

/** A form whose link is there already. */
export interface Duplicate extends Pick<AlreadyShortenedError, 'existing' | 'made'> {
  form: ShortenForm
  /** Where the new link would have been sent. */
  target: ReplyTarget
  /** Names the view for as long as it shows this: Slack's `external_id`. */
  viewKey: string
}

/** Draws what a form turns into whose link is there already, and reads it again. */
export interface DuplicateViews {
  /** @returns undefined where more was typed than such a view can keep */
  draw(caller: Caller, duplicate: Duplicate, picture?: QrPicture): ModalView | undefined
  /** @throws when the view is not one of ours */
  read(caller: Caller, view: SentView): Duplicate
}

/** As much of a view, as Slack sends it back, as it is read from. */
interface SentView {
  private_metadata: string
  blocks: readonly { type: string; elements?: readonly unknown[] }[]
}

/** More of an existing link's title is never shown. */
const TITLE = 200

/** The destinations are not in it: each may be as long as all that a view carries. */
const kept = z.object({
  existing: z.object({
    shortlink: z.object({
      shortlink_url: z.string(),
      title: z.string().optional(),
      is_custom_preview: z.boolean().optional(),
      /** Where it is written in another way than it was typed. */
      destination_url: z.string().optional(),
    }),
    qrColor: z.string().optional(),
  }),
  made: z.object({ by: z.string(), at: z.number() }).optional(),
  target: formState.shape.reply,
  viewKey: z.string(),
  state: formState,
  /** Nobody but this app has sealed it. */
  draft: z.custom<Omit<Draft, 'destination_url'>>(
    (value) => typeof value === 'object' && value !== null,
  ),
})

const changeButton = z.object({ action_id: z.literal(ACTIONS.changeForm), value: z.string() })

export function createDuplicateViews(keyring: Keyring): DuplicateViews {
  const states = createSealedStates(keyring, 'form of a link that is there already', kept)
  return {
    draw({ workspace }, { existing, made, form, target, viewKey }, picture) {
      const { destination_url: typed = '', ...draft } = form.draft
      const { shortlink_url, title, is_custom_preview, destination_url } = existing.shortlink
      const metadata = states.seal(
        {
          existing: {
            shortlink: {
              shortlink_url,
              title: title && cut(title, TITLE),
              is_custom_preview,
              ...(destination_url !== typed && { destination_url }),
            },
            qrColor: existing.qrColor,
          },
          made,
          target,
          viewKey,
          state: form.state,
          draft,
        },
        workspace.id,
      )
      if (metadata.length > LIMITS.metadata || typed.length > LIMITS.buttonValue) return undefined
      return alreadyShortenedModal({
        existing,
        made,
        picture,
        destination: typed,
        viewKey,
        answersInThread: target.inChannel === true,
        metadata,
      })
    },

    read({ workspace }, view) {
      const { existing, made, target, viewKey, state, draft } = states.open(
        view.private_metadata,
        workspace.id,
      )
      const typed = typedDestination(view)
      const { destination_url = typed, ...shortlink } = existing.shortlink
      return {
        existing: {
          shortlink: { ...shortlink, destination_url },
          utm: {},
          ...(existing.qrColor && { qrColor: existing.qrColor }),
        },
        made,
        form: { draft: { ...draft, destination_url: typed }, state },
        target,
        viewKey,
      }
    },
  }
}

/** The button that brings the form back carries it. */
function typedDestination({ blocks }: SentView): string {
  const elements = blocks.flatMap((block) => block.elements ?? [])
  const button = elements.flatMap((element) => changeButton.safeParse(element).data ?? [])[0]
  if (!button) throw new Error('the view has no button that carries the destination')
  return button.value
}
