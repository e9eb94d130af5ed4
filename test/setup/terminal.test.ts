import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, expect } from 'vitest'
import { runSetup } from '../../src/setup/run-setup.ts'
import { createTerminal, wrap } from '../../src/setup/terminal.ts'
import { withDirectory } from '../support/fixtures.ts'

const MAIN = join(import.meta.dirname, '../../src/main.cjs')
const COMMAND = [process.execPath, MAIN, 'setup']

const { test, directory } = withDirectory()
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
  terminal.report('ok', 'the workspace \u001b[2J\u202eAcme', 'see \u009b2Jthis')
  expect(stripVTControlCharacters(String(output.read()))).toBe(
    '✓ the workspace  [2J Acme\n  see  2Jthis\n',
  )
})

/** Reads what the program prints in a terminal of its own, which `script` (Debian: bsdutils) opens. */
async function sees(program: ChildProcessWithoutNullStreams, expected: string): Promise<string> {
  let printed = ''
  for await (const chunk of program.stdout.iterator({ destroyOnReturn: false })) {
    printed += stripVTControlCharacters(String(chunk))
    if (printed.includes(expected)) return printed
  }
  throw new Error(`The terminal does not show “${expected}”:\n${printed}`)
}

// Ctrl-C reaches the question as a character, also in a real terminal (run-setup.test.ts).
test.skipIf(process.platform !== 'linux')(
  'Ctrl-D in a real terminal stops without a trace',
  async () => {
    const command = COMMAND.map((part) => `'${part}'`).join(' ')
    child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: directory.path,
      env: { PATH: process.env.PATH, TERM: 'xterm' },
    })
    await sees(child, 'How should Slack reach Backhalf?')
    child.stdin.write('\r')
    await sees(child, 'Who will use it?')
    child.stdin.write('\x04')
    await sees(child, 'Stopped. Nothing was changed.')
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(1)
    expect(await readdir(directory.path)).toEqual([])
  },
)

test.each([
  [[], 2, 'needs a terminal'],
  [['--help'], 0, 'Usage: npm run setup'],
  [['now'], 2, 'Usage: npm run setup'],
])('without a terminal, `setup %j` exits with %i', async (args, expected, printed) => {
  const output = new PassThrough({ encoding: 'utf8' })
  const code = await runSetup(args, {
    input: new PassThrough(),
    output,
    signal: new AbortController().signal,
    isTerminal: false,
    directory: directory.path,
    environment: {},
  })
  expect(code).toBe(expected)
  expect(output.read()).toContain(printed)
})
