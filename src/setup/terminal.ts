import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { confirm, input, password, select } from '@inquirer/prompts'
import { MARKS, printable, type Result } from '../doctor/check.ts'
import { unlessAborted } from '../timing/clock.ts'

export interface Streams {
  input: Readable
  output: Writable
  signal: AbortSignal
}

interface Choice {
  name: string
  description?: string
}

export type Terminal = ReturnType<typeof createTerminal>

const WIDTH = 78

export function wrap(text: string, indent = ''): string {
  const lines = text.match(new RegExp(`\\S{${WIDTH},}|\\S.{0,${WIDTH - 1}}(?=\\s|$)`, 'g')) ?? []
  return lines.join(`\n${indent}`)
}

export function createTerminal({ input: from, output, signal }: Streams) {
  const context = { input: from, output, signal }
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    styleText(format, text, { stream: output })
  const print = (text: string): void => void output.write(`${text}\n`)
  return {
    heading: (text: string) => print(`\n${style('bold', text)}`),
    say: (text: string) => print(`\n${text}\n`),
    report(status: Result['status'], text: string, hint?: string): void {
      print(`${style(MARKS[status].color, MARKS[status].symbol)} ${wrap(printable(text), '  ')}`)
      if (hint !== undefined) print(`  ${wrap(printable(hint), '  ')}`)
    },
    choose: <V extends string>(
      message: string,
      preselected: NoInfer<V>,
      choices: Readonly<Record<V, Choice>>,
    ): Promise<V> =>
      select(
        {
          message,
          choices: Object.entries<Choice>(choices).map(([value, { name, description = '' }]) => ({
            value: value as V,
            name,
            // The chosen answer remains in the terminal.
            short: name.replace(' (recommended)', ''),
            description: wrap(description),
          })),
          loop: false,
          default: preselected,
        },
        context,
      ),
    async ask(
      message: string,
      preset: string | undefined,
      validate: (text: string) => string | undefined,
    ): Promise<string> {
      const question = {
        message,
        ...(preset !== undefined && { default: preset }),
        validate: (text: string) => validate(text.trim()) ?? true,
      }
      return (await input(question, context)).trim()
    },
    async askSecret(message: string): Promise<string> {
      return (await password({ message, mask: '*', toggleMask: false }, context)).trim()
    },
    confirm: (message: string, preset: boolean) => confirm({ message, default: preset }, context),
    async wait<T>(text: string, work: Promise<T>): Promise<T> {
      print(style('dim', text))
      return unlessAborted(signal, work)
    },
  }
}
