import type { App } from '@slack/bolt'
import type { Deps } from '../../deps.ts'
import { withErrorReply } from '../../error-reply.ts'
import { COMMAND } from '../../ids.ts'
import { parseCommandText } from '../../input/command-text.ts'
import type { CommandArgs } from './command-args.ts'
import { connectCommand } from './connect.ts'
import { formCommand } from './form.ts'
import { helpCommand } from './help.ts'
import { listCommand } from './list.ts'
import { disconnectCommand, settingsCommand } from './settings.ts'
import { shortenCommand } from './shorten.ts'

export function registerCommands(app: App, deps: Deps): void {
  const subcommands = {
    form: formCommand(deps),
    help: helpCommand(deps),
    unknown: helpCommand(deps),
    connect: connectCommand(deps),
    settings: settingsCommand(deps),
    disconnect: disconnectCommand(deps),
    list: listCommand(deps),
    shorten: shortenCommand(deps),
  }
  const dispatch = (args: CommandArgs): Promise<void> =>
    subcommands[parseCommandText(args.command.text).name](args)
  app.command(COMMAND, withErrorReply(deps, dispatch, typed))
}

/** A connect command may have a key typed after it, which nothing should show again. */
function typed({ command }: CommandArgs): string | undefined {
  return parseCommandText(command.text).name === 'connect'
    ? undefined
    : `${command.command} ${command.text}`
}
