import { expect, test } from 'vitest'
import { parseDestination } from '../../../src/service/store/destination.ts'

test.each([
  'https://example.com',
  'https://münchen.example/straße',
  'https://example.com/family/👨‍👩‍👧',
  'http://[::1]:8080/',
])('accepts %s', (text) => {
  expect(parseDestination(text)).toBeInstanceOf(URL)
})

test.each([
  ['example.com', /complete URL/],
  ['//example.com/', /complete URL/],
  ['https://', /complete URL/],
  ['javascript:alert(1)', /http/],
  [' javascript:alert(1)', /http/],
  ['java\tscript:alert(1)', /control/],
  ['\u0001javascript:alert(1)', /control/],
  ['ftp://example.com/', /http/],
  ['file:///etc/passwd', /http/],
  ['https://user@example.com/', /password/],
  ['https://:secret@example.com/', /password/],
  ['https://example.com/a\r\nset-cookie: a=b', /control/],
  ['https://example.com/\u202egnp.exe', /control/],
  [`https://example.com/${'a'.repeat(1981)}`, /at most 2,000 characters\.$/],
  [`https://example.com/${'ü'.repeat(900)}`, /2,000 .*\. This one has 5,420 once it is encoded\.$/],
])('rejects %j and says why', (text, reason) => {
  expect(parseDestination(text)).toMatch(reason)
})
