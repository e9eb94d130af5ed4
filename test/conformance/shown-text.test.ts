import { expect, test } from 'vitest'
import { keyPattern, shownText, withoutKey } from '../../src/conformance/shown-text.ts'

test.each([
  ['a\n  b\tc', 'a b c'],
  ['\u001b[31mred\u202e', '\\u{1b}[31mred\\u{202e}'],
  ['{"key":"a\\"%"} a"% a%22%25', '{"key":"[API key]"} [API key] [API key]'],
])('shows %j on one line, without the key and without control characters', (text, shown) => {
  expect(shownText(text, keyPattern('a"%'))).toBe(shown)
})

test('removes even a key that is part of its replacement', () => {
  expect(shownText('kk', keyPattern('k'))).toBe('[API key][API key]')
})

test('cuts a long text, and never a key on the border', () => {
  expect(shownText('x'.repeat(300), keyPattern('secret'), 10)).toBe(`${'x'.repeat(10)}…`)
  expect(shownText(`${'x'.repeat(7)}secret`, keyPattern('secret'), 10)).not.toContain('sec')
})

const KEY = 'bh_hunter2"%/&Zz'

const HEX = Buffer.from(KEY).toString('hex')

test.each([
  ['in another case, as in a hostname', KEY.toUpperCase()],
  ['in a URL that escapes only some characters', KEY.replace('"', '%22')],
  ['with every character escaped for a URL', `%${HEX.replaceAll(/..\B/g, '$&%')}`],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(KEY))],
  ['after so many spaces that it is cut', `${' '.repeat(1_262)}${KEY}`],
])('removes a key %s', (_, text) => {
  const shown = shownText(`before: ${text} after`, keyPattern(KEY))
  expect(shown).toMatch(/^before: .{0,7}\[API key\].{0,7} after$/)
})

test('removes a key quickly from any text', () => {
  for (const part of ['\\', '%25', ' ', 'bh_']) {
    const shown = withoutKey(part.repeat(1_000_000 / part.length), keyPattern(KEY))
    expect(shown).not.toContain('[API key]')
  }
})
