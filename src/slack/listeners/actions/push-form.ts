import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import type { SettingsFormId } from '../../settings/desk.ts'
import type { ActionArgs } from './action-args.ts'

/** A button of the settings lays its form on them. */
export const pushForm =
  ({ desk, views }: Deps, formId: SettingsFormId) =>
  async ({ ack, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const { token, workspace } = callerOf(context, client, body)
    const view = await desk.forms[formId].draw({ workspace, key: '' })
    await views.push(token, body.trigger_id, view)
  }
