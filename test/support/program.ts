import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const MAIN = join(import.meta.dirname, '../../src/main.ts')

/** One of our programs in a process of its own, as `npm start` or `npm run service` runs it. */
export interface Program {
  readonly process: ChildProcess
  /** Its log, one JSON object a line. */
  readonly logLines: readonly string[]
  /** Ends it without notice, as `kill -9` does. */
  kill(): Promise<void>
  /** Ends it as a supervisor does. */
  stop(): Promise<void>
}

/**
 * Starts a program and waits until it says that it is running.
 *
 * @param cwd a folder without a `.env` file
 */
export async function startProgram(
  command: 'start' | 'service',
  env: Record<string, string>,
  cwd: string,
): Promise<Program> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, command], {
    cwd,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const killWithParent = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithParent)
  void exited.then(() => process.off('exit', killWithParent))
  const logLines: string[] = []
  const { promise: running, resolve, reject } = Promise.withResolvers<undefined>()
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => {
      if (line.includes(' is running at ')) resolve(undefined)
      else if (line !== '') logLines.push(line)
    })
  }
  void exited.then(() => reject(new Error(`${command} ended:\n${logLines.join('\n')}`)))
  await running
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await exited
  }
  return { process: child, logLines, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
