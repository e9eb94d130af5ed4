import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseKeys } from '../../src/workspaces/encryption-keys.ts'
import { makeTempDir } from '../support/temp-dir.ts'

const SCRIPT = join(import.meta.dirname, '../../deploy/create-secrets.ts')

let directory: Awaited<ReturnType<typeof makeTempDir>>
beforeEach(async () => {
  directory = await makeTempDir()
})
afterEach(() => directory.remove())

const create = (): void => {
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, directory.path])
}
const file = (name: string): string => readFileSync(join(directory.path, name), 'utf8').trim()
const contents = (): string[] => readdirSync(directory.path).map((name) => `${name} ${file(name)}`)

test('creates an encryption key, and a password for PostgreSQL that the URL contains', () => {
  create()
  expect(readdirSync(directory.path)).toEqual([
    'database-password',
    'database-url',
    'encryption-keys',
  ])
  expect(parseKeys(file('encryption-keys'))).toHaveLength(1)
  expect(file('database-password')).toMatch(/^[0-9a-f]{48}$/)
  expect(new URL(file('database-url'))).toMatchObject({
    username: 'backhalf',
    password: file('database-password'),
    host: 'database',
    pathname: '/backhalf',
  })
})

test('lets only its own user read the key and the URL', () => {
  create()
  const modes = ['encryption-keys', 'database-url'].map(
    (name) => statSync(join(directory.path, name)).mode & 0o077,
  )
  expect(modes).toEqual([0, 0])
})

test('keeps existing secrets', () => {
  create()
  const before = contents()
  create()
  expect(contents()).toEqual(before)
})
