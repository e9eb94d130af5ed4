import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../../ids.ts'
import type { ActionArgs } from './action-args.ts'

/** The menu of a UTM template: its form, or the question whether it should go. */
export const templateMenu =
  ({ desk, views }: Deps) =>
  async ({ ack, action, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    if (action.type !== 'overflow') return
    const { token, workspace } = callerOf(context, client, body)
    const deletes = action.selected_option.value === TEMPLATE_MENU.delete
    const form = desk.forms[deletes ? VIEWS.settingsDeleteTemplate : VIEWS.settingsTemplate]
    const key = action.block_id.slice(TEMPLATE_BLOCK_PREFIX.length)
    await views.push(token, body.trigger_id, await form.draw({ workspace, key }))
  }
