import type { SimulatedApp } from '../../simulator/protocol.ts'

type Command = SimulatedApp['commands'][number]

/** The commands that begin with the typed text. */
export function completions(text: string, commands: readonly Command[]): Command[] {
  if (!/^\/\S*$/.test(text)) return []
  return commands.filter(({ command }) => command.startsWith(text.toLowerCase()))
}

/** The command whose name is complete and followed by a space. */
export function commandTyped(text: string, commands: readonly Command[]): Command | undefined {
  const [name] = text.split(/\s/, 1)
  return /^\S+\s/.test(text) ? commands.find(({ command }) => command === name) : undefined
}
