import { expect, test } from 'vitest'
import { formatHelp, formatReport, parseInput } from '../../../src/service/admin/command.ts'

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

test('says that a list is empty', () => {
  expect(formatReport({ data: [] })).toBe('None.\n')
})

test('replaces control characters', () => {
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
  expect(() => parseInput({}, ['--frob'])).toThrow(/--frob[^]*npm run admin -- help/)
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
