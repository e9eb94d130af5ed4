import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parseKeys } from '../../src/workspaces/encryption-keys.ts'
import { withDirectory } from '../support/fixtures.ts'

const SCRIPT = join(import.meta.dirname, '../../deploy/create-secrets.ts')

const { test, directory } = withDirectory()

const create = (): void => {
  execFileSync(process.execPath, [SCRIPT, directory.path])
}
const file = (name: string): string => readFileSync(join(directory.path, name), 'utf8').trim()
const contents = (): string[] => readdirSync(directory.path).map((name) => `${name} ${file(name)}`)

test('creates secrets that only its own user can read, and keeps existing ones', () => {
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
  const modes = ['encryption-keys', 'database-url'].map(
    (name) => statSync(join(directory.path, name)).mode & 0o077,
  )
  expect(modes).toEqual([0, 0])
  const before = contents()
  create()
  expect(contents()).toEqual(before)
})
