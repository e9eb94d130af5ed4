import { expect, test } from 'vitest'
import { colorError, namingError, oneOf } from '../../../src/slack/platform/field-errors.ts'

test('namingError names the value and the allowed ones, at the field', () => {
  const [name, list] = ['utm_source', 'sources'] as const
  expect(namingError({ name, list, value: 'twitter', allowed: ['news-letter', 'blog'] })).toEqual({
    field: 'utm_source',
    message: '“twitter” isn’t one of this workspace’s sources. Use “news-letter” or “blog”.',
  })
})

test('namingError cuts a long value', () => {
  const value = 'x'.repeat(3000)
  const { message } = namingError({
    name: 'utm_medium',
    list: 'mediums',
    value,
    allowed: ['email'],
  })
  expect(message.length).toBeLessThan(200)
})

test('colorError accepts dark colors, and explains what is wrong with others', () => {
  expect(colorError('#1F4F46')).toBeUndefined()
  expect(colorError('green')).toBe('Write the color as #RRGGBB, like #1F4F46.')
  expect(colorError('#ffff99')).toBe(
    '#ffff99 is too pale: phones couldn’t scan it on white. Choose a darker color.',
  )
})

const names = (number: number): string[] =>
  Array.from({ length: number }, (_, index) => `n${index}`)

test.each([
  [['go'], '“go”'],
  [['go', 'to'], '“go” or “to”'],
  [['a', 'b', 'c'], '“a”, “b” or “c”'],
])('names the choices %j as %s', (choices, text) => {
  expect(oneOf(choices)).toBe(text)
})

test('names the first of many choices, and never leaves out just one', () => {
  expect(oneOf(names(11))).toMatch(/“n9” or “n10”$/)
  expect(oneOf(names(12))).toMatch(/“n9” or one of 2 more$/)
})

test('cuts long choices so that a hundred of them still make a sentence', () => {
  const hostnames = Array.from({ length: 100 }, () => 'a.'.repeat(126))
  expect(oneOf(hostnames).length).toBeLessThan(1000)
})
