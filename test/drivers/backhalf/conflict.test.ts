import { expect, test } from 'vitest'
import { conflictingLink, conflictKind } from '../../../src/drivers/backhalf/conflict.ts'
import { ApiError } from '../../../src/port/failures.ts'
import { fieldMessages } from '../../../src/drivers/backhalf/read-api-error.ts'

const LINK = {
  name: 'a',
  destination_url: 'https://a.example/',
  shortlink_url: 'https://s.example/a',
}

function conflict(code?: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError({
    status: 409,
    message: 'Conflict.',
    code,
    details,
    fieldMessages: fieldMessages(details),
  })
}

test('a conflict without a back-half in the request is a duplicate, whatever its code', () => {
  expect(conflictKind(conflict('BACK_HALF_CONFLICT'), {})).toBe('duplicate')
  expect(conflictKind(conflict(), { back_half: '' })).toBe('duplicate')
})

test.each([
  ['BACK_HALF_CONFLICT', {}, 'back_half'],
  ['BACKHALF_TAKEN', {}, 'back_half'],
  ['DUPLICATE_DESTINATION_URL', {}, 'duplicate'],
  ['CONFLICT', { back_half: 'Taken.' }, 'back_half'],
  ['CONFLICT', { destination_url: 'Duplicate.' }, 'duplicate'],
  ['CONFLICT', { back_half: 'Perhaps.', destination_url: 'Perhaps.' }, 'unclear'],
  ['CONFLICT', {}, 'unclear'],
  [undefined, {}, 'unclear'],
])('with a back-half, a conflict with code %s and details %j is %s', (code, details, kind) => {
  expect(conflictKind(conflict(code, details), { back_half: 'spring' })).toBe(kind)
})

test('reads the conflicting link from the details if it is complete', () => {
  expect(conflictingLink(conflict('X', { shortlink: { ...LINK, title: null } }))).toEqual(LINK)
  expect(conflictingLink(conflict('X', { shortlink: { name: 'a' } }))).toBeUndefined()
  expect(conflictingLink(conflict('X'))).toBeUndefined()
})
