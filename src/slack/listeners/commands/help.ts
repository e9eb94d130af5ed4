import { help } from '../../blocks/help.ts'
import type { Deps } from '../../deps.ts'
import { parseCommandText } from '../../input/command-text.ts'
import { replyTarget } from '../../reply-target.ts'
import type { CommandArgs } from './command-args.ts'

/** `/shorten help`, and whatever else was not understood. */
export const helpCommand =
  ({ replies }: Deps) =>
  async ({ ack, command, client }: CommandArgs): Promise<void> => {
    await ack()
    const asked = parseCommandText(command.text)
    const unknown = asked.name === 'unknown' ? asked.word : undefined
    await replies.send(client, replyTarget(command), help(unknown))
  }
