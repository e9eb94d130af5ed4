import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const MAIN = join(import.meta.dirname, '../../src/main.cjs')

/** Runs the program as npm's scripts do, with these variables only. @param cwd a folder without a `.env` file */
export function runMain(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> | undefined },
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env,
  })
  const killWithParent = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithParent)
  child.once('exit', () => process.off('exit', killWithParent))
  return child
}

/** Waits until a process has ended. @returns its exit code, and all that it has printed */
export async function outcomeOf(child: ChildProcessWithoutNullStreams) {
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null) await once(child, 'exit')
  return { code: child.exitCode, out, err }
}

/** Waits until the output contains a text. Resolves with the output so far. */
export async function outputWith(
  child: ChildProcessWithoutNullStreams,
  expected: string,
): Promise<string> {
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    if (printed.includes(expected)) return printed
  }
  throw new Error(
    `The output does not contain “${expected}”:\n${printed}${await text(child.stderr)}`,
  )
}

/** One of our programs in a process of its own, as `npm start` or `npm run service` runs it. */
export type Program = Awaited<ReturnType<typeof startProgram>>

/**
 * Starts a program and waits until it says that it is running.
 *
 * @param cwd a folder without a `.env` file
 */
export async function startProgram(
  command: 'start' | 'service',
  env: Record<string, string>,
  cwd: string,
) {
  const child = runMain([command], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: process.env.TMPDIR ?? '',
      ...env,
    },
  })
  const exited = once(child, 'exit')
  const logLines: string[] = []
  const { promise: running, resolve, reject } = Promise.withResolvers<undefined>()
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => {
      if (line.includes(' is running at ')) resolve(undefined)
      else if (!line.startsWith('{"level":30,')) logLines.push(line)
    })
  }
  void exited.then(() => reject(new Error(`${command} ended:\n${logLines.join('\n')}`)))
  await running
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await exited
  }
  return {
    process: child,
    /** Its log, without the level “info”: one JSON object a line. */
    logLines,
    /** Ends it without notice, as `kill -9` does. */
    kill: () => end('SIGKILL'),
    /** Ends it as a supervisor does. */
    stop: () => end('SIGTERM'),
  }
}
