import { join } from 'node:path'
import type { Environment } from '../config/variables.ts'
import { askConnection, askPublicUrl } from './connection-questions.ts'
import { createApp } from './create-app.ts'
import { askDatabase } from './database-question.ts'
import { readEnvFile, type Settings } from './env-file.ts'
import { askLinks } from './link-questions.ts'
import { nextSteps } from './next-steps.ts'
import type { Asking } from './questions.ts'
import { openStandIn, type StandIn } from './stand-in.ts'
import { createTerminal, type Streams, type Terminal } from './terminal.ts'
import { askTokens } from './token-questions.ts'
import { NO_TERMINAL, USAGE } from './usage.ts'
import { writeSettings } from './write-settings.ts'

export interface SetupOptions extends Streams {
  /** Whether a person answers. */
  isTerminal: boolean
  /** The folder of the `.env` file. */
  directory: string
  /** The variables that are set outside of `.env`. They take precedence over it. */
  environment: Environment
}

/**
 * Asks for everything that connects Backhalf to Slack, and writes it to `.env` at the end.
 *
 * @returns the exit code
 */
export async function runSetup(
  args: readonly string[],
  { isTerminal, directory, environment, ...streams }: SetupOptions,
): Promise<number> {
  const { output, signal } = streams
  if (args.length > 0) {
    output.write(USAGE)
    return args[0] === '--help' || args[0] === '-h' ? 0 : 2
  }
  if (!isTerminal) {
    output.write(NO_TERMINAL)
    return 2
  }
  const terminal = createTerminal(streams)
  try {
    return await askEverything(terminal, join(directory, '.env'), environment, signal)
  } catch (error) {
    if (!isStopped(error, signal)) throw error
    terminal.say('Stopped. Nothing was changed.')
    return 1
  }
}

/** Ctrl-C rejects a question with an error of this name. */
function isStopped(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (error instanceof Error && error.name === 'ExitPromptError')
}

async function askEverything(
  terminal: Terminal,
  path: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<number> {
  const { text, values: earlier } = await readEnvFile(path)
  terminal.heading('Connect Backhalf to Slack')
  terminal.say(
    `This takes about fifteen minutes. You need permission to install apps in your
Slack workspace. Every answer is checked. Nothing is written before the end, and
Ctrl-C stops at any time.`,
  )
  if (text !== '') {
    terminal.say('There is a .env file already. Press Enter to keep a value that it contains.')
  }

  const standIns: StandIn[] = []
  const host = earlier.HOST ?? '127.0.0.1'
  const asking: Asking = {
    terminal,
    earlier,
    signal,
    async answerAt(port) {
      const standIn = await openStandIn(host, port)
      if (standIn) standIns.push(standIn)
      return `${host}:${port}`
    },
  }
  try {
    terminal.heading('Step 1 of 4: How Slack and Backhalf reach each other')
    const connection = await askConnection(asking)
    let settings: Settings = await askPublicUrl(asking, connection)
    terminal.heading('Step 2 of 4: Links and data')
    settings = { ...settings, ...(await askLinks(asking)), ...(await askDatabase(asking)) }
    terminal.heading('Step 3 of 4: The app at Slack')
    await createApp(asking, connection, valuesWith(earlier, settings))
    settings = {
      ...settings,
      ...(await askTokens(asking, connection, valuesWith(earlier, settings))),
    }
    terminal.heading('Step 4 of 4: Write .env')
    if (!(await writeSettings(terminal, path, { text, earlier, settings, environment }))) return 1
    terminal.heading('What to do next')
    terminal.say(nextSteps(connection, valuesWith(earlier, settings)))
    return 0
  } finally {
    await Promise.all(standIns.map((standIn) => standIn.close()))
  }
}

function valuesWith(
  earlier: Readonly<Record<string, string>>,
  settings: Settings,
): Readonly<Record<string, string>> {
  const values = { ...earlier, ...settings }
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
}
