import type { SimulatedApp } from '../../simulator/protocol.ts'

type Command = SimulatedApp['commands'][number]

/** The commands that what was typed may become: while it is a `/` and the beginning of a name. */
export function completions(text: string, commands: readonly Command[]): Command[] {
  if (!/^\/\S*$/.test(text)) return []
  return commands.filter(({ command }) => command.startsWith(text.toLowerCase()))
}

/** The command that was typed, once its name is complete and its own words may follow. */
export function commandTyped(text: string, commands: readonly Command[]): Command | undefined {
  const [name] = text.split(/\s/, 1)
  return /^\S+\s/.test(text) ? commands.find(({ command }) => command === name) : undefined
}
