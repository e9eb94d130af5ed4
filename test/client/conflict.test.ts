import { expect, test } from 'vitest'
import { conflictKind, existingLink } from '../../src/client/conflict.ts'
import { ApiError } from '../../src/client/errors/api-error.ts'
import { fieldMessages } from '../../src/client/field-messages.ts'

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

test('where no back-half was sent, it is a duplicate whatever the code', () => {
  expect(conflictKind(conflict('BACK_HALF_CONFLICT'), {})).toBe('duplicate')
  expect(conflictKind(conflict(), { back_half: '' })).toBe('duplicate')
})

test.each([
  ['BACK_HALF_CONFLICT', {}, 'back_half'],
  ['BACKHALF_TAKEN', {}, 'back_half'],
  ['DUPLICATE_DESTINATION_URL', {}, 'duplicate'],
  ['CONFLICT', { back_half: 'Taken.' }, 'back_half'],
  ['CONFLICT', { fields: { back_half: ['Taken.'] } }, 'back_half'],
  ['CONFLICT', { destination_url: 'Shortened already.' }, 'duplicate'],
  ['CONFLICT', { back_half: 'Perhaps.', destination_url: 'Perhaps.' }, 'unclear'],
  ['CONFLICT', {}, 'unclear'],
  [undefined, {}, 'unclear'],
])('with a back-half, code %s and details %j mean %s', (code, details, kind) => {
  expect(conflictKind(conflict(code, details), { back_half: 'spring' })).toBe(kind)
})

test('the link that is there already is read from the details', () => {
  expect(existingLink(conflict('X', { shortlink: { ...LINK, title: null } }))).toEqual(LINK)
  expect(existingLink(conflict('X', { shortlink: { name: 'a' } }))).toBeUndefined()
  expect(existingLink(conflict('X'))).toBeUndefined()
})
