import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Linter } from 'eslint'
import { expect } from 'vitest'
import { withDirectory } from './support/fixtures.ts'

const PROJECT = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

const { test, directory, at } = withDirectory()

/** Installs a `node` that refuses newer options and runs no TypeScript, like Node.js 18. */
async function installOldNode(): Promise<void> {
  await writeFile(
    at('version.cjs'),
    "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })",
  )
  const run = `exec '${process.execPath}' --no-strip-types -r '${at('version.cjs')}' "$@"`
  const refuse = 'case "$*" in --*) echo "node: bad option: $1" >&2; exit 9; esac'
  await writeFile(at('node'), `#!/bin/sh\n${refuse}\n${run}\n`, { mode: 0o755 })
}

// "check" starts with "npm run types".
test.each(Object.keys(scripts).filter((name) => name !== 'check'))(
  'an old Node.js gets one sentence from npm run %s',
  async (name) => {
    await installOldNode()
    const { status, stdout, stderr } = spawnSync(scripts[name] ?? '', {
      cwd: PROJECT,
      env: { PATH: [directory.path, process.env.PATH].join(delimiter) },
      shell: true,
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' })
    expect(stderr).toMatch(
      /^Backhalf needs Node\.js 26 or later, but this is Node\.js 18\.20\.8\. Install .+\n$/,
    )
  },
)

test('the check of the version uses no syntax that Node.js 10 lacks', () => {
  const code = readFileSync(join(PROJECT, 'src/runtime.cjs'), 'utf8')
  const languageOptions = { ecmaVersion: 2018, sourceType: 'commonjs' } as const
  expect(new Linter().verify(code, { languageOptions })).toEqual([])
})
