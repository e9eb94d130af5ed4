import { expect, test } from 'vitest'
import { parseBlockedHosts } from '../../../src/service/store/blocklist.ts'

/** The hostname as a link's destination contains it. */
const hostnameOf = (url: string): string => new URL(url).hostname

test.each([
  'http://192.0.2.1/',
  'http://192.0.2.1./',
  'http://3221225985/',
  'http://0xc0000201/',
  'http://0300.0.0002.01/',
  'http://192.0.513/',
  'http://１９２.0.2.1/',
  'http://[::ffff:192.0.2.1]/',
  'http://[::ffff:c000:201]/',
])('%s leads to a blocked IPv4 address', (url) => {
  for (const entry of [
    '192.0.2.1',
    '192.0.2.0/24',
    '3221225985',
    '0xc0.0.2.1',
    '::ffff:192.0.2.1',
  ]) {
    expect(parseBlockedHosts(entry).has(hostnameOf(url)), entry).toBe(true)
  }
})

test.each(['2001:db8::1', '[2001:DB8:0::0:1]', '2001:db8::1%eth0', '2001:db8::/32'])(
  'the entry %s blocks an IPv6 address in every form',
  (entry) => {
    const hosts = parseBlockedHosts(entry)
    expect(hosts.has(hostnameOf('http://[2001:db8::1]/'))).toBe(true)
    expect(hosts.has(hostnameOf('http://[2001:0db8:0:0:0:0:0:1]:8080/'))).toBe(true)
    expect(hosts.has(hostnameOf('http://[2001:db9::1]/'))).toBe(false)
  },
)

test('blocks no other address, and no hostname that ends like an address', () => {
  const hosts = parseBlockedHosts('192.0.2.1\n198.51.100.0/24\nevil.example\n')
  for (const url of [
    'http://192.0.2.2/',
    'http://198.51.101.1/',
    'http://[::ffff:192.0.2.2]/',
    'http://[2001:db8::c000:201]/',
    'http://host-192.0.2.1.example/',
    'http://example1/',
  ]) {
    expect(hosts.has(hostnameOf(url)), url).toBe(false)
  }
  expect(hosts.has('www.evil.example')).toBe(true)
  expect(hosts.size).toBe(3)
})

test('blocks nothing if it is empty', () => {
  const hosts = parseBlockedHosts('# nothing\n')
  expect([hosts.size, hosts.has('192.0.2.1'), hosts.has('[::1]')]).toEqual([0, false, false])
})

test.each([
  '192.0.2.0/33',
  '2001:db8::/129',
  '192.0.2.0/',
  '192.0.2.0/x',
  'evil.example/24',
  '192.0.2.1:80',
  '1.2.3.4.5',
  '[2001:db8::1',
  '2001:db8::1::2',
])('rejects the line “%s”', (line) => {
  expect(() => parseBlockedHosts(line)).toThrow(
    'line 1 of the blocklist (BLOCKLIST_PATH) is not a hostname, an address or a network',
  )
})
