import { expect, test } from 'vitest'
import { hostNames, isAllowedHost, readHost, readHosts } from '../../src/contract/allowed-hosts.ts'

test.each([
  ['https://example.com/page', true],
  ['https://www.example.com', true],
  ['https://EXAMPLE.com.:8443/', true],
  ['https://badexample.com/', false],
  ['https://example.com.evil.test/', false],
  ['https://example.com@evil.test/', false],
  ['https://evil.test/example.com', false],
  ['https://evil.test\\@example.com/', false],
  ['https://bücher.example/', true],
  ['not a url', false],
])('example.com and bücher.example allow %s: %s', (url, isAllowed) => {
  const hosts = ['example.com', 'bücher.example'].map((typed) => readHost(typed) ?? '')
  expect(isAllowedHost(url, hosts)).toBe(isAllowed)
  expect(isAllowedHost(url, [])).toBe(true)
})

test.each([
  ['Example.com', 'example.com'],
  ['*.example.com', 'example.com'],
  ['.example.com', 'example.com'],
  [' https://www.example.com/path ', 'www.example.com'],
  ['example.com.', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['192.0.2.1', '192.0.2.1'],
  ['localhost', 'localhost'],
  ['example', undefined],
  ['example.com:8080', undefined],
  ['a b.com', undefined],
  ['https://*.example.com', 'example.com'],
  ['shop.*.com', undefined],
  ['[::1]', '[::1]'],
  ['', undefined],
])('reads “%s” as %s', (typed, host) => expect(readHost(typed)).toBe(host))

test('reads a list, and says which lines are invalid', () =>
  expect(readHosts('\r\na.test\r\n*.A.test\n b c \n')).toEqual({
    hosts: ['a.test'],
    invalid: [{ number: 4, line: 'b c' }],
  }))

test('names up to three hostnames', () => {
  const hosts = ['a.test', 'b.test', 'c.test', 'd.test']
  expect(hostNames(hosts.slice(0, 1))).toBe('a.test')
  expect(hostNames(hosts.slice(0, 3))).toBe('a.test, b.test and c.test')
  expect(hostNames(hosts)).toBe('a.test, b.test, c.test and 1 other')
})
