import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { parseBaseUrl } from './client/base-url.ts'
import { databaseKind } from './database/database.ts'
import { MAX_UNFURL_DOMAINS, unfurlDomainList } from './unfurl-domains.ts'

export type Environment = Record<string, string | undefined>

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535)

const webUrl = z.url({ protocol: /^https?$/ })
/** Short URLs and the service's pages stand right below it. */
const originUrl = webUrl.refine((url) => {
  const { origin, href } = URL.parse(url) ?? {}
  return href === `${origin ?? ''}/`
})
const slackApiUrl = webUrl.transform((url) => (url.endsWith('/') ? url : `${url}/`))

/** A secret as Slack shows it: what is sent in a header can't hold an ellipsis, say. */
const secret = (prefix = '') =>
  z
    .string()
    .startsWith(prefix)
    .regex(/^[\x20-\x7e]+$/)
const UNSENDABLE = 'must be copied from Slack as it is: ASCII characters only'

/** Every variable: what it must look like, and the words for when it doesn't. */
export const VARIABLES = {
  SLACK_SIGNING_SECRET: [secret(), UNSENDABLE],
  SLACK_BOT_TOKEN: [secret('xoxb-'), 'must be a bot token, whole, which begins with xoxb-'],
  SLACK_APP_TOKEN: [secret('xapp-'), 'must be an app-level token, whole, which begins with xapp-'],
  SLACK_CLIENT_ID: [z.string().regex(/^[\d.]+$/), 'must be a client ID, like 1234.5678'],
  SLACK_CLIENT_SECRET: [secret(), UNSENDABLE],
  SLACK_STATE_SECRET: [z.string().min(16), 'must have 16 characters or more'],
  SLACK_API_URL: [slackApiUrl, 'must be an http:// or https:// URL'],
  SHORTLINK_BASE_URL: [
    z.string().refine(isBaseUrl),
    'must be an http:// or https:// URL without a user name, ? or #',
  ],
  SHORTLINK_API_KEY: [z.string().regex(/^[\x21-\x7e]+$/), 'must be one word'],
  SHORTLINK_DOMAIN: [z.string().max(75), 'must be a domain record’s id, at most 75 characters'],
  DATABASE_URL: [
    z.string().refine((url) => databaseKind(url) !== undefined),
    'must be file:PATH or postgres://…',
  ],
  ENCRYPTION_KEYS: [z.string(), ''],
  PORT: [port, 'must be a port number, 0 to 65535'],
  HOST: [z.string(), ''],
  SERVICE_PORT: [port, 'must be a port number, 0 to 65535'],
  SERVICE_PUBLIC_URL: [
    originUrl,
    'must be an http:// or https:// URL without a path, like https://go.example.com',
  ],
  PUBLIC_URL: [webUrl, 'must be an http:// or https:// URL'],
  UNFURL_DOMAINS: [
    unfurlDomainList,
    `must be at most ${MAX_UNFURL_DOMAINS} public hostnames, comma-separated, like go.example.com`,
  ],
  TRUST_PROXY: [
    z.string().refine((text) => text.split(',').every((part) => isNetwork(part.trim()))),
    'must be addresses and networks, comma-separated, like 127.0.0.1, 10.0.0.0/8 or loopback',
  ],
  BLOCKLIST_PATH: [z.string(), ''],
  LOG_LEVEL: [z.enum(LOG_LEVELS), `must be one of ${LOG_LEVELS.join(', ')}`],
  LOG_FORMAT: [z.enum(['json', 'pretty']), 'must be json or pretty'],
} as const satisfies Record<string, readonly [z.ZodType, string]>

type Name = keyof typeof VARIABLES
/** The variables that are set and good, each as its schema reads it. */
export type Variables = { [N in Name]?: z.output<(typeof VARIABLES)[N][0]> }

/** @returns of these names those that nothing here reads: written wrongly, most likely */
export function unknownNames(names: readonly string[]): string[] {
  return names.filter((name) => !Object.hasOwn(VARIABLES, name.replace(/_FILE$/, '')))
}

/** What Fastify's `trustProxy` takes: an address, a network, or one of its names. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits = '0', ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
}

function isBaseUrl(text: string): boolean {
  try {
    return parseBaseUrl(text) !== ''
  } catch {
    return false
  }
}

/**
 * Reads every variable of ours, where each may also come as `NAME_FILE`, a path to a file that
 * holds the value.
 *
 * @param faults gets what is wrong, by name and never with the value
 */
export function readVariables(env: Environment, faults: string[]): Variables {
  const values: Record<string, unknown> = {}
  for (const [name, [schema, rule]] of Object.entries(VARIABLES)) {
    const text = readText(env, name, faults)
    if (!text) continue
    const parsed = schema.safeParse(text)
    if (parsed.success) values[name] = parsed.data
    else faults.push(`${name}: ${rule}`)
  }
  return values
}

/** An empty variable counts as not set, as in most container set-ups. */
function readText(env: Environment, name: string, faults: string[]): string | undefined {
  const path = env[`${name}_FILE`]
  if (!path) return env[name]?.trim()
  if (env[name]) faults.push(`${name} and ${name}_FILE: set only one of them`)
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    faults.push(`${name}_FILE: the file can’t be read`)
    return undefined
  }
}
