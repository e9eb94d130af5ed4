import type { ModalView } from '@slack/types'
import type { RecentUtm } from '../workspaces/recent-utm.ts'
import type { Settings, SettingsStore } from '../workspaces/settings.ts'
import { cut } from './blocks/limits.ts'
import { fieldLabel } from './blocks/field-labels.ts'
import { shortenModal } from './blocks/shorten-modal.ts'
import type { Caller } from './caller.ts'
import type { FormState, FormStates } from './form-state.ts'
import { utmOf, type Draft } from './input/draft.ts'
import { byField, parseShortenForm, type FormValues } from './input/form-values.ts'
import { allowedValues, applyNaming, chosenNames, namingFaults } from './input/naming-rules.ts'
import { settleDraft } from './input/settled-draft.ts'
import { faultText } from './input/slack-input-error.ts'
import type { Links } from './links.ts'
import { utmFillings, type UtmFilling } from './utm-fillings.ts'

/** The shorten form as it stands: what its inputs hold, and what it carries besides. */
export interface ShortenForm {
  draft: Draft
  state: FormState
}

/** Draws the shorten form, and reads it again. */
export interface ShortenForms {
  /**
   * A draft that comes from no form, and so says nothing of a QR code or names a template, is
   * filled in from the workspace's settings.
   *
   * @param notice for its top: why it is here again
   * @throws NotConnectedError, SlackInputError for a template that isn't there
   */
  draw(caller: Caller, form: ShortenForm, notice?: readonly string[]): Promise<ModalView>
  /** @throws when the view is not one of ours */
  read(caller: Caller, view: DrawnView): ShortenForm
  /**
   * Writes UTM values into the form, over those that are there: a template's, or those that the
   * person used last. Where they are gone meanwhile, the form stays as it is.
   *
   * @param key the filling's (src/slack/utm-fillings.ts)
   */
  fillUtm(caller: Caller, form: ShortenForm, key: string): Promise<ShortenForm>
  /** The form with its UTM values as the workspace's naming rules write them. */
  named(caller: Caller, form: ShortenForm): Promise<NamedForm>
}

export interface NamedForm {
  form: ShortenForm
  /** What the rules changed, in words, and what to do now; absent where they changed nothing. */
  notice?: string
}

/** As much of a view, as Slack sends it back, as the form is read from. */
export interface DrawnView {
  private_metadata: string
  state: { values: FormValues }
}

/** How much of a value is shown in a sentence. */
const SHOWN_VALUE = 80

export function createShortenForms({
  links,
  settings,
  recentUtm,
  formStates,
}: {
  links: Links
  settings: SettingsStore
  recentUtm: RecentUtm
  formStates: FormStates
}): ShortenForms {
  async function fillings({ workspace, userId }: Caller, set: Settings): Promise<UtmFilling[]> {
    const recent = userId === undefined ? undefined : await recentUtm.read(workspace.id, userId)
    return utmFillings(set, recent)
  }

  return {
    async draw(caller, { draft: typed, state }, notice = []) {
      const { workspace, mayReadFiles } = caller
      const [{ domains }, set] = await Promise.all([
        links.connection(workspace),
        settings.read(workspace.id),
      ])
      const isNew = typed.qr_code_enabled === undefined || typed.template !== undefined
      const draft = isNew ? settleDraft(typed, set) : typed
      const { preview_title, preview_description, preview_image: image } = draft
      const showUtm = state.showUtm || Object.keys(utmOf(draft)).length > 0
      const showPreview =
        state.showPreview || Boolean(preview_title ?? preview_description ?? image)
      return shortenModal({
        draft: { ...draft, ...chosenNames(draft, set.naming) },
        domains,
        utm: showUtm
          ? {
              filled: state.filled ?? 0,
              fillings: await fillings(caller, set),
              allowed: (field) => allowedValues(field, set.naming),
            }
          : undefined,
        defaultColor: set.qr.color,
        showPreview,
        canUpload: mayReadFiles,
        asksWhere: state.reply.responseUrl === undefined,
        answersInThread: state.reply.inChannel === true,
        // What is not allowed (any more) has no place in a menu, so that it is shown here.
        notice: [...new Set([...notice, ...namingFaults(draft, set.naming).map(faultText)])],
        metadata: formStates.seal({ ...state, showUtm, showPreview, image }, workspace.id),
      })
    },

    read({ workspace }, view) {
      const state = formStates.open(view.private_metadata, workspace.id)
      return { state, draft: parseShortenForm(byField(view.state.values), state.image) }
    },

    async fillUtm(caller, form, key) {
      const found = (await fillings(caller, await settings.read(caller.workspace.id))).find(
        (filling) => filling.key === key,
      )
      return found ? filledIn(form, found.values) : form
    },

    async named({ workspace }, form) {
      const { naming } = await settings.read(workspace.id)
      const { values, changed } = applyNaming(form.draft, naming)
      if (changed.length === 0) return { form }
      const changes = changed.map((name) => {
        const [before = '', after = ''] = [form.draft[name], values[name]]
        return `${fieldLabel(name)}: ${cut(before, SHOWN_VALUE)} → ${cut(after, SHOWN_VALUE)}`
      })
      return {
        form: filledIn(form, values),
        notice: `This workspace’s naming rules changed something. ${changes.join('; ')}. Press Create to go on.`,
      }
    },
  }
}

/** Inputs that we fill in need block_ids that they had not before (blocks/form-blocks.ts). */
function filledIn({ draft, state }: ShortenForm, values: Partial<Draft>): ShortenForm {
  return {
    draft: { ...draft, ...values },
    state: { ...state, filled: (state.filled ?? 0) + 1 },
  }
}

/** A form that nobody has typed into yet. */
export function emptyForm(reply: FormState['reply'], destination?: string): ShortenForm {
  return {
    draft: destination ? { destination_url: destination } : {},
    state: { reply, showUtm: false, showPreview: false },
  }
}
