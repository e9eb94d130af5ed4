import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { ACTIONS } from '../../ids.ts'
import type { ShortenForm } from '../../shorten-forms.ts'
import { isOvertaken } from '../../slack-error-code.ts'
import type { ActionArgs } from './action-args.ts'

/** What each button of the form does to it. */
const CHANGES: Record<string, (form: ShortenForm) => ShortenForm> = {
  [ACTIONS.revealUtm]: ({ draft, state }) => ({ draft, state: { ...state, showUtm: true } }),
  [ACTIONS.revealPreview]: ({ draft, state }) => ({
    draft,
    state: { ...state, showPreview: true },
  }),
  [ACTIONS.removeImage]: ({ draft: { preview_image: _removed, ...draft }, state }) => ({
    draft,
    state,
  }),
}

/**
 * Draws the form again with more of it revealed, or with UTM values filled in. The view's hash makes Slack refuse a second
 * click that was made on the form as it was before, which would hide the first one's fields.
 */
export const changeForm =
  ({ forms }: Deps) =>
  async ({ ack, action, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    if (!body.view) return
    const caller = callerOf(context, client, body)
    const form = forms.read(caller, body.view)
    const changed =
      action.type === 'static_select'
        ? await forms.fillUtm(caller, form, action.selected_option.value)
        : CHANGES[action.action_id]?.(form)
    const view = await forms.draw(caller, changed ?? form)
    const { id: view_id, hash } = body.view
    await client.views.update({ view_id, hash, view }).catch((error: unknown) => {
      if (!isOvertaken(error)) throw error
    })
  }
