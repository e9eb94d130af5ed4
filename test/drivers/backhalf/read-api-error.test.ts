import { expect, test } from 'vitest'
import { parseJson } from '../../../src/client/json.ts'
import { failedResponse } from '../../../src/client/requests.ts'
import {
  readApiError,
  fieldMessages,
  type About,
} from '../../../src/drivers/backhalf/read-api-error.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

function read(
  status: number,
  error: unknown,
  headers: Record<string, string> = {},
  about: About = {},
) {
  const text = JSON.stringify({ error })
  const response = { status, text, header: (name: string) => headers[name] }
  const details = readApiError(parseJson(response.text, 'bh_hunter2'), status, about)
  return failedResponse(response, details, NOW)
}

test('falls back to a message of our own, member by member, and shortens a message to 500 characters', () => {
  expect(read(400, { code: 'BAD_REQUEST', message: ' ', details: 'none' })).toMatchObject({
    message: 'The link service responded with 400 and no explanation.',
    code: 'BAD_REQUEST',
  })
  expect(read(400, { message: 'x'.repeat(10_000) }).message).toBe('x'.repeat(500))
})

test.each([
  [undefined, 2_000],
  ['Sun, 01 Mar 2026 12:02:00 GMT', 120_000],
])('with the Retry-After %s, a 429 asks for a wait of %i ms', (header = '', retryAfterMs) => {
  const error = read(429, { message: 'Slow down.' }, { 'retry-after': header })
  expect(error).toMatchObject({
    message: 'Slow down.',
    failure: { kind: 'busy', retryAfterMs },
    retryable: true,
  })
})

test.each([
  ['req-7', 'req-7'],
  ['two words', undefined],
  ['x'.repeat(101), undefined],
])('reads the request id “%s” as %s', (header, requestId) => {
  expect(read(400, {}, { 'x-request-id': header }).requestId).toBe(requestId)
})

const LISTED = [
  { field: 'title', message: 'Too long.' },
  { field: 'back_half', message: 'Taken.' },
]

test.each([
  ['keyed by field', { title: 'Too long.', back_half: 'Taken.' }],
  ['below “fields”', { fields: { title: 'Too long.', back_half: 'Taken.' } }],
  ['below “errors”, as lists', { errors: { title: ['Too long.'], back_half: ['Taken.'] } }],
  ['in a list of errors', { errors: LISTED }],
])('reads messages %s', (_shape, details) => {
  expect(fieldMessages(details)).toEqual({ title: 'Too long.', back_half: 'Taken.' })
})

const LINK = {
  name: 'a',
  destination_url: 'https://a.example/',
  shortlink_url: 'https://s.example/a',
}

const conflict = (backHalf: boolean, code?: string, details: object = {}) =>
  read(409, { code, details }, {}, { mayConflict: { backHalf } }).failure

test('a conflict without a back-half in the request is a duplicate, whatever its code', () => {
  expect(conflict(false, 'BACK_HALF_CONFLICT').kind).toBe('duplicate')
  expect(conflict(false).kind).toBe('duplicate')
})

test.each([
  ['BACK_HALF_CONFLICT', {}, 'back_half_taken'],
  ['BACKHALF_TAKEN', {}, 'back_half_taken'],
  ['DUPLICATE_DESTINATION_URL', {}, 'duplicate'],
  ['CONFLICT', { back_half: 'Taken.' }, 'back_half_taken'],
  ['CONFLICT', { destination_url: 'Duplicate.' }, 'duplicate'],
  ['CONFLICT', { back_half: 'Perhaps.', destination_url: 'Perhaps.' }, 'conflict'],
  ['CONFLICT', {}, 'conflict'],
  [undefined, {}, 'conflict'],
])('with a back-half, a conflict with code %s and details %j is %s', (code, details, kind) => {
  expect(conflict(true, code, details).kind).toBe(kind)
})

test('reads the conflicting link from the details if it is complete', () => {
  const link = (shortlink: object) => conflict(false, 'X', { shortlink })
  expect(link({ ...LINK, title: null })).toEqual({ kind: 'duplicate', link: LINK })
  expect(link({ name: 'a' })).toEqual({ kind: 'duplicate' })
})

test('separates messages that are not sentences', () => {
  const title = ['is too long (at most 60 characters)', 'contains a space']
  expect(fieldMessages({ errors: { title, back_half: ['Too short.', 'Taken.'] } })).toEqual({
    title: 'is too long (at most 60 characters); contains a space',
    back_half: 'Too short. Taken.',
  })
})

test('keeps an unknown name if the service lists it as a field, and ignores what is not about fields', () => {
  const fields = { utm_capaign: 'Unknown.' }
  expect(fieldMessages({ fields })).toEqual(fields)
  const shortlink = { title: 'A' }
  const others = { hint: 'Ask your admin.', shortlink, title: 7, errors: [null, 'x'] }
  expect(fieldMessages(others)).toEqual({})
})

test('limits the number and the length of messages', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`field_${index}`, 'x'.repeat(10_000)]),
  )
  const messages = Object.values(fieldMessages({ fields }))
  expect(messages.length).toBe(20)
  expect(messages.every((message) => message.length === 300)).toBe(true)
})
