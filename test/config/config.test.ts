import { expect, test } from 'vitest'
import {
  ConfigError,
  parseConfig,
  parseManifestConfig,
  parseServiceConfig,
} from '../../src/config/config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

function issuesOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env, true)
  } catch (error) {
    if (error instanceof ConfigError) return error.issues
    throw error
  }
  return []
}

test('uses defaults and opens the playground if no variable is set', () => {
  expect(parseConfig({}, true)).toEqual({
    command: '/shorten',
    slack: { mode: 'playground' },
    linkService: { kind: 'built-in' },
    fallback: undefined,
    databaseUrl: 'file:./data/backhalf.db',
    encryptionKeys: undefined,
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    operator: {},
    unfurlDomains: [],
    slackMcp: false,
    servicePort: 3001,
    servicePublicUrl: 'http://localhost:3001',
    trustProxy: undefined,
    maxConnectionsPerAddress: undefined,
    blocklistPath: undefined,
    checksDestinations: false,
    linkQuota: undefined,
    clicksDays: undefined,
    metrics: undefined,
    shutdownDelayMs: 2_000,
    log: { level: 'info', format: 'pretty' },
  })
})

test('reads every variable', () => {
  expect(
    parseConfig(
      {
        SLACK_SIGNING_SECRET: 'secret',
        SLACK_BOT_TOKEN: 'xoxb-1',
        SLACK_API_URL: 'http://127.0.0.1:9/api',
        SLACK_COMMAND: '/go-links',
        SLACK_MCP: 'on',
        SHORTLINK_BASE_URL: 'https://links.example.com/prefix',
        SHORTLINK_API_KEY: 'key',
        SHORTLINK_DOMAIN: 'dom_1',
        DATABASE_URL: 'postgres://db/backhalf',
        ENCRYPTION_KEYS: KEY,
        HOST: '0.0.0.0',
        PORT: '8080',
        PUBLIC_URL: 'https://app.example.com',
        OPERATOR_NAME: 'Example & Sons',
        SUPPORT_URL: 'https://help.example.com/start',
        SUPPORT_EMAIL: 'help@example.com',
        PRIVACY_CONTACT: 'privacy@example.com',
        SERVICE_PORT: '8081',
        SERVICE_PUBLIC_URL: 'https://go.example.com',
        UNFURL_DOMAINS: 'go.example.com, GO.example.com, bücher.example',
        TRUST_PROXY: '10.0.0.0/8',
        BLOCKLIST_PATH: '/etc/backhalf/blocklist',
        CHECK_DESTINATIONS: 'on',
        CLICKS_DAYS: '400',
        WORKSPACE_LINK_QUOTA: '5000',
        METRICS_PORT: '9464',
        METRICS_HOST: '0.0.0.0',
        LOG_LEVEL: 'warn',
        LOG_FORMAT: 'json',
      },
      true,
    ),
  ).toEqual({
    slack: {
      mode: 'http',
      signingSecret: 'secret',
      botToken: 'xoxb-1',
      apiUrl: 'http://127.0.0.1:9/api/',
    },
    linkService: {
      kind: 'external',
      service: 'backhalf',
      baseUrl: 'https://links.example.com/prefix',
    },
    fallback: { apiKey: 'key', domain: 'dom_1' },
    command: '/go-links',
    databaseUrl: 'postgres://db/backhalf',
    encryptionKeys: [Buffer.alloc(32, 7)],
    host: '0.0.0.0',
    port: 8080,
    publicUrl: 'https://app.example.com',
    operator: {
      name: 'Example & Sons',
      supportUrl: 'https://help.example.com/start',
      supportEmail: 'help@example.com',
      privacyContact: 'privacy@example.com',
    },
    unfurlDomains: ['go.example.com', 'xn--bcher-kva.example'],
    slackMcp: true,
    servicePort: 8081,
    servicePublicUrl: 'https://go.example.com',
    trustProxy: '10.0.0.0/8',
    blocklistPath: '/etc/backhalf/blocklist',
    checksDestinations: true,
    linkQuota: 5_000,
    clicksDays: 400,
    metrics: { host: '0.0.0.0', port: 9464 },
    shutdownDelayMs: 2_000,
    log: { level: 'warn', format: 'json' },
  })
})

test('names every invalid variable at once and reveals no value', () => {
  const issues = issuesOf({
    SLACK_BOT_TOKEN: 'hunter2',
    PORT: '70000',
    DATABASE_URL: 'mysql://user:hunter2@db',
    ENCRYPTION_KEYS: 'hunter2',
    LOG_LEVEL: 'loud',
    SHORTLINK_BASE_URL: 'https://user:hunter2@links.example.com',
    SHORTLINK_API_KEY: 'hunter2',
  })
  const names = issues.map((issue) => issue.split(/[: ]/)[0])
  expect(names.toSorted()).toEqual([
    ...['DATABASE_URL', 'ENCRYPTION_KEYS', 'LOG_LEVEL', 'PORT', 'SHORTLINK_API_KEY'],
    ...['SHORTLINK_BASE_URL', 'SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET'],
  ])
  expect(issues.join()).not.toContain('hunter2')
})

test('lists each issue on a line of its own in the error message', () => {
  expect(() => parseConfig({ PORT: 'high', LOG_FORMAT: 'xml' }, true)).toThrow(
    new ConfigError([
      'PORT: must be a port number from 0 to 65535',
      'LOG_FORMAT: must be json or pretty',
    ]),
  )
  expect(new ConfigError(['PORT: a', 'HOST: b']).message).toBe(
    'The configuration is invalid:\n  - PORT: a\n  - HOST: b',
  )
})

test('opens the playground on a loopback address only, because it has no sign-in', () => {
  expect(issuesOf({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('loopback') as string])
  expect(parseConfig({ HOST: '127.0.0.9' }, true).host).toBe('127.0.0.9')
  expect(parseConfig({ HOST: '::1' }, true).host).toBe('::1')
})

test.each(['PUBLIC_URL', 'SERVICE_PUBLIC_URL'])(
  'opens no playground in production with a public %s',
  (name) => {
    const NODE_ENV = 'production'
    const issues = issuesOf({ NODE_ENV, [name]: 'https://go.example.com', HOST: '0.0.0.0' })
    expect(issues).toEqual([expect.stringMatching(/^SLACK_BOT_TOKEN: is missing/)])
    for (const env of [
      { NODE_ENV, [name]: 'http://localhost:3001' },
      { [name]: 'https://go.example.com' },
    ]) {
      expect(parseConfig(env, true).slack.mode).toBe('playground')
    }
  },
)

test('requires ENCRYPTION_KEYS with PostgreSQL', () => {
  expect(issuesOf({ DATABASE_URL: 'postgresql://db/backhalf' })).toEqual([
    expect.stringContaining('ENCRYPTION_KEYS: is required') as string,
  ])
})

test.each(['hunter2/3', 'hunter2#3', 'hunter2?3'])(
  'explains a PostgreSQL URL that is wrong because of its password, which is %s',
  (password) => {
    const issues = (text: string) => issuesOf({ DATABASE_URL: `postgres://me:${text}@db/backhalf` })
    expect(issues(password)).toEqual([expect.stringContaining('a password has %23 for #')])
    const required: unknown = expect.stringContaining('ENCRYPTION_KEYS: is required')
    expect(issues(encodeURIComponent(password))).toEqual([required])
  },
)

test.each([
  'postgres://backhalf:hunter2@/backhalf?host=/run/postgresql',
  'postgres://%2Frun%2Fpostgresql/backhalf',
  'postgres://backhalf:with space and 100%@[::1]:5432/backhalf',
])('accepts %s', (DATABASE_URL) => {
  const keys = Buffer.alloc(32).toString('base64')
  expect(issuesOf({ DATABASE_URL, ENCRYPTION_KEYS: keys })).toEqual([])
})

test('rejects a key for all workspaces if any workspace can install the app', () => {
  expect(
    issuesOf({
      SLACK_CLIENT_ID: '1234.5678',
      SLACK_CLIENT_SECRET: 'client secret',
      SLACK_STATE_SECRET: 'a secret for the state',
      SLACK_SIGNING_SECRET: 's',
      SHORTLINK_API_KEY: 'k',
      SHORTLINK_DOMAIN: 'd',
    }),
  ).toEqual([expect.stringContaining('/shorten connect') as string])
})

test.each([
  ['SUPPORT_URL', 'javascript:alert(1)'],
  ['SUPPORT_EMAIL', 'help@example.com?bcc=all@example.com'],
  ['PRIVACY_CONTACT', 'mailto:privacy@example.com'],
  ['OPERATOR_NAME', `x${'y'.repeat(100)}`],
  ['OPERATOR_NAME', 'two\nlines'],
])('rejects %s=%j', (name, value) => {
  expect(issuesOf({ [name]: value })).toEqual([expect.stringMatching(`^${name}: must be`)])
})

test('takes a URL as the privacy contact', () => {
  const url = 'https://example.com/privacy'
  expect(parseConfig({ PRIVACY_CONTACT: url }, true).operator.privacyContact).toBe(url)
})

test('ignores Slack’s variables if only the link service is started', () => {
  const ports = { SERVICE_PORT: '4000', METRICS_PORT: '0' }
  const env = { HOST: '0.0.0.0', SLACK_SIGNING_SECRET: 'only this', ...ports }
  const config = parseServiceConfig(env)
  expect(config).toMatchObject({ host: '0.0.0.0', servicePublicUrl: 'http://localhost:4000' })
  // They have a host of their own.
  expect(config.metrics).toEqual({ host: '127.0.0.1', port: 0 })
  expect(config).not.toHaveProperty('slack')
})

test('reads the manifest’s settings without any Slack variable', () => {
  const publicUrl = 'https://app.example.com'
  const env = { PUBLIC_URL: publicUrl, SERVICE_PUBLIC_URL: 'https://go.example.com' }
  const expected = { publicUrl, unfurlDomains: ['go.example.com'], slackMcp: false }
  expect(parseManifestConfig(env)).toEqual({ ...expected, command: '/shorten' })
  expect(parseManifestConfig({ SLACK_COMMAND: '/short' }).command).toBe('/short')
  expect(() => parseManifestConfig({ UNFURL_DOMAINS: 'localhost' })).toThrow('UNFURL_DOMAINS')
})

test('SLACK_MCP needs HTTP, and has no effect in the playground', () => {
  const http = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'secret', SLACK_MCP: 'on' }
  expect(parseConfig(http, true).slackMcp).toBe(true)
  expect(parseConfig({ ...http, SLACK_MCP: 'off' }, true).slackMcp).toBe(false)
  expect(parseConfig({ SLACK_MCP: 'on' }, true).slackMcp).toBe(false)
  expect(issuesOf({ ...http, SLACK_APP_TOKEN: 'xapp-1' })).toEqual([
    expect.stringMatching(/^SLACK_MCP: does not work in Socket Mode, because Slackbot .*; set /),
  ])
  expect(parseManifestConfig({ SLACK_MCP: 'on' }).slackMcp).toBe(true)
})
