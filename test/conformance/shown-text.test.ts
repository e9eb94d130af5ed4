import { expect, test } from 'vitest'
import { shownText } from '../../src/conformance/shown-text.ts'

test.each([
  ['a\n  b\tc', 'a b c'],
  ['\u001b[31mred\u202e', '\\u{1b}[31mred\\u{202e}'],
  ['{"key":"a\\"%"} a"% a%22%25', '{"key":"[API key]"} [API key] [API key]'],
])('shows %j on one line, without the key and without control characters', (text, shown) => {
  expect(shownText(text, 'a"%')).toBe(shown)
})

test('removes even a key that is part of its replacement', () => {
  expect(shownText('kk', 'k')).toBe('[API key][API key]')
})

test('cuts a long text, and never a key on the border', () => {
  expect(shownText('x'.repeat(300), 'secret', 10)).toBe(`${'x'.repeat(10)}…`)
  expect(shownText(`${'x'.repeat(7)}secret`, 'secret', 10)).not.toContain('sec')
})
