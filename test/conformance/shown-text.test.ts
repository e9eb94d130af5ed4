import { expect, test } from 'vitest'
import { shownText, withoutKey } from '../../src/conformance/shown-text.ts'

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

const KEY = 'bh_hunter2"%/&Zz'
const html = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const unicode = Array.from(KEY, (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`).join(
  '',
)

test.each([
  ['in another case, as in a hostname', KEY.toUpperCase()],
  ['in a URL that escapes only some characters', KEY.replace('"', '%22')],
  ['in a URL in a URL', encodeURIComponent(encodeURIComponent(KEY))],
  [
    'with every character escaped for a URL',
    `%${Buffer.from(KEY).toString('hex').replaceAll(/..\B/g, '$&%')}`,
  ],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(KEY))],
  ['in JSON that escapes all characters', unicode],
  ['in HTML', html(KEY)],
  ['in HTML in HTML', html(html(KEY))],
  ['in HTML with numbers', Array.from(KEY, (c) => `&#${c.charCodeAt(0)};`).join('')],
  ['in base64', Buffer.from(KEY).toString('base64')],
  ['in base64 after another byte', Buffer.from(`a${KEY}`).toString('base64')],
  ['in base64url between others', Buffer.from(`ab${KEY}ÿ`).toString('base64url')],
  ['in hex', Buffer.from(KEY).toString('hex')],
  ['after so many spaces that it is cut', `${' '.repeat(1_262)}${KEY}`],
])('removes a key %s', (_, text) => {
  const shown = shownText(`before: ${text} after`, KEY)
  expect(shown).toMatch(/^before: .{0,7}\[API key\].{0,7} after$/)
})

test('removes a key quickly from any text', () => {
  for (const part of ['\\', '%25', '&amp;', '&#0', ' ', 'bh_']) {
    expect(withoutKey(part.repeat(1_000_000 / part.length), KEY)).not.toContain('[API key]')
  }
})
