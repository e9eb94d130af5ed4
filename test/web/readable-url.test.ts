import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readableUrl, webUrl } from '../../src/web/readable-url.ts'
import { unicodeText } from '../support/unicode-text.ts'

test.each([
  ['https://example.com/', 'example.com'],
  ['HTTP://Example.COM:8080/a?b=1#c', 'example.com:8080/a?b=1#c'],
  ['https://bank.com@evil.example/login', 'evil.example/login'],
  [String.raw`https:\\evil.example\@bank.com/`, 'evil.example/@bank.com/'],
  ['https://example.com/stra%C3%9Fe', 'example.com/straße'],
  ['https://example.com/a%20b%2Fc%E2%81%84', 'example.com/a%20b%2Fc%E2%81%84'],
  ['https://münchen.de/plan', 'xn--mnchen-3ya.de/plan (\u2068münchen.de\u2069)'],
  ['https://аpple.com/', 'xn--pple-43d.com (\u2068аpple.com\u2069)'],
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://example.com/\u202Emoc.knab', 'example.com/%E2%80%AEmoc.knab'],
])('reads %s as %s', (url, expected) => {
  expect(readableUrl(url)).toBe(expected)
})

test.each(['\u2044', '\u2215', '\u29f8', '\u3033', '\u05c0', '\u0338', '\u02d0'])(
  'shows no sign of another script (%s) that looks like the end of the host',
  (sign) => {
    const url = `https://bank.com${sign}login.evil.example/`
    const shown = readableUrl(url)
    const host = webUrl(url)?.host
    if (host) expect(shown.startsWith(host)).toBe(true)
    else expect(shown).toBe(url)
  },
)

test.each(['javascript:alert(1)', 'data:text/html,x', 'not a URL', '', 'ftp://example.com/'])(
  'leaves %j as it is',
  (text) => {
    expect(webUrl(text)).toBeUndefined()
    expect(readableUrl(text)).toBe(text)
  },
)

test('cuts the path first, and then the start of the host', () => {
  expect(readableUrl('https://example.com/a/long/path', 16)).toBe('example.com/a/l…')
  expect(readableUrl('https://example.com/a/long/path', 12)).toBe('example.com')
  const long = `https://bank.com.${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example/path`
  expect(readableUrl(long, 50)).toMatch(/^….{99}$/)
  expect(readableUrl(long, 50)).toMatch(/\.evil\.example$/)
})

test('keeps the ellipsis of a destination that was cut before', () => {
  expect(readableUrl('https://example.com/some/pa…')).toBe('example.com/some/pa…')
})

const label = fc.oneof(
  fc.stringMatching(/^[a-z0-9]{1,63}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('bank.com', 'bank.com\u2044', 'bank.com\uFF0F', 'münchen', 'пример', 'ישראל'),
)
const anyUrl = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS:', String.raw`https:\\`, 'https:/'),
    fc.constantFrom('', 'bank.com@', 'bank.com:x@', String.raw`bank.com\@`),
    fc.array(label, { minLength: 1, maxLength: 8 }),
    fc.constantFrom('', ':8080', '.'),
    fc.oneof(fc.constant(''), fc.webPath(), unicodeText({ maxLength: 400 })),
  )
  .map(
    ([scheme, user, labels, port, path]) =>
      `${scheme}${user}${labels.join('.')}.evil.example${port}/${path}`,
  )

test('always shows the end of the host that a browser would connect to', () => {
  fc.assert(
    fc.property(anyUrl, fc.integer({ min: 1, max: 400 }), (text, max) => {
      const url = webUrl(text)
      if (!url) return
      const shown = readableUrl(text, max)
      const hostEnd = url.host.slice(-99)
      const at = shown.indexOf(hostEnd)
      expect(at).toBeGreaterThanOrEqual(0)
      // Nothing but the host's own start, or an ellipsis, comes before it.
      expect(url.host.endsWith(shown.slice(0, at).replace('…', '') + hostEnd)).toBe(true)
      // What follows belongs to the path, or is the host in its own letters.
      expect(shown.slice(at + hostEnd.length)).toMatch(/^(?:[/?#…]| \(|$)/)
      expect(shown.length).toBeLessThanOrEqual(Math.max(max, 100))
    }),
    { numRuns: Number(process.env['FC_RUNS'] ?? 1_000) },
  )
})
