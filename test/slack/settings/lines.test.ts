import { expect, test } from 'vitest'
import { linesFrom, linesInput, linesOf, typedLines } from '../../../src/slack/settings/lines.ts'

const OPTIONS = { hint: 'One per line.', placeholder: 'x', required: true }

/** Longer than the 3,000 characters of Slack's inputs. */
const LONG = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(75, 'x'))

test('shows a whole list if an input has room for it', () => {
  expect(linesFrom([])).toEqual({ text: '', kept: [] })
  expect(linesFrom(LONG.slice(0, 39))).toEqual({ text: LONG.slice(0, 39).join('\n'), kept: [] })
  const { optional, hint } = linesInput('domains', linesFrom(['a', 'b']), OPTIONS)
  expect([optional, hint?.text]).toEqual([false, 'One per line.'])
})

test('shows the start of a longer list, with room to type, and keeps the rest', () => {
  const lines = linesFrom(LONG)
  expect(lines.text.length).toBeLessThanOrEqual(2_500)
  expect([...lines.text.split('\n'), ...lines.kept]).toEqual(LONG)
  const input = linesInput('domains', lines, OPTIONS)
  expect(input.optional).toBe(true)
  expect(input.hint?.text).toBe('One per line. 68 more lines don’t fit here and stay as they are.')
  const values = { domains: { input: { type: 'plain_text_input', value: 'new\n0' } } }
  const typed = linesOf(typedLines(values, 'domains', LONG)).map(({ text }) => text)
  expect(typed).toEqual(['new', '0', ...lines.kept])
})

test('numbers the lines that are not blank', () => {
  expect(linesOf({ text: ' a \n\nb', kept: ['c'] })).toEqual([
    { number: 1, text: 'a' },
    { number: 3, text: 'b' },
    { number: 4, text: 'c' },
  ])
})
