import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { createTerminal, wrap } from '../../src/setup/terminal.ts'
import { tempDirForEach } from '../support/temp-dir-for-each.ts'

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const COMMAND = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN, 'setup']

const directory = tempDirForEach()
let child: ChildProcessWithoutNullStreams | undefined
afterEach(async () => {
  child?.kill('SIGKILL')
})

test('breaks long lines between words, and never a URL', () => {
  const url = `https://example.com/${'a'.repeat(90)}`
  const words = (count: number): string => Array<string>(count).fill('word').join(' ')
  expect(wrap(`${words(20)} ${url} end`, '  ')).toBe([words(15), words(5), url, 'end'].join('\n  '))
})

test('reports what Slack says without the characters that would change the terminal', () => {
  const output = new PassThrough({ encoding: 'utf8' })
  const { signal } = new AbortController()
  const terminal = createTerminal({ input: new PassThrough(), output, signal })
  terminal.report('good', 'the workspace \u001b[2J\u202eAcme', 'see \u009b2Jthis')
  expect(stripVTControlCharacters(String(output.read()))).toBe(
    '✓ the workspace  [2J Acme\n  see  2Jthis\n',
  )
})

/** Runs the program in a terminal of its own, which `script` (Debian: bsdutils) opens. */
function runInTerminal(): ChildProcessWithoutNullStreams {
  const command = COMMAND.map((part) => `'${part}'`).join(' ')
  child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: directory.path,
    env: { PATH: process.env.PATH, TERM: 'xterm' },
  })
  return child
}

async function sees(program: ChildProcessWithoutNullStreams, expected: string): Promise<string> {
  let printed = ''
  for await (const chunk of program.stdout.iterator({ destroyOnReturn: false })) {
    printed += stripVTControlCharacters(String(chunk))
    if (printed.includes(expected)) return printed
  }
  throw new Error(`The terminal does not show “${expected}”:\n${printed}`)
}

test.skipIf(process.platform !== 'linux').for([
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
] as const)('%s in a real terminal stops without a trace', async ([, key]) => {
  const program = runInTerminal()
  await sees(program, 'How should Slack reach Backhalf?')
  program.stdin.write('\r')
  await sees(program, 'Who will use it?')
  program.stdin.write(key)
  await sees(program, 'Stopped. Nothing was changed.')
  const [code] = (await once(program, 'exit')) as [number]
  expect(code).toBe(1)
  expect(await readdir(directory.path)).toEqual([])
})

test.each([
  [[], 2, 'needs a terminal'],
  [['--help'], 0, 'Usage: npm run setup'],
  [['now'], 2, 'Usage: npm run setup'],
])('without a terminal, `setup %j` exits with %i', async (args, expected, printed) => {
  const [program = '', ...rest] = COMMAND
  child = spawn(program, [...rest, ...args], { cwd: directory.path, env: {} })
  child.stdin.end()
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(expected)
  expect(out).toContain(printed)
  expect(err).toBe('')
})
