import { expect, test } from 'vitest'
import { parseListQuery } from '../../../src/service/api/list-links.ts'
import { ServiceError } from '../../../src/service/api/errors.ts'

test('defaults to the ten newest links', () => {
  expect(parseListQuery({})).toEqual({
    page: 1,
    per_page: 10,
    sort_by: 'most_recent',
    order: 'desc',
  })
})

test('accepts every parameter', () => {
  const query = { page: '3', per_page: '100', sort_by: 'updated_at', order: 'asc' }
  expect(parseListQuery(query)).toEqual({ ...query, page: 3, per_page: 100 })
})

test.each([
  [{ page: '0' }, ['page']],
  [{ page: '-1' }, ['page']],
  [{ page: '1.5' }, ['page']],
  [{ page: '' }, ['page']],
  [{ page: '9'.repeat(30) }, ['page']],
  [{ page: ['1', '2'] }, ['page']],
  [{ per_page: '0' }, ['per_page']],
  [{ per_page: '101' }, ['per_page']],
  [{ sort_by: 'title', order: 'up' }, ['order', 'sort_by']],
  [{ limit: '5' }, ['limit']],
])('rejects %j and names every invalid parameter', (query, names) => {
  const error = errorOf(() => parseListQuery(query))
  expect({ status: error.status, code: error.code }).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
  })
  expect(Object.keys(error.details?.['fields'] ?? {}).sort()).toEqual(names)
})

function errorOf(parse: () => unknown): ServiceError {
  try {
    parse()
  } catch (error) {
    if (error instanceof ServiceError) return error
  }
  throw new Error('it was accepted')
}
