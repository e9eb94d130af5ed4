import { expect, test } from 'vitest'
import {
  ago,
  cut,
  destinationLink,
  cutMrkdwn,
  day,
  escape,
  isolate,
  isWebUrl,
  link,
  unescape,
  unwrapLink,
} from '../../../src/slack/block-kit/mrkdwn.ts'

test('ends text that does not fit with an ellipsis, and does not cut through a character', () => {
  expect(cut('abcde', 5)).toBe('abcde')
  expect(cut('abcdef', 5)).toBe('abcd…')
  expect(cut('ab🔗🔗', 4)).toBe('ab…')
  expect(cut('ab🔗🔗', 5)).toBe('ab🔗…')
})

test('escapes text so that it can neither ping nor link, and unescapes it', () => {
  const escaped = '&lt;!channel&gt; &amp; &lt;@U1&gt;'
  expect(escape('<!channel> & <@U1>')).toBe(escaped)
  expect(unescape(escaped)).toBe('<!channel> & <@U1>')
  expect(unescape('&amp;lt;')).toBe('&lt;')
})

test.each([
  ['ab&cd', 7, 'ab…'],
  ['ab&cd', 8, 'ab&amp;…'],
  ['ab🔗🔗', 4, 'ab…'],
])('escapes %s to at most %i characters without breaking an entity', (text, max, expected) => {
  expect(escape(text, max)).toBe(expected)
})

test('leaves out a link that does not fit instead of cutting it', () => {
  expect(cutMrkdwn('see <https://example.com|here>.', 30)).toBe('see …')
  expect(cutMrkdwn('see <https://example.com|here>, or not', 35)).toBe(
    'see <https://example.com|here>, or…',
  )
})

test('keeps a link whole if its URL contains a pipe or a bracket, and links no other schemes', () => {
  expect(link('https://example.com/a|b>c', 'x|y')).toBe('<https://example.com/a%7Cb&gt;c|x¦y>')
  expect(link('javascript:alert(1)', 'Click & win')).toBe('Click &amp; win')
})

test.each([
  ['<https://example.com/a?b=1|example.com>', 'https://example.com/a?b=1'],
  ['<https://example.com>', 'https://example.com'],
  ['https://example.com', 'https://example.com'],
  ['<a> and <b>', '<a> and <b>'],
])('unwraps %s to %s', (word, expected) => {
  expect(unwrapLink(word)).toBe(expected)
})

test('recognizes web URLs', () => {
  const texts = ['https://a.example', 'HTTP://a.example', 'ftp://a.example', 'a.example']
  expect(texts.map(isWebUrl)).toEqual([true, true, false, false])
})

test('isolates text that contains direction characters of its own', () => {
  expect(isolate('a\u2069\u202eb\u2066')).toBe('\u2068ab\u2069')
})

test('lets Slack write a time and a day, shows the UTC day in clients that can’t, and nothing for no time', () => {
  expect(ago('2026-11-20T10:00:00.500Z')).toBe('<!date^1795168800^{ago}|2026-11-20>')
  expect(day(1_795_168_800_500)).toBe('<!date^1795168800^{date_long}|2026-11-20>')
  expect(ago('yesterday')).toBe('')
})

test('links a destination to the address that a browser would open, and shows it', () => {
  expect(destinationLink(String.raw`https:\\evil.example\@bank.example/`, 80)).toBe(
    '<https://evil.example/@bank.example/|evil.example/@bank.example/>',
  )
  expect(destinationLink('https://example.com/a|b?c=<d>', 80)).toBe(
    '<https://example.com/a%7Cb?c=%3Cd%3E|example.com/a¦b?c=%3Cd%3E>',
  )
})

test.each(['javascript:alert(1)', 'slack://user', 'ftp://example.com/a', 'https://example.com/a…'])(
  'does not link %s',
  (url) => {
    expect(destinationLink(url, 80)).not.toContain('<')
  },
)
