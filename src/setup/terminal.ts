import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { confirm, input, password, select } from '@inquirer/prompts'

/** Where the questions are asked. */
export interface Streams {
  input: Readable
  output: Writable
  /** Aborts when the user presses Ctrl-C. */
  signal: AbortSignal
}

export interface Choice<V extends string> {
  value: V
  name: string
  /** Shown below the choices while this one is selected. */
  description?: string
}

/** Asks a person, one question at a time. Every question rejects if the user stops. */
export interface Terminal {
  heading(text: string): void
  /** Prints a paragraph. */
  say(text: string): void
  /** Prints what a check found. */
  report(mark: 'good' | 'warning' | 'bad', text: string): void
  choose<V extends string>(message: string, choices: Choice<V>[], preselected?: V): Promise<V>
  /** @param validate returns what is wrong, as a sentence, or undefined */
  ask(
    message: string,
    options: { preset?: string | undefined; validate: (text: string) => string | undefined },
  ): Promise<string>
  /** Shows an asterisk for each character. */
  askSecret(message: string): Promise<string>
  confirm(message: string, preset: boolean): Promise<boolean>
  /** Says that something takes a moment, and waits for it or for Ctrl-C. */
  wait<T>(text: string, work: Promise<T>): Promise<T>
}

const MARKS = { good: '✓', warning: '!', bad: '✗' } as const
const COLORS = { good: 'green', warning: 'yellow', bad: 'red' } as const

export function createTerminal({ input: from, output, signal }: Streams): Terminal {
  const context = { input: from, output, signal }
  const print = (text: string): void => void output.write(`${text}\n`)
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    styleText(format, text, { stream: output })
  return {
    heading: (text) => print(`\n${style('bold', text)}\n`),
    say: (text) => print(`${text}\n`),
    report: (mark, text) => print(`${style(COLORS[mark], MARKS[mark])} ${text}`),
    choose: (message, choices, preselected) =>
      select({ message, choices, loop: false, ...(preselected && { default: preselected }) }, context),
    async ask(message, { preset, validate }) {
      const answer = await input(
        {
          message,
          ...(preset !== undefined && { default: preset }),
          validate: (text) => validate(text.trim()) ?? true,
        },
        context,
      )
      return answer.trim()
    },
    async askSecret(message) {
      return (await password({ message, mask: '*', toggleMask: false }, context)).trim()
    },
    confirm: (message, preset) => confirm({ message, default: preset }, context),
    async wait(text, work) {
      print(style('dim', text))
      const { promise: stopped, reject } = Promise.withResolvers<never>()
      const stop = (): void => reject(signal.reason as Error)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop)
      try {
        return await Promise.race([work, stopped])
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  }
}
