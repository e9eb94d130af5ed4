import type { ModalView } from '@slack/types'
import { shortenModal } from './blocks/shorten-modal.ts'
import type { Caller } from './caller.ts'
import type { FormState, FormStates } from './form-state.ts'
import type { Draft } from './input/draft.ts'
import { parseShortenForm, type FormValues } from './input/form-values.ts'
import { utmOf } from './input/create-request.ts'
import type { Links } from './links.ts'

/** The shorten form as it stands: what its inputs hold, and what it carries besides. */
export interface ShortenForm {
  draft: Draft
  state: FormState
}

/** Draws the shorten form, and reads it again. */
export interface ShortenForms {
  /**
   * @param notice for its top: why it is here again
   * @throws NotConnectedError
   */
  draw(caller: Caller, form: ShortenForm, notice?: readonly string[]): Promise<ModalView>
  /** @throws when the view is not one of ours */
  read(caller: Caller, view: DrawnView): ShortenForm
}

/** As much of a view, as Slack sends it back, as the form is read from. */
export interface DrawnView {
  private_metadata: string
  state: { values: FormValues }
}

export function createShortenForms({
  links,
  formStates,
}: {
  links: Links
  formStates: FormStates
}): ShortenForms {
  return {
    async draw({ workspace, mayReadFiles }, { draft, state }, notice) {
      const { domains } = await links.connection(workspace)
      const { preview_title, preview_description, preview_image: image } = draft
      const showUtm = state.showUtm || Object.keys(utmOf(draft)).length > 0
      const showPreview =
        state.showPreview || Boolean(preview_title ?? preview_description ?? image)
      return shortenModal({
        draft,
        domains,
        showUtm,
        showPreview,
        canUpload: mayReadFiles,
        asksWhere: state.reply.responseUrl === undefined,
        answersInThread: state.reply.inChannel === true,
        notice,
        metadata: formStates.seal({ ...state, showUtm, showPreview, image }, workspace.id),
      })
    },
    read({ workspace }, view) {
      const state = formStates.open(view.private_metadata, workspace.id)
      return { state, draft: parseShortenForm(view.state.values, state.image) }
    },
  }
}

/** A form that nobody has typed into yet. */
export function emptyForm(reply: FormState['reply'], destination?: string): ShortenForm {
  return {
    draft: { qr_code_enabled: true, ...(destination && { destination_url: destination }) },
    state: { reply, showUtm: false, showPreview: false },
  }
}
