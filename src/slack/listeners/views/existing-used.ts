import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import type { ViewArgs } from './view-args.ts'

/** “Use this link”, where a form had turned into the link that is there already. */
export const existingUsed =
  ({ duplicateViews, shortener }: Deps) =>
  async ({ ack, body, view, client, context }: ViewArgs): Promise<void> => {
    const caller = callerOf(context, client, body)
    const { existing, target } = duplicateViews.read(caller, view)
    await ack()
    await shortener.deliver(caller, target, existing)
  }
