import { expect, test } from 'vitest'
import { fieldMessages } from '../../src/client/field-messages.ts'

test.each([
  ['keyed by field', { title: 'Too long.', back_half: 'Taken.' }],
  ['below “fields”', { fields: { title: 'Too long.', back_half: 'Taken.' } }],
  ['below “errors”, as lists', { errors: { title: ['Too long.'], back_half: ['Taken.'] } }],
  [
    'in a list of errors',
    {
      errors: [
        { field: 'title', message: 'Too long.' },
        { field: 'back_half', message: 'Taken.' },
      ],
    },
  ],
])('reads messages %s', (_shape, details) => {
  expect(fieldMessages(details)).toEqual({ title: 'Too long.', back_half: 'Taken.' })
})

test('separates messages that are not sentences', () => {
  const title = ['is too long (at most 60 characters)', 'contains a space']
  expect(fieldMessages({ errors: { title, back_half: ['Too short.', 'Taken.'] } })).toEqual({
    title: 'is too long (at most 60 characters); contains a space',
    back_half: 'Too short. Taken.',
  })
})

test('keeps an unknown name if the service lists it as a field', () => {
  expect(fieldMessages({ fields: { utm_capaign: 'Unknown.' } })).toEqual({
    utm_capaign: 'Unknown.',
  })
})

test('ignores details that are not about fields', () => {
  expect(
    fieldMessages({
      hint: 'Ask your admin.',
      shortlink: { title: 'A' },
      title: 7,
      errors: [null, 'x'],
    }),
  ).toEqual({})
})

test('limits the number and the length of messages', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`field_${index}`, 'x'.repeat(10_000)]),
  )
  const messages = Object.values(fieldMessages({ fields }))
  expect(messages.length).toBe(20)
  expect(messages.every((message) => message.length === 300)).toBe(true)
})
