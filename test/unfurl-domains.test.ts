import { expect, test } from 'vitest'
import { readManifest } from '../src/simulator/manifest.ts'
import { readManifest as projectManifest } from '../src/slack/install/manifest.ts'
import { playgroundUnfurlDomains } from '../src/unfurl-domains.ts'

const domains = (servicePublicUrl: string, unfurlDomains: string[] = []): string[] =>
  playgroundUnfurlDomains({ servicePublicUrl, unfurlDomains })

test('in the playground, links on the service’s own hostname unfurl wherever that is', () => {
  expect(domains('http://localhost:3001')).toEqual(['localhost'])
  expect(domains('http://127.0.0.1:3001', ['go.example.com'])).toEqual([
    '127.0.0.1',
    'go.example.com',
  ])
  expect(domains('https://go.example.com', ['go.example.com'])).toEqual(['go.example.com'])
})

test('whatever the configuration, the playground’s manifest is one', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example`)
  expect(domains('http://localhost:3001', five)).toEqual(['localhost', ...five.slice(0, 4)])
  for (const url of ['http://[::1]:3001', 'http://my_host', 'http://localhost']) {
    const manifest = projectManifest(domains(url, five))
    expect(() => readManifest(manifest)).not.toThrow()
    expect(() => readManifest(projectManifest(domains(url)))).not.toThrow()
  }
})
