import { expect, test } from 'vitest'
import { playgroundUnfurlDomains, unfurlDomains } from '../../src/config/config.ts'
import { readVariables } from '../../src/config/variables.ts'
import { readManifest as projectManifest } from '../../src/slack/install/manifest.ts'
import { manifestSchema } from '../../src/simulator/manifest.ts'

test('uses the service’s own hostname if it is public', () => {
  const SERVICE_PUBLIC_URL = 'https://go.example.com:8443'
  expect(unfurlDomains({ SERVICE_PUBLIC_URL })).toEqual(['go.example.com'])
  expect(unfurlDomains({})).toEqual([])
  for (const own of ['http://localhost:3001', 'http://127.0.0.1', 'http://[::1]', 'http://links']) {
    expect(unfurlDomains({ SERVICE_PUBLIC_URL: own })).toEqual([])
  }
})

test('prefers UNFURL_DOMAINS, without which an external service has no domains', () => {
  const SERVICE_PUBLIC_URL = 'https://go.example.com'
  const UNFURL_DOMAINS = ['a.example']
  expect(unfurlDomains({ SERVICE_PUBLIC_URL, UNFURL_DOMAINS })).toEqual(UNFURL_DOMAINS)
  const external = { SHORTLINK_BASE_URL: 'https://api.example.com' }
  expect(unfurlDomains(external)).toEqual([])
  expect(unfurlDomains({ ...external, SERVICE_PUBLIC_URL })).toEqual([])
  expect(unfurlDomains({ ...external, UNFURL_DOMAINS })).toEqual(UNFURL_DOMAINS)
})

test.each([
  'localhost',
  'printer.local',
  'go.example.com:8443',
  'a.example,,b.example',
  'a.example,b.example,c.example,d.example,e.example,f.example',
])('rejects “%s” as UNFURL_DOMAINS', (UNFURL_DOMAINS) => {
  const issues: string[] = []
  readVariables({ UNFURL_DOMAINS }, issues)
  expect(issues).toEqual([
    'UNFURL_DOMAINS: must be at most 5 public hostnames, separated by commas, like go.example.com',
  ])
})

const inPlayground = (servicePublicUrl: string, domains: string[] = []): string[] =>
  playgroundUnfurlDomains(domains, [new URL(servicePublicUrl).host])

test('includes the service’s own hostname in the playground, public or not', () => {
  expect(inPlayground('http://localhost:3001')).toEqual(['localhost'])
  expect(inPlayground('http://127.0.0.1:3001', ['go.example.com'])).toEqual([
    '127.0.0.1',
    'go.example.com',
  ])
  expect(inPlayground('https://go.example.com', ['go.example.com'])).toEqual(['go.example.com'])
})

test('always returns domains that the playground’s manifest accepts', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example`)
  expect(inPlayground('http://localhost:3001', five)).toEqual(['localhost', ...five.slice(0, 4)])
  for (const url of ['http://[::1]:3001', 'http://my_host', 'http://localhost']) {
    const manifest = projectManifest(inPlayground(url, five))
    expect(() => manifestSchema.parse(manifest)).not.toThrow()
    expect(() => manifestSchema.parse(projectManifest(inPlayground(url)))).not.toThrow()
  }
})
