import { databaseKind } from '../database/database.ts'
import type { ServiceKind } from '../port/service-kind.ts'
import { parseKeys } from '../workspaces/encryption-keys.ts'
import { DEFAULT_COMMAND } from './command.ts'
import type { LogConfig } from './logger.ts'
import { parseSlackConfig, type SlackConfig } from './slack-config.ts'
import { unfurlDomains } from './unfurl-domains.ts'
import { readVariables, type Environment, type Variables } from './variables.ts'

/** Which link service the app uses: our own, started together with the app, or another one. */
type LinkServiceConfig =
  { kind: 'built-in' } | { kind: 'external'; service: ServiceKind; baseUrl: string }

/** The settings of the link service. */
export type ServiceConfig = Readonly<ReturnType<typeof serviceConfig>>

/** Who runs the app and how to reach them, for its pages. */
export type Operator = {
  readonly [Name in keyof ReturnType<typeof operatorConfig>]?: string | undefined
}

/** All settings, validated. */
export interface Config extends ServiceConfig {
  readonly slack: SlackConfig
  readonly linkService: LinkServiceConfig
  /** The key and domain record for workspaces that have not connected their own. */
  readonly fallback: { readonly apiKey: string; readonly domain: string } | undefined
  /** Newest first. If undefined, a key is generated once and kept beside the SQLite file. */
  readonly encryptionKeys: readonly Buffer[] | undefined
  readonly port: number
  readonly publicUrl: string | undefined
  readonly operator: Operator
  /** Hostnames whose links the app unfurls. The manifest names them too. */
  readonly unfurlDomains: readonly string[]
  /** Whether Slackbot can use the app's tools. The manifest says so too. */
  readonly slackMcp: boolean
}

/** Lists everything that is wrong with the environment. It contains no values, only names. */
export class ConfigError extends Error {
  readonly issues: readonly string[]

  constructor(issues: readonly string[]) {
    super(`The configuration is invalid:\n${issues.map((issue) => `  - ${issue}`).join('\n')}`)
    this.name = 'ConfigError'
    this.issues = issues
  }
}

interface OutputOptions {
  /** Whether standard output is a terminal, where a person reads the log. */
  isTerminal: boolean
}

/**
 * Reads the settings of the app and its link service.
 *
 * @throws ConfigError with every issue
 */
export function parseConfig(env: Environment, output: OutputOptions): Config {
  return read(env, (values, issues) => appConfig(env, values, issues, output))
}

function appConfig(
  env: Environment,
  values: Variables,
  issues: string[],
  output: OutputOptions,
): Config {
  const settings = serviceConfig(values, output)
  const slack = parseSlackConfig(env, values, issues)
  if (slack?.mode === 'playground' && !isLoopback(settings.host)) {
    issues.push(
      'HOST: must be a loopback address such as 127.0.0.1: without Slack variables, Backhalf opens the playground, which has no sign-in',
    )
  }
  const wantsMcp = values.SLACK_MCP === 'on'
  if (wantsMcp && slack?.mode === 'socket') {
    issues.push(
      'SLACK_MCP: does not work in Socket Mode, because Slackbot sends its requests to a public https address; set SLACK_SIGNING_SECRET instead of SLACK_APP_TOKEN, or remove SLACK_MCP',
    )
  }
  const encryptionKeys = readKeys(values.ENCRYPTION_KEYS, issues)
  if (!values.ENCRYPTION_KEYS && databaseKind(settings.databaseUrl) === 'postgres') {
    issues.push(
      'ENCRYPTION_KEYS: is required with PostgreSQL; generate a key with: openssl rand -base64 32',
    )
  }
  const { SHORTLINK_API_KEY: apiKey, SHORTLINK_DOMAIN: domain } = values
  if ((apiKey === undefined) !== (domain === undefined)) {
    issues.push('SHORTLINK_API_KEY and SHORTLINK_DOMAIN: set both or neither')
  }
  if ((apiKey ?? domain) !== undefined && slack && 'oauth' in slack) {
    issues.push(
      `SHORTLINK_API_KEY, SHORTLINK_DOMAIN: would apply to every workspace that installs the app; let each workspace connect its own key with ${settings.command} connect`,
    )
  }
  const { LINK_SERVICE_KIND: service = 'backhalf' } = values
  if (service !== 'backhalf' && !values.SHORTLINK_BASE_URL) {
    issues.push(`SHORTLINK_BASE_URL: is required with LINK_SERVICE_KIND=${service}`)
  }
  if (!slack) throw new ConfigError(issues)
  return Object.freeze<Config>({
    ...settings,
    checksDestinations: settings.checksDestinations && slack.mode !== 'playground',
    slack,
    linkService: values.SHORTLINK_BASE_URL
      ? { kind: 'external', service, baseUrl: values.SHORTLINK_BASE_URL }
      : { kind: 'built-in' },
    fallback: apiKey && domain ? { apiKey, domain } : undefined,
    encryptionKeys,
    port: values.PORT ?? 3000,
    publicUrl: values.PUBLIC_URL,
    operator: operatorConfig(values),
    unfurlDomains: unfurlDomains(values),
    slackMcp: wantsMcp && slack.mode === 'http',
  })
}

/** Reads some of the settings. Variables of other settings may be missing. @throws ConfigError with every issue */
function read<T>(env: Environment, choose: (values: Variables, issues: string[]) => T): T {
  const issues: string[] = []
  const chosen = choose(readVariables(env, issues), issues)
  if (issues.length > 0) throw new ConfigError(issues)
  return chosen
}

/** Reads the settings of the link service alone. @throws ConfigError with every issue */
export function parseServiceConfig(env: Environment, output: OutputOptions): ServiceConfig {
  return read(env, (values) => Object.freeze(serviceConfig(values, output)))
}

/** Reads the settings that the manifest needs. @throws ConfigError with every issue */
export function parseManifestConfig(
  env: Environment,
): Pick<Config, 'command' | 'unfurlDomains' | 'publicUrl' | 'slackMcp'> {
  return read(env, (values) => ({
    command: values.SLACK_COMMAND ?? DEFAULT_COMMAND,
    unfurlDomains: unfurlDomains(values),
    publicUrl: values.PUBLIC_URL,
    slackMcp: values.SLACK_MCP === 'on',
  }))
}

/**
 * Reads ENCRYPTION_KEYS.
 *
 * @returns the keys, newest first; undefined if it is not set
 * @throws ConfigError
 */
export function parseEncryptionKeys(env: Environment): Buffer[] | undefined {
  return read(env, ({ ENCRYPTION_KEYS: text }, issues) => readKeys(text, issues))
}

/** Reads the API key for a check of a link service. @throws ConfigError with every issue */
export function parseConformanceConfig(env: Environment): { apiKey: string | undefined } {
  return read(env, ({ SHORTLINK_API_KEY: apiKey }) => ({ apiKey }))
}

function serviceConfig(values: Variables, { isTerminal }: OutputOptions) {
  const servicePort = values.SERVICE_PORT ?? 3001
  const log: LogConfig = {
    level: values.LOG_LEVEL ?? 'info',
    format: values.LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json'),
  }
  return {
    /** The slash command, which the dashboard names too. */
    command: values.SLACK_COMMAND ?? DEFAULT_COMMAND,
    databaseUrl: values.DATABASE_URL ?? 'file:./data/backhalf.db',
    /** How many connections to PostgreSQL a process opens at most; undefined: the default. */
    databasePoolSize: values.DATABASE_POOL_SIZE,
    host: values.HOST ?? '127.0.0.1',
    servicePort,
    /** The URL at which browsers reach the service. */
    servicePublicUrl: values.SERVICE_PUBLIC_URL ?? `http://localhost:${servicePort}`,
    /** Proxies whose `X-Forwarded-*` headers are trusted: addresses and networks, comma-separated. */
    trustProxy: values.TRUST_PROXY,
    /** How many connections one address may open; undefined: the default. */
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    /** A file of hostnames that no link may lead to. */
    blocklistPath: values.BLOCKLIST_PATH,
    /** Whether the service asks destinations whether they work. */
    checksDestinations: values.CHECK_DESTINATIONS !== 'off',
    /** For how many days the clicks of each day are kept; undefined: as long as the link. */
    clicksDays: values.CLICKS_DAYS,
    /** How many links each new workspace may have; undefined: no limit. */
    linkQuota: values.WORKSPACE_LINK_QUOTA,
    /** How long to go on after a SIGTERM while `/readyz` says 503, in milliseconds. */
    shutdownDelayMs: (values.SHUTDOWN_DELAY ?? 2) * 1_000,
    /** Where the metrics for Prometheus are served; undefined: nothing is measured. */
    metrics:
      values.METRICS_PORT === undefined
        ? undefined
        : { host: values.METRICS_HOST ?? '127.0.0.1', port: values.METRICS_PORT },
    log,
  }
}

function operatorConfig(values: Variables) {
  return {
    name: values.OPERATOR_NAME,
    supportUrl: values.SUPPORT_URL,
    supportEmail: values.SUPPORT_EMAIL,
    /** An email address or a URL. */
    privacyContact: values.PRIVACY_CONTACT,
  }
}

function readKeys(text: string | undefined, issues: string[]): Buffer[] | undefined {
  if (!text) return undefined
  try {
    return parseKeys(text)
  } catch (error) {
    issues.push(`ENCRYPTION_KEYS: ${error instanceof Error ? error.message : 'can’t be read'}`)
    return undefined
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
