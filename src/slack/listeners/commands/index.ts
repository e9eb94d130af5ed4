import type { App } from '@slack/bolt'
import { LIMITS } from '../../blocks/limits.ts'
import type { WhatWasTyped } from '../../blocks/problem.ts'
import type { Deps } from '../../deps.ts'
import { withErrorReply } from '../../error-reply.ts'
import { COMMAND } from '../../ids.ts'
import { parseCommandText } from '../../input/command-text.ts'
import { parseShortenText } from '../../input/shorten-text.ts'
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
function typed({ command: { command, text } }: CommandArgs): WhatWasTyped {
  const { name } = parseCommandText(text)
  if (name === 'connect') return {}
  const fits = name === 'shorten' && text.length <= LIMITS.buttonValue && isReadable(text)
  return { typed: `${command} ${text}`, ...(fits && { command: text }) }
}

/** Whether it was understood, whatever is wrong with it. */
function isReadable(text: string): boolean {
  try {
    parseShortenText(text)
    return true
  } catch {
    return false
  }
}
