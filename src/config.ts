import { databaseKind } from './database/database.ts'
import { readVariables, type Environment, type LogLevel, type Variables } from './environment.ts'
import type { OAuthCredentials } from './slack/install/installer.ts'
import { unfurlDomainOf } from './unfurl-domains.ts'
import { parseKeys } from './workspaces/encryption-keys.ts'

/** How the app and Slack reach each other. */
export type SlackConfig =
  /** No Slack at all: a local stand-in for a workspace, in the browser. */
  | { mode: 'playground' }
  | ({ mode: 'http'; signingSecret: string; apiUrl: string } & TokenSource)
  | ({ mode: 'socket'; appToken: string; apiUrl: string } & TokenSource)

/** One workspace's token, or what it takes for any number of workspaces to install the app. */
export type TokenSource = { botToken: string } | { oauth: OAuthCredentials }

/** Which link service the app uses. */
export type LinkServiceConfig =
  /** Our own, started with the app. */
  { kind: 'inside' } | { kind: 'outside'; baseUrl: string }

/** What the link service alone needs to know. */
export interface ServiceConfig {
  readonly databaseUrl: string
  readonly host: string
  readonly servicePort: number
  /** Where the world reaches the service. */
  readonly servicePublicUrl: string
  /** Whose `X-Forwarded-*` headers to believe: addresses and networks, comma-separated. */
  readonly trustProxy: string | undefined
  /** A file of hostnames that no link may lead to. */
  readonly blocklistPath: string | undefined
  readonly log: { readonly level: LogLevel; readonly format: 'json' | 'pretty' }
}

/** Everything that the environment says, checked. */
export interface Config extends ServiceConfig {
  readonly slack: SlackConfig
  readonly linkService: LinkServiceConfig
  /** The key and domain record of a workspace that has not connected its own. */
  readonly fallback: { readonly apiKey: string; readonly domain: string } | undefined
  /** Newest first; undefined: made once, beside the SQLite file. */
  readonly encryptionKeys: readonly Buffer[] | undefined
  readonly port: number
  readonly publicUrl: string | undefined
  /** Hostnames whose links the app unfurls; Slack knows them by the manifest. */
  readonly unfurlDomains: readonly string[]
}

/** Everything that is wrong with the environment, at once; never with a value in it. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration can't be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/** What OAuth needs, and where it is found. */
const OAUTH = {
  SLACK_CLIENT_ID: 'your app’s page, Basic Information',
  SLACK_CLIENT_SECRET: 'your app’s page, Basic Information',
  SLACK_STATE_SECRET: 'make one with: openssl rand -base64 32',
} as const

/** @property isTerminal whether logs are read by a person */
interface Surroundings {
  isTerminal: boolean
}

/**
 * Reads what the environment asks for.
 *
 * @throws ConfigError with everything that is wrong
 */
export function parseConfig(env: Environment, surroundings: Surroundings): Config {
  const faults: string[] = []
  const values = readVariables(env, faults)
  const service = serviceConfig(values, surroundings)
  const slack = slackConfig(env, values, faults)
  if (slack?.mode === 'playground' && !isLoopback(service.host)) {
    faults.push(
      'HOST: without Slack variables the playground is opened, which has no log-in and so needs a loopback HOST',
    )
  }
  const encryptionKeys = readKeys(values.ENCRYPTION_KEYS, faults)
  if (!values.ENCRYPTION_KEYS && databaseKind(service.databaseUrl) === 'postgres') {
    faults.push(
      'ENCRYPTION_KEYS: is required with PostgreSQL; make one with: openssl rand -base64 32',
    )
  }
  const { SHORTLINK_API_KEY: apiKey, SHORTLINK_DOMAIN: domain } = values
  if ((apiKey === undefined) !== (domain === undefined)) {
    faults.push('SHORTLINK_API_KEY and SHORTLINK_DOMAIN: set both or neither')
  }
  if ((apiKey ?? domain) !== undefined && slack && 'oauth' in slack) {
    faults.push(
      'SHORTLINK_API_KEY, SHORTLINK_DOMAIN: would be every workspace’s that installs the app; each connects its own with /shorten connect',
    )
  }
  if (faults.length > 0 || !slack) throw new ConfigError(faults)
  return Object.freeze<Config>({
    ...service,
    slack,
    linkService: values.SHORTLINK_BASE_URL
      ? { kind: 'outside', baseUrl: values.SHORTLINK_BASE_URL }
      : { kind: 'inside' },
    fallback: apiKey && domain ? { apiKey, domain } : undefined,
    encryptionKeys,
    port: values.PORT ?? 3000,
    publicUrl: values.PUBLIC_URL,
    unfurlDomains: unfurlDomains(values),
  })
}

/**
 * Reads what the link service alone needs; Slack's variables don't matter to it.
 *
 * @throws ConfigError with everything that is wrong
 */
export function parseServiceConfig(env: Environment, surroundings: Surroundings): ServiceConfig {
  const faults: string[] = []
  const config = serviceConfig(readVariables(env, faults), surroundings)
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/**
 * Reads what the manifest needs to know, which is made before there is anything of Slack's.
 *
 * @throws ConfigError with everything that is wrong
 */
export function parseManifestConfig(env: Environment): Pick<Config, 'unfurlDomains' | 'publicUrl'> {
  const faults: string[] = []
  const values = readVariables(env, faults)
  if (faults.length > 0) throw new ConfigError(faults)
  return { unfurlDomains: unfurlDomains(values), publicUrl: values.PUBLIC_URL }
}

/** UNFURL_DOMAINS, else our own service's hostname. Of another service we don't know where its links are. */
function unfurlDomains(values: Variables): readonly string[] {
  if (values.UNFURL_DOMAINS) return values.UNFURL_DOMAINS
  if (values.SHORTLINK_BASE_URL || !values.SERVICE_PUBLIC_URL) return []
  const own = unfurlDomainOf(values.SERVICE_PUBLIC_URL)
  return own ? [own] : []
}

function serviceConfig(values: Variables, { isTerminal }: Surroundings): ServiceConfig {
  const servicePort = values.SERVICE_PORT ?? 3001
  return {
    databaseUrl: values.DATABASE_URL ?? 'file:./data/backhalf.db',
    host: values.HOST ?? '127.0.0.1',
    servicePort,
    servicePublicUrl: values.SERVICE_PUBLIC_URL ?? `http://localhost:${servicePort}`,
    trustProxy: values.TRUST_PROXY,
    blocklistPath: values.BLOCKLIST_PATH,
    log: {
      level: values.LOG_LEVEL ?? 'info',
      format: values.LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json'),
    },
  }
}

function slackConfig(
  env: Environment,
  values: Variables,
  faults: string[],
): SlackConfig | undefined {
  const has = (name: string): boolean => Boolean(env[name] ?? env[`${name}_FILE`])
  const missing = (name: string, where: string): void => {
    if (!has(name)) faults.push(`${name}: is missing (${where})`)
  }
  const { SLACK_SIGNING_SECRET: signingSecret, SLACK_APP_TOKEN: appToken } = values
  const apiUrl = values.SLACK_API_URL ?? 'https://slack.com/api/'
  const wantsOAuth = Object.keys(OAUTH).some(has)
  const isSet = signingSecret ?? values.SLACK_BOT_TOKEN ?? appToken ?? values.SLACK_API_URL
  if (!isSet && !wantsOAuth) {
    return faults.some((fault) => fault.startsWith('SLACK_')) ? undefined : { mode: 'playground' }
  }
  if (wantsOAuth && has('SLACK_BOT_TOKEN')) {
    faults.push(
      'SLACK_BOT_TOKEN: is one workspace’s, and SLACK_CLIENT_ID lets any number of them install the app; set only one of the two',
    )
  }
  const tokens = wantsOAuth ? oauthCredentials(values) : botToken(values)
  if (tokens && appToken) return { mode: 'socket', appToken, ...tokens, apiUrl }
  if (tokens && signingSecret) return { mode: 'http', signingSecret, ...tokens, apiUrl }
  if (wantsOAuth) Object.entries(OAUTH).forEach(([name, where]) => missing(name, where))
  else missing('SLACK_BOT_TOKEN', 'your app’s page, OAuth & Permissions')
  if (!has('SLACK_APP_TOKEN')) {
    missing(
      'SLACK_SIGNING_SECRET',
      'your app’s page, Basic Information; or SLACK_APP_TOKEN for Socket Mode',
    )
  }
  return undefined
}

function botToken({ SLACK_BOT_TOKEN: token }: Variables): TokenSource | undefined {
  return token ? { botToken: token } : undefined
}

function oauthCredentials(values: Variables): TokenSource | undefined {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = values
  const stateSecret = values.SLACK_STATE_SECRET
  return clientId && clientSecret && stateSecret
    ? { oauth: { clientId, clientSecret, stateSecret } }
    : undefined
}

function readKeys(text: string | undefined, faults: string[]): Buffer[] | undefined {
  if (!text) return undefined
  try {
    return parseKeys(text)
  } catch (error) {
    faults.push(`ENCRYPTION_KEYS: ${error instanceof Error ? error.message : 'can’t be read'}`)
    return undefined
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
