import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { explain } from '../../explain.ts'
import { parseShortenText } from '../../input/shorten-text.ts'
import { SlackInputError } from '../../input/slack-input-error.ts'
import { replyTarget } from '../../reply-target.ts'
import type { CommandArgs } from './command-args.ts'

/** `/shorten URL [back-half] [option=value …]` */
export const shortenCommand =
  ({ shortener, homes }: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, command)
    const draft = parseShortenText(command.text)
    const created = await shortener
      .shorten(caller, draft, command.trigger_id)
      .catch((error: unknown) => {
        throw new SlackInputError(explain(error, draft))
      })
    await Promise.all([
      shortener.deliver(caller, replyTarget(command), created),
      homes.refresh(caller, command.user_id),
    ])
  }
