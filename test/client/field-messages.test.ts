import { expect, test } from 'vitest'
import { fieldMessages } from '../../src/client/field-messages.ts'

test.each([
  ['keyed by field', { title: 'Too long.', back_half: 'Taken.' }],
  ['below fields', { fields: { title: 'Too long.', back_half: 'Taken.' } }],
  ['below errors, as lists', { errors: { title: ['Too long.'], back_half: ['Taken.'] } }],
  [
    'as a list',
    {
      errors: [
        { field: 'title', message: 'Too long.' },
        { field: 'back_half', message: 'Taken.' },
      ],
    },
  ],
])('messages %s are read', (_shape, details) => {
  expect(fieldMessages(details)).toEqual({ title: 'Too long.', back_half: 'Taken.' })
})

test('a field that we do not know is kept where the service says that it is one', () => {
  expect(fieldMessages({ fields: { utm_capaign: 'Unknown.' } })).toEqual({
    utm_capaign: 'Unknown.',
  })
})

test('details that are about something else give no messages', () => {
  expect(
    fieldMessages({
      hint: 'Ask your admin.',
      shortlink: { title: 'A' },
      title: 7,
      errors: [null, 'x'],
    }),
  ).toEqual({})
})

test('messages are few and short, whatever the service sends', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`field_${index}`, 'x'.repeat(10_000)]),
  )
  const messages = Object.values(fieldMessages({ fields }))
  expect(messages.length).toBe(20)
  expect(messages.every((message) => message.length === 300)).toBe(true)
})
