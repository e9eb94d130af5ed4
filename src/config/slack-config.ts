import { isLoopbackHostname } from '../http/public-hostname.ts'
import type { Environment, Variables } from './variables.ts'

export const SLACK_API_URL = 'https://slack.com/api/'

export type SlackConfig =
  | { mode: 'playground' }
  | ({ mode: 'http'; signingSecret: string; apiUrl: string } & TokenSource)
  | ({ mode: 'socket'; appToken: string; apiUrl: string } & TokenSource)

type TokenSource = { botToken: string } | { oauth: OAuthCredentials }

export interface OAuthCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly stateSecret: string
}

const SLACK_VARIABLES = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_API_URL',
] as const

const BOT_TOKEN_VARIABLE = {
  SLACK_BOT_TOKEN: 'find it on your app’s page, under OAuth & Permissions',
}

const SIGNING_SECRET_VARIABLE = {
  SLACK_SIGNING_SECRET:
    'find it on your app’s page, under Basic Information, or set SLACK_APP_TOKEN to use Socket Mode',
}

const OAUTH_VARIABLES = {
  SLACK_CLIENT_ID: 'find it on your app’s page, under Basic Information',
  SLACK_CLIENT_SECRET: 'find it on your app’s page, under Basic Information',
  SLACK_STATE_SECRET: 'generate one with: openssl rand -base64 32',
} as const

/**
 * If no Slack variable is set, the app opens the playground, except in production on a public address.
 *
 * @param env all variables, including those whose value is invalid
 * @param values only the valid ones
 * @param issues the errors so far, to which this adds its own
 */
export function parseSlackConfig(
  env: Environment,
  values: Variables,
  issues: string[],
): SlackConfig | undefined {
  const isSet = (name: string): boolean => Boolean(env[name] ?? env[`${name}_FILE`])
  const usesOAuth = Object.keys(OAUTH_VARIABLES).some(isSet)
  if (!usesOAuth && !SLACK_VARIABLES.some(isSet)) return playgroundConfig(values, issues)
  if (usesOAuth && isSet('SLACK_BOT_TOKEN')) {
    issues.push(
      'SLACK_BOT_TOKEN: belongs to one workspace, but SLACK_CLIENT_ID lets any workspace install the app; set only one of the two',
    )
  }
  const { SLACK_SIGNING_SECRET: signingSecret, SLACK_APP_TOKEN: appToken } = values
  const apiUrl = values.SLACK_API_URL ?? SLACK_API_URL
  const tokens = usesOAuth ? oauthTokens(values) : botToken(values)
  if (tokens && appToken) return { mode: 'socket', appToken, ...tokens, apiUrl }
  if (tokens && signingSecret) return { mode: 'http', signingSecret, ...tokens, apiUrl }
  const needed = {
    ...(usesOAuth ? OAUTH_VARIABLES : BOT_TOKEN_VARIABLE),
    ...(!isSet('SLACK_APP_TOKEN') && SIGNING_SECRET_VARIABLE),
  }
  for (const [name, howToGet] of Object.entries(needed)) {
    if (!isSet(name)) issues.push(`${name}: is missing; ${howToGet}`)
  }
  return undefined
}

function playgroundConfig(values: Variables, issues: string[]): SlackConfig | undefined {
  if (values.NODE_ENV !== 'production' || !hasPublicAddress(values)) return { mode: 'playground' }
  issues.push(
    'SLACK_BOT_TOKEN: is missing, and so are Slack’s other settings; run npm run setup, or see docs/installing.md (in production on a public address, there is no playground)',
  )
  return undefined
}

function hasPublicAddress({ PUBLIC_URL, SERVICE_PUBLIC_URL }: Variables): boolean {
  const urls = [PUBLIC_URL, SERVICE_PUBLIC_URL].filter((url) => url !== undefined)
  return urls.some((url) => !isLoopbackHostname(new URL(url).hostname))
}

function botToken({ SLACK_BOT_TOKEN: token }: Variables): TokenSource | undefined {
  return token === undefined ? undefined : { botToken: token }
}

function oauthTokens(values: Variables): TokenSource | undefined {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = values
  const stateSecret = values.SLACK_STATE_SECRET
  return clientId && clientSecret && stateSecret
    ? { oauth: { clientId, clientSecret, stateSecret } }
    : undefined
}
