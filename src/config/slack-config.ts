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

const OAUTH_VARIABLES = {
  SLACK_CLIENT_ID: 'find it on your app’s page, under Basic Information',
  SLACK_CLIENT_SECRET: 'find it on your app’s page, under Basic Information',
  SLACK_STATE_SECRET: 'generate one with: openssl rand -base64 32',
} as const

/** If no Slack variable is set (`env`), valid or not, the app opens the playground, except in production. */
export function parseSlackConfig(
  env: Environment,
  values: Variables,
  issues: string[],
): SlackConfig | undefined {
  const has = (name: string): boolean => Boolean(env[name] ?? env[`${name}_FILE`])
  const requireVariable = (name: string, howToGet: string): void => {
    if (!has(name)) issues.push(`${name}: is missing; ${howToGet}`)
  }
  const { SLACK_SIGNING_SECRET: signingSecret, SLACK_APP_TOKEN: appToken } = values
  const { SLACK_BOT_TOKEN: botToken } = values
  const apiUrl = values.SLACK_API_URL ?? SLACK_API_URL
  const usesOAuth = Object.keys(OAUTH_VARIABLES).some(has)
  const isSet = signingSecret ?? botToken ?? appToken ?? values.SLACK_API_URL
  if (!isSet && !usesOAuth) {
    if (issues.some((issue) => issue.startsWith('SLACK_'))) return undefined
    if (values.NODE_ENV !== 'production' || !hasPublicAddress(values)) return { mode: 'playground' }
    issues.push(
      'SLACK_BOT_TOKEN: is missing, as are Slack’s other settings; run npm run setup, or see docs/installing.md (the playground does not open with NODE_ENV=production and a public address)',
    )
    return undefined
  }
  if (usesOAuth && has('SLACK_BOT_TOKEN')) {
    issues.push(
      'SLACK_BOT_TOKEN: belongs to one workspace, but SLACK_CLIENT_ID lets any workspace install the app; set only one of the two',
    )
  }
  const tokens = usesOAuth ? oauthCredentials(values) : botToken && { botToken }
  if (tokens && appToken) return { mode: 'socket', appToken, ...tokens, apiUrl }
  if (tokens && signingSecret) return { mode: 'http', signingSecret, ...tokens, apiUrl }
  if (usesOAuth) {
    for (const [name, howToGet] of Object.entries(OAUTH_VARIABLES)) requireVariable(name, howToGet)
  } else {
    requireVariable('SLACK_BOT_TOKEN', 'find it on your app’s page, under OAuth & Permissions')
  }
  if (!has('SLACK_APP_TOKEN')) {
    requireVariable(
      'SLACK_SIGNING_SECRET',
      'find it on your app’s page, under Basic Information, or set SLACK_APP_TOKEN to use Socket Mode',
    )
  }
  return undefined
}

function hasPublicAddress({ PUBLIC_URL, SERVICE_PUBLIC_URL }: Variables): boolean {
  const urls = [PUBLIC_URL, SERVICE_PUBLIC_URL].filter((url) => url !== undefined)
  return urls.some((url) => !isLoopbackHostname(new URL(url).hostname))
}

function oauthCredentials(values: Variables): TokenSource | undefined {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = values
  const stateSecret = values.SLACK_STATE_SECRET
  return clientId && clientSecret && stateSecret
    ? { oauth: { clientId, clientSecret, stateSecret } }
    : undefined
}
