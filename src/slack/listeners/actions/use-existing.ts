import { rememberedLink } from '../../blocks/link-created.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { parseLinkRef } from '../../input/link-ref.ts'
import { replyTarget } from '../../reply-target.ts'
import type { ActionArgs } from './action-args.ts'
import { buttonValue } from './button-value.ts'

/** “Use this link” in a message, whose place the link takes: so a second click finds no button. */
export const useExisting =
  ({ shortener }: Deps) =>
  async ({ ack, action, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, body)
    const link = rememberedLink(parseLinkRef(buttonValue(action)))
    await shortener.deliver(caller, { ...replyTarget(body), replaces: true }, link)
  }
