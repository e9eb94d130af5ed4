import { SERVICE_KINDS } from '../port/link-service.ts'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { parseBaseUrl } from '../contract/endpoints.ts'
import { MAX_POOL_SIZE, MIN_POOL_SIZE } from '../database/database.ts'
import { databaseKind } from '../database/database-url.ts'
import { isPublicHostname } from '../http/public-hostname.ts'
import { LOG_FORMATS, LOG_LEVELS } from './logger.ts'

export type Environment = Record<string, string | undefined>

const wholeNumber = (min: number, max: number, what = 'a whole number') =>
  [
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number)
      .refine((value) => value >= min && value <= max),
    `must be ${what} from ${min} to ${max}`,
  ] as const

const PORT = wholeNumber(0, 65_535, 'a port number')
const ON_OR_OFF = [z.enum(['on', 'off']), 'must be on or off'] as const
const ANY_TEXT = [z.string(), ''] as const

/** Slack shows the clicks of the last 30 days, so the service must keep at least these. */
const MIN_CLICKS_DAYS = 31

const webUrl = z.url({ protocol: /^https?$/ })
const WEB_URL_RULE = 'must be an http:// or https:// URL'
/** The origin of the service's URLs. A path is forbidden, because short URLs are directly below the origin. */
const originUrl = webUrl.refine((url) => {
  const { origin, href } = URL.parse(url) ?? {}
  return href === `${origin ?? ''}/`
})
const email = z.email()
const slackApiUrl = webUrl.transform((url) => (url.endsWith('/') ? url : `${url}/`))

export const MAX_UNFURL_DOMAINS = 5

/** If a message has a link to one of these hostnames, Slack asks the app for a preview card. */
const unfurlDomainList = z
  .string()
  .transform((text) => {
    const names = text.split(',').map((name) => name.trim())
    return [...new Set(names.map((name) => domainToASCII(name) || name))] // Lower case and Punycode.
  })
  .pipe(z.array(z.string().refine(isPublicHostname)).max(MAX_UNFURL_DOMAINS))

/** A secret that was copied from Slack. It must be ASCII, because a header carries it. */
const secret = (prefix = '') =>
  z
    .string()
    .startsWith(prefix)
    .regex(/^[\x20-\x7e]+$/)
const SECRET_RULE = 'must be copied from Slack exactly as it is (ASCII characters only)'

export const VARIABLES = {
  SLACK_SIGNING_SECRET: [secret(), SECRET_RULE],
  SLACK_BOT_TOKEN: [secret('xoxb-'), 'must be a complete bot token, which starts with xoxb-'],
  SLACK_APP_TOKEN: [secret('xapp-'), 'must be a complete app-level token, which starts with xapp-'],
  SLACK_CLIENT_ID: [z.string().regex(/^[\d.]+$/), 'must be a client ID, like 1234.5678'],
  SLACK_CLIENT_SECRET: [secret(), SECRET_RULE],
  SLACK_STATE_SECRET: [z.string().min(16), 'must have at least 16 characters'],
  SLACK_COMMAND: [
    z.string().regex(/^\/[a-z\d_-]{1,31}$/),
    'must be a slash and 1 to 31 lower-case letters, digits, hyphens or underscores, like /short',
  ],
  SLACK_MCP: ON_OR_OFF,
  SLACK_API_URL: [slackApiUrl, WEB_URL_RULE],
  LINK_SERVICE_KIND: [z.enum(SERVICE_KINDS), `must be one of ${SERVICE_KINDS.join(', ')}`],
  SHORTLINK_BASE_URL: [z.string().refine(isBaseUrl), `${WEB_URL_RULE} without a user name, ? or #`],
  SHORTLINK_API_KEY: [
    z.string().regex(/^[\x21-\x7e]+$/),
    'must contain only ASCII characters and no spaces',
  ],
  SHORTLINK_DOMAIN: [
    z.string().max(75),
    'must be the ID of a domain record, which has at most 75 characters',
  ],
  DATABASE_URL: [
    z.string().refine((url) => databaseKind(url) !== undefined),
    'must be file:PATH or postgres://…, in which a password has %23 for #, %2F for / and %3F for ?',
  ],
  DATABASE_POOL_SIZE: wholeNumber(MIN_POOL_SIZE, MAX_POOL_SIZE),
  ENCRYPTION_KEYS: ANY_TEXT,
  PORT: PORT,
  HOST: ANY_TEXT,
  SERVICE_PORT: PORT,
  SERVICE_PUBLIC_URL: [originUrl, `${WEB_URL_RULE} without a path, like https://go.example.com`],
  PUBLIC_URL: [webUrl, WEB_URL_RULE],
  UNFURL_DOMAINS: [
    unfurlDomainList,
    `must be at most ${MAX_UNFURL_DOMAINS} public hostnames, separated by commas, like go.example.com`,
  ],
  TRUST_PROXY: [
    z.string().refine((text) => text.split(',').every((part) => isNetwork(part.trim()))),
    'must be addresses or networks, separated by commas, like 127.0.0.1, 10.0.0.0/8 or loopback',
  ],
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 99_999),
  BLOCKLIST_PATH: ANY_TEXT,
  CHECK_DESTINATIONS: ON_OR_OFF,
  CLICKS_DAYS: wholeNumber(MIN_CLICKS_DAYS, 99_999, 'a whole number of days'),
  WORKSPACE_LINK_QUOTA: wholeNumber(0, 1_000_000_000),
  OPERATOR_NAME: [
    z.string().regex(/^\P{Cc}{1,100}$/u),
    'must be one line of at most 100 characters',
  ],
  SUPPORT_URL: [webUrl, WEB_URL_RULE],
  SUPPORT_EMAIL: [email, 'must be an email address, like help@example.com'],
  PRIVACY_CONTACT: [
    z.union([email, webUrl]),
    'must be an email address, or an http:// or https:// URL',
  ],
  SHUTDOWN_DELAY: wholeNumber(0, 999, 'a whole number of seconds'),
  NODE_ENV: ANY_TEXT,
  METRICS_PORT: PORT,
  METRICS_HOST: ANY_TEXT,
  LOG_LEVEL: [z.enum(LOG_LEVELS), `must be one of ${LOG_LEVELS.join(', ')}`],
  LOG_FORMAT: [z.enum(LOG_FORMATS), `must be ${LOG_FORMATS.join(' or ')}`],
} as const satisfies Record<string, readonly [z.ZodType, string]>

type Name = keyof typeof VARIABLES
export type Variables = { [N in Name]?: z.output<(typeof VARIABLES)[N][0]> }

/**
 * Reads and checks the variables. Each can also be set as `NAME_FILE`, the path of a file with the value.
 * @param issues gets an error for each invalid variable. It never contains the value, which might be a secret
 * @returns the valid variables
 */
export function readVariables(env: Environment, issues: string[]): Variables {
  const values: Record<string, unknown> = {}
  for (const [name, [schema, rule]] of Object.entries(VARIABLES)) {
    const text = readText(env, name, issues)
    if (!text?.trim()) continue
    const parsed = schema.safeParse(text.trim())
    if (parsed.success) values[name] = parsed.data
    else issues.push(`${name}: ${rule}`)
  }
  return values
}

function readText(env: Environment, name: string, issues: string[]): string | undefined {
  const path = env[`${name}_FILE`]
  // An empty variable counts as not set, because container setups can often only empty a variable.
  if (!path) return env[name]
  if (env[name]) issues.push(`${name} and ${name}_FILE: set only one of them`)
  try {
    return readFileSync(path, 'utf8')
  } catch {
    issues.push(`${name}_FILE: the file can’t be read`)
    return undefined
  }
}

export function isSecret(name: string): boolean {
  // A database's URL can contain a password.
  return /TOKEN|SECRET|KEY|DATABASE_URL/.test(name)
}

export function unknownVariables(names: readonly string[]): string[] {
  return names.filter((name) => !Object.hasOwn(VARIABLES, name.replace(/_FILE$/, '')))
}

function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', prefixLength = '0', ...rest] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && /^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= longest
}

function isBaseUrl(text: string): boolean {
  try {
    return parseBaseUrl(text) !== ''
  } catch {
    return false
  }
}
