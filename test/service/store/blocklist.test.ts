import { rm, writeFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterEach, expect, onTestFinished, vi } from 'vitest'
import { openBlocklist, parseBlockedHosts } from '../../../src/service/store/blocklist.ts'
import { withDirectory } from '../../support/fixtures.ts'
import { call, create, errorsIn, shorten } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

const { test, at } = withDirectory()
afterEach(() => void vi.useRealTimers())

async function openWith(text: string, logLines: string[] = []) {
  const path = at('blocklist')
  await writeFile(path, text)
  const logger = pino({}, { write: (line: string) => void logLines.push(line) })
  const blocklist = await openBlocklist(path, logger)
  onTestFinished(() => blocklist.close())
  return blocklist
}

test('says that the blocklist is missing', async () => {
  const missing = openBlocklist('/nowhere/blocklist.txt', pino({ level: 'silent' }))
  await expect(missing).rejects.toThrow('The blocklist (BLOCKLIST_PATH) can’t be read: ENOENT')
})

test.each([
  ['is broken', (file: string) => writeFile(file, 'https://\n')],
  ['is gone', (file: string) => rm(file)],
])('keeps the earlier list if the changed file %s', async (_what, change) => {
  const logLines: string[] = []
  const blocklist = await openWith('one.example\n', logLines)
  await change(at('blocklist'))
  await blocklist.refresh()
  await blocklist.refresh()
  expect(blocklist.blocks('one.example')).toBe(true)
  expect(logLines.slice(1)).toEqual([expect.stringContaining('the earlier one stays in effect')])
  await writeFile(at('blocklist'), 'two.example\n')
  await blocklist.refresh()
  expect(blocklist.blocks('one.example')).toBe(false)
  expect(blocklist.blocks('two.example')).toBe(true)
})

test('checks the file every two seconds, until it is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const blocklist = await openWith('one.example\n')
  await writeFile(at('blocklist'), 'two.example\n')
  vi.advanceTimersByTime(2_000)
  await expect.poll(() => blocklist.blocks('two.example')).toBe(true)
  blocklist.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('creates no link to a blocked hostname, and does not redirect an earlier one', async () => {
  const databaseUrl = `file:${at('service.db')}`
  const before = await startService({ databaseUrl })
  await shorten(before, 'early', { destination_url: 'https://www.evil.example/' })
  expect((await call(`${before.baseUrl}/early`)).status).toBe(302)
  await before.close()

  await writeFile(at('blocklist'), 'evil.example\n')
  const service = await startService({ databaseUrl, blocklistPath: at('blocklist') })
  const visited = await call(`${service.baseUrl}/early`)
  expect(visited.status).toBe(410)
  expect(visited.text).toContain('This link is blocked.')
  const refused = await create(service, { destination_url: 'https://evil.example/other' })
  expect(errorsIn(refused)).toEqual({
    destination_url: ['Links to this site are blocked on this service. Use another site.'],
  })
  await service.close()
})

/** The hostname as a link's destination contains it. */
const hostnameOf = (url: string): string => new URL(url).hostname

test.each([
  'http://192.0.2.1/',
  'http://0xc0000201/',
  'http://[::ffff:192.0.2.1]/',
  'http://[::192.0.2.1]/',
  'http://[::c000:201]/',
  'http://[::ffff:0:192.0.2.1]/',
  'http://[64:ff9b::192.0.2.1]/',
  'http://[64:ff9b:1::c000:201]/',
  'http://[64:ff9b:1:2:3:4:c000:201]/',
  'http://[2002:c000:201::]/',
  'http://[2002:c000:0201:1:2:3:4:5]/',
])('%s leads to a blocked IPv4 address', (url) => {
  const entries = ['192.0.2.1', '192.0.2.0/24', '3221225985', '0xc0.0.2.1', '::ffff:192.0.2.1']
  for (const entry of entries) {
    expect(parseBlockedHosts(entry).has(hostnameOf(url)), entry).toBe(true)
  }
})

test.each(['2001:db8::1', '[2001:DB8:0::0:1]', '2001:db8::/32'])(
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
    'http://[::c000:202]/',
    'http://[1::ffff:0:c000:201]/',
    'http://[2002:c000:202::c000:201]/',
    'http://[64:ff9b:2::c000:201]/',
    'http://[64:ff9b::1:c000:201]/',
    'http://host-192.0.2.1.example/',
    'http://example1/',
  ]) {
    expect(hosts.has(hostnameOf(url)), url).toBe(false)
  }
  expect(hosts.has('www.evil.example')).toBe(true)
  expect(hosts.size).toBe(3)
  const none = parseBlockedHosts('# nothing\n')
  expect([none.size, none.has('192.0.2.1'), none.has('[::1]')]).toEqual([0, false, false])
})

test.each([
  ['evil.example', true],
  ['EVIL.example.', true],
  ['evil.example..', true],
  ['www.evil.example', true],
  ['xn--mnchen-3ya.example', true],
  ['evil.example.org', false],
  ['notevil.example', false],
  ['example', false],
])('blocks %s: %s', (hostname, blocked) => {
  const hosts = parseBlockedHosts('# fraud\n\nEvil.Example # comment\nmünchen.example\n')
  expect(hosts.has(hostname)).toBe(blocked)
})

test.each([
  ...['192.0.2.0/33', '2001:db8::/129', '192.0.2.0/x', '192.0.2.0/', '192.0.2.1:80'],
  ...['https://evil.example', 'two words', '*.evil.example', '.evil.example'],
])('rejects the line “%s”, and names its number', (line) => {
  expect(() => parseBlockedHosts(`good.example\n${line}\n`)).toThrow(
    'line 2 is not a hostname, an address or a network',
  )
})
