import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { runSetup } from '../../src/setup/run-setup.ts'
import type { Environment } from '../../src/config/variables.ts'

export const CTRL_C = '\x03'
/** Ctrl-U. */
export const DELETE_LINE = '\x15'
const ENTER = '\r'

/** What the setup asks. */
export const QUESTIONS = {
  mode: 'How should Slack reach Backhalf?',
  workspaces: 'Who will use it?',
  publicUrl: 'Backhalf’s public address',
  service: 'Which link service should create the short links?',
  kind: 'Which one?',
  place: 'Where should the short links work?',
  address: 'The short links’ address',
  data: 'Where should Backhalf store its data?',
  proxy: 'Which proxy passes https requests on to Backhalf?',
  operator: 'Who runs it',
  supportEmail: 'Email address for support',
  supportPage: 'Page for support',
  privacy: 'Email address or page for questions',
  command: 'Does another app in your workspace use /shorten?',
  created: 'Is the app created?',
  appToken: 'App-level token',
  signingSecret: 'Signing secret',
  botToken: 'Bot User OAuth Token',
  next: 'What do you want to do?',
  write: 'Write this to .env?',
}

/** Runs `npm run setup` in this process, and answers its questions. */
export type Wizard = Awaited<ReturnType<typeof startWizard>>

/** @param env the lines of an existing `.env` file; absent if no file exists */
export async function startWizard(directory: string, env?: string, environment: Environment = {}) {
  if (env !== undefined) await writeFile(join(directory, '.env'), env)
  const input = new PassThrough()
  const output = new PassThrough()
  // Each question ends its output, which closes any stream but a process's own.
  output.end = () => output
  const stopped = new AbortController()
  let printed = ''
  let seen = 0
  let waiting: (() => void) | undefined
  output.on('data', (chunk: Buffer) => {
    printed += stripVTControlCharacters(chunk.toString())
    waiting?.()
  })
  const ended = runSetup([], {
    input,
    output,
    signal: stopped.signal,
    isTerminal: true,
    directory,
    environment,
  })
  let over = false
  void ended
    .catch(() => undefined)
    .finally(() => {
      over = true
      waiting?.()
    })

  /** Waits until a text is printed after the last text that was seen. */
  async function sees(text: string): Promise<void> {
    for (;;) {
      const at = printed.indexOf(text, seen)
      if (at >= 0) {
        seen = at + text.length
        return
      }
      if (over) throw new Error(`“${text}” was never printed:\n${printed}`)
      await new Promise<void>((resolve) => (waiting = resolve))
    }
  }
  /** Waits for a question, types an answer and presses Enter. Without an answer, it only presses Enter. */
  async function answers(question: string, answer = ''): Promise<void> {
    await sees(`? ${question}`)
    input.write(answer + ENTER)
  }
  return {
    sees,
    asks: (question: string) => sees(`? ${question}`),
    answers,
    /** Answers questions in this order, such as `mode workspaces=Several`. Without an answer, it only presses Enter. */
    async goes(way: string): Promise<void> {
      for (const step of way.split(' ')) {
        const [, name = '', answer] = /^(\w+)(?:=(.+))?$/.exec(step) ?? []
        await answers(QUESTIONS[name as keyof typeof QUESTIONS], answer)
      }
    },
    presses: (key: string): void => void input.write(key),
    /** Stops it as Ctrl-C does while no question is shown. */
    interrupt: (): void => stopped.abort(),
    /** The exit code. */
    ended,
    /** Everything that was printed. */
    screen: () => printed,
  }
}

export const readEnv = (directory: string): Promise<string> =>
  readFile(join(directory, '.env'), 'utf8')
