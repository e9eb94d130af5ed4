import { expect, test } from 'vitest'
import { parseListQuery } from '../../../src/service/list-rules.ts'
import { ServiceError } from '../../../src/service/service-error.ts'

test('without parameters it is the ten newest', () => {
  expect(parseListQuery({})).toEqual({
    page: 1,
    per_page: 10,
    sort_by: 'most_recent',
    order: 'desc',
  })
})

test('every parameter is taken', () => {
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
])('%j is refused, and every parameter at fault is named', (query, names) => {
  const refusal = refusalOf(() => parseListQuery(query))
  expect({ status: refusal.status, code: refusal.code }).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
  })
  expect(Object.keys(refusal.details?.['fields'] ?? {}).sort()).toEqual(names)
})

function refusalOf(parse: () => unknown): ServiceError {
  try {
    parse()
  } catch (error) {
    if (error instanceof ServiceError) return error
  }
  throw new Error('it was not refused')
}
