import { databaseKind } from '../database/database-url.ts'
import { isPublicHostname } from '../http/public-hostname.ts'
import { parseKeys } from '../workspaces/keyring.ts'
import { DEFAULT_COMMAND } from './command.ts'
import type { LogConfig } from './logger.ts'
import { parseSlackConfig } from './slack-config.ts'
import { MAX_UNFURL_DOMAINS, readVariables, type Environment, type Variables } from './variables.ts'

export interface Operator {
  readonly name?: string | undefined
  readonly supportUrl?: string | undefined
  readonly supportEmail?: string | undefined
  readonly privacyContact?: string | undefined
}

/** The settings that both the app and the service read. */
export type ServiceConfig = Readonly<ReturnType<typeof serviceConfig>>
export type Config = Readonly<ReturnType<typeof appConfig>>

/** Lists every invalid variable by its name. The message never contains a value, which might be secret. */
export class ConfigError extends Error {
  readonly issues: readonly string[]

  constructor(issues: readonly string[]) {
    super(`The configuration is invalid:\n${issues.map((issue) => `  - ${issue}`).join('\n')}`)
    this.name = 'ConfigError'
    this.issues = issues
  }
}

/** @param isTerminal whether the log is shown in a terminal, so that it is easier to read by default */
export function parseConfig(env: Environment, isTerminal = false): Config {
  return buildChecked(env, (values, issues) =>
    Object.freeze(appConfig(env, values, issues, isTerminal)),
  )
}

function appConfig(env: Environment, values: Variables, issues: string[], isTerminal: boolean) {
  const settings = serviceConfig(values, isTerminal)
  const slack = parseSlackConfig(env, values, issues)
  const encryptionKeys = readKeys(values.ENCRYPTION_KEYS, issues)
  checkCombinations(values, { settings, slack }, issues)
  if (!slack) throw new ConfigError(issues) // parseSlackConfig has added an issue.
  const {
    SHORTLINK_API_KEY: apiKey,
    SHORTLINK_DOMAIN: domain,
    SHORTLINK_BASE_URL: baseUrl,
  } = values
  const operator: Operator = {
    name: values.OPERATOR_NAME,
    supportUrl: values.SUPPORT_URL,
    supportEmail: values.SUPPORT_EMAIL,
    privacyContact: values.PRIVACY_CONTACT,
  }
  return {
    ...settings,
    // Links of the playground lead to example sites, so checks of their destinations say nothing.
    checksDestinations: settings.checksDestinations && slack.mode !== 'playground',
    slack,
    linkService: baseUrl
      ? { kind: 'external' as const, service: linkServiceKind(values), baseUrl }
      : { kind: 'built-in' as const },
    fallback: apiKey && domain ? { apiKey, domain } : undefined,
    /** Newest first. If undefined, the app generates a key once and keeps it beside the SQLite file. */
    encryptionKeys,
    port: values.PORT ?? 3000,
    publicUrl: values.PUBLIC_URL,
    operator,
    unfurlDomains: unfurlDomains(values),
    slackMcp: values.SLACK_MCP === 'on' && slack.mode === 'http',
  }
}

const linkServiceKind = ({ LINK_SERVICE_KIND: kind = 'backhalf' }: Variables) => kind

function checkCombinations(
  values: Variables,
  { settings, slack }: { settings: ServiceConfig; slack: ReturnType<typeof parseSlackConfig> },
  issues: string[],
): void {
  // Other names, such as my.localhost, might resolve to any address.
  const isLoopback = /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/.test(settings.host)
  if (slack?.mode === 'playground' && !isLoopback) {
    issues.push(
      'HOST: must be a loopback address such as 127.0.0.1, because without Slack variables, Backhalf opens the playground, which has no sign-in',
    )
  }
  if (values.SLACK_MCP === 'on' && slack?.mode === 'socket') {
    issues.push(
      'SLACK_MCP: does not work in Socket Mode, because Slackbot sends its requests to a public https address; set SLACK_SIGNING_SECRET instead of SLACK_APP_TOKEN, or remove SLACK_MCP',
    )
  }
  if (!values.ENCRYPTION_KEYS && databaseKind(settings.databaseUrl) === 'postgres') {
    issues.push(
      'ENCRYPTION_KEYS: is required with PostgreSQL; generate a key with: openssl rand -base64 32',
    )
  }
  const { SHORTLINK_API_KEY: apiKey, SHORTLINK_DOMAIN: domain } = values
  if ((apiKey === undefined) !== (domain === undefined)) {
    issues.push('SHORTLINK_API_KEY and SHORTLINK_DOMAIN: set both or neither')
  }
  const hasFallbackSetting = apiKey !== undefined || domain !== undefined
  if (hasFallbackSetting && slack && 'oauth' in slack) {
    issues.push(
      `SHORTLINK_API_KEY, SHORTLINK_DOMAIN: would apply to every workspace that installs the app; let each workspace connect its own key with ${settings.command} connect`,
    )
  }
  const service = linkServiceKind(values)
  if (service !== 'backhalf' && !values.SHORTLINK_BASE_URL) {
    issues.push(`SHORTLINK_BASE_URL: is required with LINK_SERVICE_KIND=${service}`)
  }
}

function buildChecked<T>(env: Environment, build: (values: Variables, issues: string[]) => T): T {
  const issues: string[] = []
  const config = build(readVariables(env, issues), issues)
  if (issues.length > 0) throw new ConfigError(issues)
  return config
}

export function parseServiceConfig(env: Environment, isTerminal = false): ServiceConfig {
  return buildChecked(env, (values) => Object.freeze(serviceConfig(values, isTerminal)))
}

export function parseManifestConfig(env: Environment) {
  return buildChecked(env, (values) => ({
    command: values.SLACK_COMMAND ?? DEFAULT_COMMAND,
    unfurlDomains: unfurlDomains(values),
    publicUrl: values.PUBLIC_URL,
    slackMcp: values.SLACK_MCP === 'on',
  }))
}

export function parseEncryptionKeys(env: Environment): Buffer[] | undefined {
  return buildChecked(env, ({ ENCRYPTION_KEYS: text }, issues) => readKeys(text, issues))
}

export function parseConformanceConfig(env: Environment): { apiKey: string | undefined } {
  return buildChecked(env, ({ SHORTLINK_API_KEY: apiKey }) => ({ apiKey }))
}

function serviceConfig(values: Variables, isTerminal: boolean) {
  const servicePort = values.SERVICE_PORT ?? 3001
  const log: LogConfig = {
    level: values.LOG_LEVEL ?? 'info',
    format: values.LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json'),
  }
  return {
    command: values.SLACK_COMMAND ?? DEFAULT_COMMAND,
    databaseUrl: values.DATABASE_URL ?? 'file:./data/backhalf.db',
    databasePoolSize: values.DATABASE_POOL_SIZE,
    host: values.HOST ?? '127.0.0.1',
    servicePort,
    servicePublicUrl: values.SERVICE_PUBLIC_URL ?? `http://localhost:${servicePort}`,
    trustProxy: values.TRUST_PROXY,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    blocklistPath: values.BLOCKLIST_PATH,
    checksDestinations: values.CHECK_DESTINATIONS !== 'off',
    clicksDays: values.CLICKS_DAYS,
    linkQuota: values.WORKSPACE_LINK_QUOTA,
    shutdownDelayMs: (values.SHUTDOWN_DELAY ?? 2) * 1_000,
    metrics:
      values.METRICS_PORT === undefined
        ? undefined
        : { host: values.METRICS_HOST ?? '127.0.0.1', port: values.METRICS_PORT },
    log,
  }
}

/** The default is the hostname of our own link service. With another link service, there is no default. */
export function unfurlDomains(values: Variables): readonly string[] {
  if (values.UNFURL_DOMAINS) return values.UNFURL_DOMAINS
  if (values.SHORTLINK_BASE_URL || !values.SERVICE_PUBLIC_URL) return []
  const { hostname } = new URL(values.SERVICE_PUBLIC_URL)
  return isPublicHostname(hostname) ? [hostname] : []
}

/** Adds the link service's own hosts, which need not be public: the simulated Slack runs on the same machine. */
export function playgroundUnfurlDomains(configured: readonly string[], hosts: readonly string[]) {
  const hostnames = hosts.map((host) => new URL(`http://${host}`).hostname)
  // A manifest accepts no IPv6 address as a domain.
  const accepted = hostnames.filter((name) => /^(?![-.])[-a-z0-9.]+[a-z0-9]$/.test(name))
  return [...new Set([...accepted, ...configured])].slice(0, MAX_UNFURL_DOMAINS)
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
