import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { parseKeys } from '../../src/workspaces/keyring.ts'
import { withDirectory } from '../support/fixtures.ts'

/* The script of compose.yaml's service "secrets". .ci/check-containers runs it in a container. */

const { test, directory } = withDirectory()

interface Compose {
  services: { secrets: { entrypoint: [string, ...string[]]; command: [string] } }
}
const path = join(import.meta.dirname, '../../compose.yaml')
const { entrypoint, command } = (parse(readFileSync(path, 'utf8')) as Compose).services.secrets
const [shell, ...options] = entrypoint
// In compose.yaml, $$ stands for $. Only root can give a file away.
const asAnyUser = process.getuid?.() === 0 ? '' : 'chown() { :; }\n'
const script = asAnyUser + command[0].replaceAll('$$', '$')

const create = (): string =>
  execFileSync(shell, [...options, script], { cwd: directory.path, encoding: 'utf8' })
const file = (name: string): string => readFileSync(join(directory.path, name), 'utf8').trim()
const contents = (): string[] => readdirSync(directory.path).map((name) => `${name} ${file(name)}`)
const mode = (name: string): string =>
  (statSync(join(directory.path, name)).mode & 0o777).toString(8)

test('creates secrets that only their own user can read, and keeps existing ones', () => {
  expect(create()).toBe('')
  const names = ['database-password', 'database-url', 'encryption-keys']
  expect(readdirSync(directory.path)).toEqual(names)
  expect(names.map(mode)).toEqual(['444', '400', '600'])
  expect(parseKeys(file('encryption-keys'))).toHaveLength(1)
  expect(file('database-password')).toMatch(/^[0-9a-f]{48}$/)
  expect(new URL(file('database-url'))).toMatchObject({
    username: 'backhalf',
    password: file('database-password'),
    host: 'database',
    pathname: '/backhalf',
  })
  const before = contents()
  create()
  expect(contents()).toEqual(before)
})

test('creates both password files again if it was interrupted between them', () => {
  create()
  const [key, url] = [file('encryption-keys'), file('database-url')]
  rmSync(join(directory.path, 'database-password'))
  create()
  expect(file('encryption-keys')).toBe(key)
  expect(file('database-url')).not.toBe(url)
  expect(file('database-url')).toContain(file('database-password'))
})
