import { expect, test } from 'vitest'
import { z } from 'zod'
import { listQuery } from '../../src/contract/list-query.ts'

test('defaults to the first ten links, the most recent first', () => {
  expect(listQuery.parse({})).toEqual({
    page: 1,
    per_page: 10,
    sort_by: 'most_recent',
    order: 'desc',
  })
})

test('decodes the text of a query and encodes it again', () => {
  const text = { page: '3', per_page: '20', sort_by: 'created_at', order: 'asc' } as const
  const query = z.decode(listQuery, text)
  expect(query).toEqual({ ...text, page: 3, per_page: 20 })
  expect(z.encode(listQuery, query)).toEqual(text)
})

test.each(['0', '-1', '1.5', 'two', '', '1234567890'])('rejects “%s” as a page', (page) => {
  expect(listQuery.safeParse({ page }).success).toBe(false)
})
