import { AlreadyShortenedError } from '../../already-shortened-error.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { explain, isForeseen } from '../../explain.ts'
import { parseShortenText } from '../../input/shorten-text.ts'
import { SlackInputError } from '../../input/slack-input-error.ts'
import { replyTarget } from '../../reply-target.ts'
import type { CommandArgs } from './command-args.ts'

/** `/shorten URL [back-half] [option=value …]` */
export const shortenCommand =
  ({ shortener, duplicates, homes }: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, command)
    const target = replyTarget(command)
    const draft = parseShortenText(command.text)
    const made = await shortener
      .shorten(caller, draft, command.trigger_id)
      .catch((error: unknown) => {
        if (error instanceof AlreadyShortenedError) return error
        throw isForeseen(error) ? new SlackInputError(explain(error, draft)) : error
      })
    if (made instanceof AlreadyShortenedError) {
      await duplicates.answerCommand(caller, target, made, command.text)
      return
    }
    await Promise.all([
      shortener.deliver(caller, target, made),
      homes.refresh(caller, command.user_id),
    ])
  }
