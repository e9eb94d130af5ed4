import { expect, test } from 'vitest'
import {
  ago,
  cutMarkup,
  escape,
  isolate,
  link,
  readable,
} from '../../../src/slack/blocks/mrkdwn.ts'

test('text can neither ping nor link', () => {
  expect(escape('<!channel> & <@U1>')).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt;')
})

test.each([
  ['ab&cd', 7, 'ab…'],
  ['ab&cd', 8, 'ab&amp;…'],
  ['ab🔗🔗', 4, 'ab…'],
])('%s in %i characters keeps its entities and characters whole', (text, max, expected) => {
  expect(escape(text, max)).toBe(expected)
})

test('a link that does not fit is left out, not cut', () => {
  expect(cutMarkup('see <https://example.com|here>.', 30)).toBe('see …')
  expect(cutMarkup('see <https://example.com|here>, or not', 35)).toBe(
    'see <https://example.com|here>, or…',
  )
})

test('a URL with a pipe or a bracket stays one link', () => {
  expect(link('https://example.com/a|b>c', 'x|y')).toBe('<https://example.com/a%7Cb&gt;c|x¦y>')
})

test('isolated text can’t end its isolation, nor turn what follows it', () => {
  expect(isolate('a\u2069\u202eb\u2066')).toBe('\u2068ab\u2069')
})

test('a time is left to the reader’s clock, with the date for those who have none', () => {
  expect(ago('2026-11-20T10:00:00.500Z')).toBe('<!date^1795168800^{ago}|2026-11-20>')
  expect(ago('yesterday')).toBe('')
})

test.each([
  ['https://go.example.com/', 'go.example.com'],
  ['http://go.example.com/a/', 'go.example.com/a/'],
  ['HTTPS://go.example.com/?a=1', 'go.example.com/?a=1'],
  ['https://bank.example:secret@evil.example/@a', 'evil.example/@a'],
  // A browser reads the backslash as a slash.
  ['https://evil.example\\@bank.example', 'evil.example\\@bank.example'],
])('%s is read as %s', (url, expected) => {
  expect(readable(url)).toBe(expected)
})
