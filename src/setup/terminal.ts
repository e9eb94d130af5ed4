import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { confirm, input, password, select } from '@inquirer/prompts'
import { printable } from '../doctor/check.ts'
import { unlessAborted } from '../timing/clock.ts'

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
  /** Shown when this choice is selected; by default, its name. */
  short?: string
  /** Shown below the choices while this one is selected. */
  description?: string
}

/** Asks a person, one question at a time. Every question rejects if the user stops. */
export interface Terminal {
  heading(text: string): void
  /** Prints a paragraph, with an empty line before and after it. */
  say(text: string): void
  /** Prints what a check found, and perhaps what to do. */
  report(mark: 'good' | 'warning' | 'bad', text: string, hint?: string): void
  choose<V extends string>(
    message: string,
    choices: readonly Choice<V>[],
    preselected?: V,
  ): Promise<V>
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

/** The longest printed line, in characters. */
const WIDTH = 78

/** Breaks a text between words. A longer word, such as a URL, stays whole. */
export function wrap(text: string, indent = ''): string {
  const lines = text.match(new RegExp(`\\S{${WIDTH},}|\\S.{0,${WIDTH - 1}}(?=\\s|$)`, 'g')) ?? []
  return lines.join(`\n${indent}`)
}

export function createTerminal({ input: from, output, signal }: Streams): Terminal {
  const context = { input: from, output, signal }
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    styleText(format, text, { stream: output })
  let afterEmptyLine = false
  const line = (text: string): void => {
    output.write(`${text}\n`)
    afterEmptyLine = text === ''
  }
  const paragraph = (text: string): void => {
    if (!afterEmptyLine) line('')
    line(text)
    line('')
  }
  const asked = async <T>(answer: Promise<T>): Promise<T> => {
    afterEmptyLine = false
    return answer
  }
  return {
    heading: (text) => paragraph(style('bold', text)),
    say: paragraph,
    report(mark, text, hint) {
      line(`${style(COLORS[mark], MARKS[mark])} ${wrap(printable(text), '  ')}`)
      if (hint !== undefined) line(`  ${wrap(printable(hint), '  ')}`)
    },
    choose: (message, choices, preselected) =>
      asked(
        select(
          {
            message,
            choices: choices.map((choice) =>
              choice.description === undefined
                ? choice
                : { ...choice, description: wrap(choice.description) },
            ),
            loop: false,
            ...(preselected && { default: preselected }),
          },
          context,
        ),
      ),
    async ask(message, { preset, validate }) {
      const answer = await asked(
        input(
          {
            message,
            ...(preset !== undefined && { default: preset }),
            validate: (text) => validate(text.trim()) ?? true,
          },
          context,
        ),
      )
      return answer.trim()
    },
    async askSecret(message) {
      return (await asked(password({ message, mask: '*', toggleMask: false }, context))).trim()
    },
    confirm: (message, preset) => asked(confirm({ message, default: preset }, context)),
    async wait(text, work) {
      line(style('dim', text))
      return unlessAborted(signal, work)
    },
  }
}
