import { linkList } from '../../blocks/link-list.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { parseCommandText } from '../../input/command-text.ts'
import { parseListText } from '../../input/list-text.ts'
import { listPage } from '../../list-page.ts'
import { replyTarget } from '../../reply-target.ts'
import type { CommandArgs } from './command-args.ts'

/** `/shorten list [sort] [order] [page]` */
export const listCommand =
  ({ links, replies }: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const asked = parseCommandText(command.text)
    const position = parseListText(asked.name === 'list' ? asked.rest : '')
    const { workspace } = callerOf(context, client, command)
    const page = await listPage(links, workspace, position)
    await replies.send(client, replyTarget(command), linkList(page))
  }
