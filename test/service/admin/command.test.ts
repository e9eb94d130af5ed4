import { expect, test } from 'vitest'
import {
  formatHelp,
  formatReport,
  parseCount,
  parseInput,
  parseName,
  parseTime,
} from '../../../src/service/admin/command.ts'

test('formats a record with one line for each field, after the message', () => {
  const data = { id: 'k1', scopes: ['a', 'b'], expires_at: null }
  expect(formatReport({ message: 'Key created.', data })).toBe(
    'Key created.\n\nid          k1\nscopes      a, b\nexpires_at  -\n',
  )
})

test('formats a list as a table', () => {
  const data = [
    { id: 'k1', name: 'Website', uses: 12 },
    { id: 'key-2', name: 'A', uses: null },
  ]
  expect(formatReport({ data })).toBe(
    'id     name     uses\nk1     Website  12\nkey-2  A        -\n',
  )
})

test('says that a list is empty, and replaces control characters', () => {
  expect(formatReport({ data: [] })).toBe('None.\n')
  expect(formatReport({ data: { name: 'a\u001b[2Jb\nc' } })).toBe('name  a [2Jb c\n')
})

test('parses options and arguments without a name', () => {
  const two = { args: 'FROM [TO]', options: { org: { value: 'ORG' } } }
  const parsed = parseInput(two, ['a', '--org', 'Acme', 'b'])
  expect(parsed).toEqual({ args: ['a', 'b'], options: { org: 'Acme' } })
  expect(parseInput(two, ['a']).args).toEqual(['a'])
  expect(() => parseInput(two, [])).toThrow('Missing argument: FROM.')
  expect(() => parseInput(two, ['a', 'b', 'c'])).toThrow('Unexpected argument: c')
  expect(() => parseInput({}, ['postgres://a:secret@b'])).toThrow(/^Unexpected argument\.$/)
})

test('says what a command takes if an option is unknown or has no value', () => {
  const unknown =
    /^Unknown option '--frob'.*\nThe command takes no arguments and no options\.\nSee: npm run admin -- help$/
  expect(() => parseInput({}, ['--frob=x'])).toThrow(unknown)
  const quota = { args: 'ORG [TO]', options: { links: { value: 'N' }, name: { value: 'TEXT' } } }
  const accepted = '\nThe command takes ORG, [TO], --links N, --name TEXT.\n'
  for (const words of [['--limit', '5'], ['--links'], ['--links', '--name', 'x']]) {
    const run = () => parseInput(quota, ['Acme', ...words])
    expect(run).toThrow(words[0])
    expect(run).toThrow(accepted)
  }
})

test('explains commands and their options in groups', () => {
  const commands = {
    'keys create': { help: 'create a key', options: { rate: { value: 'N', help: 'one\ntwo' } } },
    'keys revoke': { args: 'ID' },
    backup: { args: 'FILE', help: 'copy it' },
  }
  expect(formatHelp(commands)).toBe(`
  keys create                 create a key
    --rate N                  one
                              two
  keys revoke ID

  backup FILE                 copy it`)
})

const NOW = Date.parse('2027-03-01T12:00:00.000Z')

test.each([
  ['90d', '2027-05-30T12:00:00.000Z'],
  ['2027-12-31', '2027-12-31T00:00:00.000Z'],
  ['2027-12-31T18:00', '2027-12-31T18:00:00.000Z'],
  ['2027-12-31T18:00:30Z', '2027-12-31T18:00:30.000Z'],
  ['2027-12-31T18:00+02:00', '2027-12-31T16:00:00.000Z'],
])('parses the time %s', (text, time) => {
  expect(new Date(parseTime(text, NOW)).toISOString()).toBe(time)
})

test.each(['', '90', '0d', '-1d', '2027-03-01', '2027-13-01', '31.12.2027', 'tomorrow'])(
  'rejects the time “%s”',
  (text) => {
    expect(() => parseTime(text, NOW)).toThrow(`“${text}” is not a time in the future.`)
  },
)

test('parses whole numbers from a minimum', () => {
  expect([parseCount('0', '--links', 0), parseCount('999999999', '--links', 0)]).toEqual([
    0, 999_999_999,
  ])
  for (const text of ['0', '-1', '1.5', '1e3', '', '1000000000']) {
    expect(() => parseCount(text, '--rate', 1)).toThrow('--rate must be a whole number from 1')
  }
})

test('parses names of one line', () => {
  expect(parseName('  Acme & Söhne ')).toBe('Acme & Söhne')
  for (const text of ['', '  ', 'a\nb', 'x'.repeat(201)]) {
    expect(() => parseName(text)).toThrow('The name must be one line of 1 to 200 characters.')
  }
})
