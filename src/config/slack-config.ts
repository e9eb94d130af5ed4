import { isLoopbackHostname } from '../http/public-hostname.ts'
import type { Environment, Variables } from './variables.ts'

export const SLACK_API_URL = 'https://slack.com/api/'

type SlackConfig =
  | { mode: 'playground' }
  | ({ mode: 'http'; signingSecret: string; apiUrl: string } & TokenSource)
  | ({ mode: 'socket'; appToken: string; apiUrl: string } & TokenSource)

type TokenSource = { botToken: string } | { oauth: OAuthCredentials }

export interface OAuthCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly stateSecret: string
}

const UNDER_BASIC_INFORMATION = 'find it on your app’s page, under Basic Information'

const HOW_TO_GET = {
  SLACK_BOT_TOKEN: 'find it on your app’s page, under OAuth & Permissions',
  SLACK_CLIENT_ID: UNDER_BASIC_INFORMATION,
  SLACK_CLIENT_SECRET: UNDER_BASIC_INFORMATION,
  SLACK_STATE_SECRET: 'generate one with: openssl rand -base64 32',
  SLACK_SIGNING_SECRET: `${UNDER_BASIC_INFORMATION}, or set SLACK_APP_TOKEN to use Socket Mode`,
}

const OAUTH_VARIABLES = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const

/**
 * The playground opens if no Slack variable is set, except in production on a public address.
 * @param env all variables, which say what is set. `values` has only the valid ones
 */
export function parseSlackConfig(
  env: Environment,
  values: Variables,
  issues: string[],
): SlackConfig | undefined {
  const isSet = (name: string): boolean => Boolean(env[name] ?? env[`${name}_FILE`])
  const usesOAuth = OAUTH_VARIABLES.some(isSet)
  if (![...Object.keys(HOW_TO_GET), 'SLACK_APP_TOKEN', 'SLACK_API_URL'].some(isSet)) {
    return playgroundConfig(values, issues)
  }
  if (usesOAuth && isSet('SLACK_BOT_TOKEN')) {
    issues.push(
      'SLACK_BOT_TOKEN: belongs to one workspace, but SLACK_CLIENT_ID lets any workspace install the app; set only one of the two',
    )
  }
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken } = values
  const { SLACK_SIGNING_SECRET: signingSecret } = values
  const apiUrl = values.SLACK_API_URL ?? SLACK_API_URL
  const tokens = usesOAuth ? oauthTokens(values) : botToken && { botToken }
  if (tokens && appToken) return { mode: 'socket', appToken, ...tokens, apiUrl }
  if (tokens && signingSecret) return { mode: 'http', signingSecret, ...tokens, apiUrl }
  const needed: (keyof typeof HOW_TO_GET)[] = usesOAuth ? [...OAUTH_VARIABLES] : ['SLACK_BOT_TOKEN']
  if (!isSet('SLACK_APP_TOKEN')) needed.push('SLACK_SIGNING_SECRET')
  for (const name of needed) {
    if (!isSet(name)) issues.push(`${name}: is missing; ${HOW_TO_GET[name]}`)
  }
  return undefined
}

function playgroundConfig(values: Variables, issues: string[]): SlackConfig | undefined {
  const urls = [values.PUBLIC_URL, values.SERVICE_PUBLIC_URL].filter((url) => url !== undefined)
  const hasPublicAddress = urls.some((url) => !isLoopbackHostname(new URL(url).hostname))
  if (values.NODE_ENV !== 'production' || !hasPublicAddress) return { mode: 'playground' }
  issues.push(
    'SLACK_BOT_TOKEN: is missing, and so are Slack’s other settings; run npm run setup, or see docs/installing.md (in production on a public address, there is no playground)',
  )
  return undefined
}

function oauthTokens(values: Variables): TokenSource | undefined {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = values
  const stateSecret = values.SLACK_STATE_SECRET
  if (!clientId || !clientSecret || !stateSecret) return undefined
  return { oauth: { clientId, clientSecret, stateSecret } }
}
