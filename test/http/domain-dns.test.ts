import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDomainDns } from '../../src/http/domain-dns.ts'
import { startDnsServer } from '../support/dns-server.ts'

const V4 = '203.0.113.7'
const V6 = '2001:db8::7'

let dns: Awaited<ReturnType<typeof startDnsServer>>
beforeAll(async () => {
  dns = await startDnsServer({
    'go.example.com': { A: [V4], AAAA: [V6] },
    'office.example.com': { A: ['10.1.2.3'] },
    'cdn.example.com': { A: ['198.51.100.1', '198.51.100.2'] },
    'empty.example.com': {},
    'broken.example.com': { fault: 'SERVFAIL' },
    'silent.example.com': { fault: 'silent' },
    's.example.com': { A: [V4] },
    'both.example.com': { AAAA: [V6], A: [V4] },
    'alias.example.com': { CNAME: 'go.example.com' },
    'xn--kurz-0qa.example': { CNAME: 'go.example.com' },
    'edge.example.com': { CNAME: 'cdn.example.com' },
    'half.example.com': { A: [V4], AAAA: ['2001:db8::bad'] },
    'home.example.com': { A: ['192.168.0.9'] },
    'many.example.com': { A: [1, 2, 3, 4, 5].map((n) => `192.0.2.${n}`) },
    'example.co.uk': { NS: 'ns.example' },
    // The response about its NS records is that of the zone to which its CNAME record leads.
    'alias-of-zone.example.com': { CNAME: 'zone.example' },
    'zone.example': { NS: 'ns.example', A: ['192.0.2.1'] },
  })
})
afterAll(() => dns.close())

const target = 'go.example.com'

test.each([
  ['the same IPv4 address', 's.example.com', target],
  ['both addresses', 'both.example.com', target],
  ['a CNAME record', 'alias.example.com', target],
  ['a name in another script', 'xn--kurz-0qa.example', target],
  ['the hostname itself', target, target],
  ['a CNAME record to a host with other addresses', 'edge.example.com', 'cdn.example.com'],
  ['addresses of a private network', 'office.example.com', 'office.example.com'],
])('is ok with %s', async (what, hostname, to) => {
  const { status, message } = await checkDomainDns(hostname, to)
  expect(status).toBe('ok')
  expect(message).toContain(`${hostname} leads to`)
  const isPrivate = message.includes('which only this machine or its network can reach')
  expect(isPrivate).toBe(what.includes('private'))
})

test.each([
  ['a subdomain', 'new.example.com', target, 'a CNAME', target],
  ['a name without addresses', 'empty.example.com', target, 'a CNAME', target],
  ['a domain', 'example.org', target, 'an A', V4],
  ['a domain below a public suffix', 'example.co.uk', target, 'an A', V4],
  ['an IPv4 target', 'new.example.com', V4, 'an A', V4],
  ['an IPv6 target', 'new.example.com', `[${V6}]`, 'an AAAA', V6],
])('says which record is missing: %s', async (_, hostname, to, type, value) => {
  expect(await checkDomainDns(hostname, to)).toEqual({
    status: 'missing',
    message: `DNS has no address for ${hostname}. Create ${type} record for ${hostname} with the value ${value}.`,
  })
})

test.each([
  ['edge.example.com', '198.51.100.1 and 198.51.100.2'],
  ['half.example.com', `${V4} and 2001:db8::bad`],
  ['home.example.com', '192.168.0.9, which only this machine or its network can reach'],
  ['many.example.com', '192.0.2.1, 192.0.2.2, 192.0.2.3, and 2 more'],
  ['alias-of-zone.example.com', '192.0.2.1'],
])('says where %s leads, which might be a proxy', async (hostname, addresses) => {
  const { message, status } = await checkDomainDns(hostname, target)
  expect(status).toBe('elsewhere')
  const leads = `${hostname} leads to ${addresses}. go.example.com leads to ${V4} and ${V6}. `
  expect(message.startsWith(leads)).toBe(true)
  expect(message).toContain(`If a proxy at ${hostname}`)
  expect(message).toContain(`a CNAME record for ${hostname} with the value ${target}`)
})

test.each([
  ['a DNS server that fails', 'broken.example.com', target, /can’t be looked up \(ESERVFAIL\)/],
  ['a silent DNS server', 'silent.example.com', target, /silent.*(?:no response in time|ETIMEOUT)/],
  ['a target without an address', 's.example.com', 'empty.example.com', /no address for empty/],
  ['a target that can’t be looked up', 's.example.com', 'broken.example.com', /\(ESERVFAIL\)/],
  ['a target on this machine', 's.example.com', 'localhost', /leads to this machine only/],
  ['an impossible name', `${'a'.repeat(64)}.example.com`, target, /\(EBADNAME\)/],
])('is unknown with %s', async (_, hostname, to, text) => {
  const message: unknown = expect.stringMatching(text)
  expect(await checkDomainDns(hostname, to)).toEqual({ status: 'unknown', message })
})
