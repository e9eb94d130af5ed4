import { expect, test } from 'vitest'
import { formatReport } from '../../../src/service/admin/command.ts'

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
