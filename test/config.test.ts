import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, parseConfig, parseManifestConfig, parseServiceConfig } from '../src/config.ts'

const terminal = { isTerminal: true }
const KEY = Buffer.alloc(32, 7).toString('base64')

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env, terminal)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('without any variable everything has a default, and the playground is opened', () => {
  expect(parseConfig({}, terminal)).toEqual({
    slack: { mode: 'playground' },
    linkService: { kind: 'inside' },
    fallback: undefined,
    databaseUrl: 'file:./data/backhalf.db',
    encryptionKeys: undefined,
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    unfurlDomains: [],
    servicePort: 3001,
    servicePublicUrl: 'http://localhost:3001',
    trustProxy: undefined,
    blocklistPath: undefined,
    log: { level: 'info', format: 'pretty' },
  })
})

test('every variable is read', () => {
  expect(
    parseConfig(
      {
        SLACK_SIGNING_SECRET: 'secret',
        SLACK_BOT_TOKEN: 'xoxb-1',
        SLACK_API_URL: 'http://127.0.0.1:9/api',
        SHORTLINK_BASE_URL: 'https://links.example.com/prefix',
        SHORTLINK_API_KEY: 'key',
        SHORTLINK_DOMAIN: 'dom_1',
        DATABASE_URL: 'postgres://db/backhalf',
        ENCRYPTION_KEYS: KEY,
        HOST: '0.0.0.0',
        PORT: '8080',
        PUBLIC_URL: 'https://app.example.com',
        SERVICE_PORT: '8081',
        SERVICE_PUBLIC_URL: 'https://go.example.com',
        UNFURL_DOMAINS: 'go.example.com, GO.example.com, bücher.example',
        TRUST_PROXY: '10.0.0.0/8',
        BLOCKLIST_PATH: '/etc/backhalf/blocklist',
        LOG_LEVEL: 'warn',
        LOG_FORMAT: 'json',
      },
      terminal,
    ),
  ).toEqual({
    slack: {
      mode: 'http',
      signingSecret: 'secret',
      botToken: 'xoxb-1',
      apiUrl: 'http://127.0.0.1:9/api/',
    },
    linkService: { kind: 'outside', baseUrl: 'https://links.example.com/prefix' },
    fallback: { apiKey: 'key', domain: 'dom_1' },
    databaseUrl: 'postgres://db/backhalf',
    encryptionKeys: [Buffer.alloc(32, 7)],
    host: '0.0.0.0',
    port: 8080,
    publicUrl: 'https://app.example.com',
    unfurlDomains: ['go.example.com', 'xn--bcher-kva.example'],
    servicePort: 8081,
    servicePublicUrl: 'https://go.example.com',
    trustProxy: '10.0.0.0/8',
    blocklistPath: '/etc/backhalf/blocklist',
    log: { level: 'warn', format: 'json' },
  })
})

test('an app-level token turns Socket Mode on', () => {
  const env = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', SLACK_SIGNING_SECRET: 's' }
  expect(parseConfig(env, terminal).slack).toEqual({
    mode: 'socket',
    botToken: 'xoxb-1',
    appToken: 'xapp-1',
    apiUrl: 'https://slack.com/api/',
  })
})

test('some of Slack’s variables and not enough: it says which are missing', () => {
  expect(faultsOf({ SLACK_SIGNING_SECRET: 's' })).toEqual([
    expect.stringContaining('SLACK_BOT_TOKEN: is missing') as string,
  ])
  expect(faultsOf({ SLACK_BOT_TOKEN: 'xoxb-1' })).toEqual([
    expect.stringContaining('SLACK_SIGNING_SECRET: is missing') as string,
  ])
  expect(faultsOf({ SLACK_API_URL: 'http://127.0.0.1:9/' })).toHaveLength(2)
})

test('a token of the wrong kind is not said to be missing as well', () => {
  expect(faultsOf({ SLACK_BOT_TOKEN: 'xoxp-1', SLACK_SIGNING_SECRET: 's' })).toEqual([
    'SLACK_BOT_TOKEN: must be a bot token, whole, which begins with xoxb-',
  ])
})

test('what README.md has in a secret’s place is none', () => {
  const named = (env: Record<string, string>) => faultsOf(env).map((fault) => fault.split(':')[0])
  expect(named({ SLACK_BOT_TOKEN: 'xoxb-…', SLACK_APP_TOKEN: 'xapp-…' })).toEqual([
    'SLACK_BOT_TOKEN',
    'SLACK_APP_TOKEN',
  ])
  expect(named({ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: '…' })).toEqual([
    'SLACK_SIGNING_SECRET',
  ])
})

test.each([
  'https://example.com/go',
  'https://example.com?x=1',
  'ftp://example.com',
  'example.com',
])('the link service has no address like %s', (SERVICE_PUBLIC_URL) => {
  expect(() => parseServiceConfig({ SERVICE_PUBLIC_URL }, terminal)).toThrow(
    'SERVICE_PUBLIC_URL: must be an http:// or https:// URL without a path, like https://go.example.com',
  )
})

test('everything that is wrong is named at once, and no value with it', () => {
  const faults = faultsOf({
    SLACK_BOT_TOKEN: 'hunter2',
    PORT: '70000',
    DATABASE_URL: 'mysql://user:hunter2@db',
    ENCRYPTION_KEYS: 'hunter2',
    LOG_LEVEL: 'loud',
    SHORTLINK_BASE_URL: 'https://user:hunter2@links.example.com',
    SHORTLINK_API_KEY: 'hunter2',
  })
  const names = faults.map((fault) => fault.split(/[: ]/)[0])
  expect(names.toSorted()).toEqual([
    'DATABASE_URL',
    'ENCRYPTION_KEYS',
    'LOG_LEVEL',
    'PORT',
    'SHORTLINK_API_KEY',
    'SHORTLINK_BASE_URL',
    'SLACK_BOT_TOKEN',
  ])
  expect(faults.join()).not.toContain('hunter2')
})

test('the playground has no log-in, so it is opened on loopback only', () => {
  expect(faultsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('loopback') as string])
  expect(parseConfig({ HOST: '127.0.0.9' }, terminal).host).toBe('127.0.0.9')
  expect(parseConfig({ HOST: '::1' }, terminal).host).toBe('::1')
})

test('PostgreSQL needs keys of its own', () => {
  expect(faultsOf({ DATABASE_URL: 'postgresql://db/backhalf' })).toEqual([
    expect.stringContaining('ENCRYPTION_KEYS: is required') as string,
  ])
})

test('a value may come from a file, but not from both', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'backhalf-')), 'port')
  writeFileSync(path, '8080\n')
  expect(parseConfig({ PORT_FILE: path }, terminal).port).toBe(8080)
  expect(faultsOf({ PORT_FILE: path, PORT: '1' })).toEqual([
    'PORT and PORT_FILE: set only one of them',
  ])
  expect(faultsOf({ PORT_FILE: `${path}.gone` })).toEqual(['PORT_FILE: the file can’t be read'])
})

test.each(['loopback', '10.0.0.1', '10.0.0.0/8, ::1/128', 'uniquelocal,127.0.0.1'])(
  '%s can be trusted as a proxy',
  (value) => {
    expect(parseConfig({ TRUST_PROXY: value }, terminal).trustProxy).toBe(value)
  },
)

test.each(['true', 'everybody', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.1,'])(
  '%s can’t',
  (value) => {
    expect(faultsOf({ TRUST_PROXY: value })).toEqual([
      expect.stringContaining('TRUST_PROXY: must be') as string,
    ])
  },
)

test('an empty variable counts as not set', () => {
  expect(parseConfig({ PORT: '', SLACK_BOT_TOKEN: '' }, terminal).port).toBe(3000)
})

const OAUTH = {
  SLACK_CLIENT_ID: '1234.5678',
  SLACK_CLIENT_SECRET: 'client secret',
  SLACK_STATE_SECRET: 'a secret for the state',
}
const oauth = {
  clientId: '1234.5678',
  clientSecret: 'client secret',
  stateSecret: 'a secret for the state',
}

test('with OAuth, any number of workspaces may install the app, over HTTP or in Socket Mode', () => {
  const apiUrl = 'https://slack.com/api/'
  expect(parseConfig({ ...OAUTH, SLACK_SIGNING_SECRET: 's' }, terminal).slack).toEqual({
    mode: 'http',
    signingSecret: 's',
    oauth,
    apiUrl,
  })
  expect(parseConfig({ ...OAUTH, SLACK_APP_TOKEN: 'xapp-1' }, terminal).slack).toEqual({
    mode: 'socket',
    appToken: 'xapp-1',
    oauth,
    apiUrl,
  })
})

test('some of what OAuth needs: it says what is missing', () => {
  const named = (env: Record<string, string>): (string | undefined)[] =>
    faultsOf(env).map((fault) => fault.split(/[: ]/)[0])
  expect(named({ SLACK_CLIENT_ID: '1.2' })).toEqual([
    'SLACK_CLIENT_SECRET',
    'SLACK_STATE_SECRET',
    'SLACK_SIGNING_SECRET',
  ])
  expect(
    named({ SLACK_STATE_SECRET: OAUTH.SLACK_STATE_SECRET, SLACK_APP_TOKEN: 'xapp-1' }),
  ).toEqual(['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'])
  expect(named({ ...OAUTH, SLACK_STATE_SECRET: 'short', SLACK_SIGNING_SECRET: 's' })).toEqual([
    'SLACK_STATE_SECRET',
  ])
})

test('what belongs to one workspace alone is refused beside OAuth', () => {
  const env = { ...OAUTH, SLACK_SIGNING_SECRET: 's' }
  expect(faultsOf({ ...env, SLACK_BOT_TOKEN: 'xoxb-1' })).toEqual([
    expect.stringContaining('set only one of the two') as string,
  ])
  expect(faultsOf({ ...env, SHORTLINK_API_KEY: 'k', SHORTLINK_DOMAIN: 'd' })).toEqual([
    expect.stringContaining('/shorten connect') as string,
  ])
})

test('the service alone needs nothing of Slack’s', () => {
  const env = { HOST: '0.0.0.0', SLACK_SIGNING_SECRET: 'only this', SERVICE_PORT: '4000' }
  expect(parseServiceConfig(env, { isTerminal: false })).toEqual({
    databaseUrl: 'file:./data/backhalf.db',
    host: '0.0.0.0',
    servicePort: 4000,
    servicePublicUrl: 'http://localhost:4000',
    trustProxy: undefined,
    blocklistPath: undefined,
    log: { level: 'info', format: 'json' },
  })
})

test('links on our own service unfurl where the world reaches it', () => {
  const domains = (env: Record<string, string>) => parseManifestConfig(env).unfurlDomains
  const SERVICE_PUBLIC_URL = 'https://go.example.com:8443'
  expect(domains({ SERVICE_PUBLIC_URL })).toEqual(['go.example.com'])
  expect(parseConfig({ SERVICE_PUBLIC_URL }, terminal).unfurlDomains).toEqual(['go.example.com'])
  expect(domains({ SERVICE_PUBLIC_URL, UNFURL_DOMAINS: 'a.example' })).toEqual(['a.example'])
  expect(domains({})).toEqual([])
  for (const own of ['http://localhost:3001', 'http://127.0.0.1', 'http://[::1]', 'http://links']) {
    expect(domains({ SERVICE_PUBLIC_URL: own })).toEqual([])
  }
})

test('where the links of another service are, only UNFURL_DOMAINS can say', () => {
  const elsewhere = { SHORTLINK_BASE_URL: 'https://api.example.com' }
  expect(parseManifestConfig(elsewhere).unfurlDomains).toEqual([])
  const env = { ...elsewhere, SERVICE_PUBLIC_URL: 'https://go.example.com' }
  expect(parseManifestConfig(env).unfurlDomains).toEqual([])
})

test.each([
  'localhost',
  'links',
  '127.0.0.1',
  'go.example.com:8443',
  'https://go.example.com',
  '.example.com',
  'printer.local',
  'a.example,,b.example',
  'a.example,b.example,c.example,d.example,e.example,f.example',
])('“%s” are no unfurl domains', (UNFURL_DOMAINS) => {
  expect(faultsOf({ UNFURL_DOMAINS })).toEqual([expect.stringContaining('UNFURL_DOMAINS: must be')])
  expect(() => parseManifestConfig({ UNFURL_DOMAINS })).toThrow('UNFURL_DOMAINS')
})
