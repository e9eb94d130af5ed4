import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { parseEncryptionKeys } from '../../src/config/config.ts'
import { readVariables, unknownVariables } from '../../src/config/variables.ts'
import { withDirectory } from '../support/fixtures.ts'

function read(env: Record<string, string>) {
  const issues: string[] = []
  const values = readVariables(env, issues)
  return { values, issues }
}

const { test, at } = withDirectory()

test('reads a value from the file that NAME_FILE names, if it is the only one and can be read', () => {
  const path = at('port')
  writeFileSync(path, '8080\n')
  expect(read({ PORT_FILE: path })).toEqual({ values: { PORT: 8080 }, issues: [] })
  expect(read({ PORT_FILE: path, PORT: '1' }).issues).toEqual([
    'PORT and PORT_FILE: set only one of them',
  ])
  expect(read({ PORT_FILE: `${path}.gone` }).issues).toEqual(['PORT_FILE: the file can’t be read'])
})

test('names the line of an invalid key in the file of ENCRYPTION_KEYS_FILE', () => {
  const path = at('keys')
  writeFileSync(path, `\n${Buffer.alloc(32).toString('base64')}\r\nhunter2\r\n`)
  expect(() => parseEncryptionKeys({ ENCRYPTION_KEYS_FILE: path })).toThrow(
    /ENCRYPTION_KEYS: Encryption key 2 of 2 is not 32 bytes(?!.*hunter2)/,
  )
})

test('the size of the pool is at least 2', () => {
  expect(read({ DATABASE_POOL_SIZE: '2' }).values).toEqual({ DATABASE_POOL_SIZE: 2 })
  expect(read({ DATABASE_POOL_SIZE: '1' }).issues).toEqual([
    'DATABASE_POOL_SIZE: must be a whole number from 2 to 1000',
  ])
})

test('ignores unknown and empty variables', () => {
  expect(read({ PATH: '/bin', PORT: '', HOST: ' ' })).toEqual({ values: {}, issues: [] })
})

const NO_ORIGINS = ['https://a.example/go', 'https://a.example?x=1', 'ftp://a.example', 'a.example']

test.each(NO_ORIGINS)('rejects %s as the link service’s public URL', (SERVICE_PUBLIC_URL) => {
  expect(read({ SERVICE_PUBLIC_URL }).issues).toEqual([
    'SERVICE_PUBLIC_URL: must be an http:// or https:// URL without a path, like https://go.example.com',
  ])
})

test.each(['loopback', '10.0.0.0/8, ::1/128', 'uniquelocal,127.0.0.1'])(
  'accepts %s as a trusted proxy',
  (value) => expect(read({ TRUST_PROXY: value }).values.TRUST_PROXY).toBe(value),
)

test.each(['everybody', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.1,'])(
  'rejects %s as a trusted proxy',
  (value) => expect(read({ TRUST_PROXY: value }).issues.join()).toMatch(/^TRUST_PROXY: must be/),
)

test.each(['/s', '/go-links', '/go_2', `/${'s'.repeat(31)}`])('accepts the command %s', (name) => {
  expect(read({ SLACK_COMMAND: name }).values.SLACK_COMMAND).toBe(name)
})

test.each(['short', '/', '/Short', '/go links', '//go', '/kürzen', `/${'s'.repeat(32)}`])(
  'rejects %s as a command',
  (name) => {
    expect(read({ SLACK_COMMAND: name }).issues).toEqual([
      'SLACK_COMMAND: must be a slash and 1 to 31 lower-case letters, digits, hyphens or underscores, like /short',
    ])
  },
)

test('finds misspelled names, and knows each NAME_FILE', () => {
  expect(unknownVariables(['PORT', 'PORT_FILE', 'SLACK_BOT_TOKN', 'toString'])).toEqual([
    'SLACK_BOT_TOKN',
    'toString',
  ])
})
