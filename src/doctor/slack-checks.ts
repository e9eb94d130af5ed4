import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  type WebAPICallResult,
} from '@slack/web-api'
import { pino } from 'pino'
import { z } from 'zod'
import { withoutSlash } from '../contract/endpoints.ts'
import { botScopes, optionalBotScopes } from '../slack/install/manifest.ts'
import { createSlackFetch, slackClientOptions } from '../slack/platform/slack-client.ts'
import { isTemporary, slackErrorCode, SlackTimeoutError } from '../slack/platform/slack-errors.ts'
import { systemClock, unlessAborted, type Clock } from '../timing/clock.ts'
import { asObject } from '../values/unknown-values.ts'
import {
  rootErrorCode,
  failed,
  masked,
  ok,
  skipped,
  unchecked,
  warning,
  type Result,
} from './check.ts'

export interface SlackAccess {
  apiUrl: string
  signal?: AbortSignal | undefined
  clock?: Clock
}

interface TokenCheck extends SlackAccess {
  token: string
}

type NeededScopes = ReturnType<typeof neededScopes>

export function neededScopes(unfurlDomains: readonly string[], hasMcp = false) {
  return { all: botScopes(unfurlDomains, hasMcp), optional: optionalBotScopes() }
}

const authTest = z.object({ team: z.string(), team_id: z.string(), user: z.string() })

/** The first result says whether Slack accepts the token. If it does, the second one compares its scopes. */
export async function checkBotToken({
  needed,
  texts = CONFIGURED_TOKEN,
  ...check
}: TokenCheck & { needed?: NeededScopes; texts?: typeof CONFIGURED_TOKEN }): Promise<Result[]> {
  const { response, error } = await callSlack('auth.test', check)
  const identity = authTest.safeParse(response).data
  if (!identity) return [slackProblem(error, check, texts.tokenFix)]
  const { team, team_id: id, user } = identity
  const { scopes } = response?.response_metadata ?? {}
  const message = `Slack accepts ${masked(check.token)}: ${user} in the workspace ${team} (${id}).`
  if (!needed || !scopes) return [ok(message)]
  return [ok(message), { name: texts.scopes, ...compareScopes(scopes, needed, texts.scopesFix) }]
}

const CONFIGURED_TOKEN = {
  tokenFix:
    'Copy the Bot User OAuth Token again: https://api.slack.com/apps → your app → OAuth & Permissions. If the app is not installed, choose Install to Workspace there.',
  scopes: 'Scopes',
  scopesFix:
    'Paste the manifest again (npm run manifest) at https://api.slack.com/apps → your app → App Manifest, save it, and choose Reinstall to Workspace under OAuth & Permissions.',
}

function compareScopes(granted: readonly string[], { all, optional }: NeededScopes, fix: string) {
  const missing = all.filter((scope) => !granted.includes(scope))
  if (missing.length === 0) return ok(`All ${all.length} scopes of the manifest are granted.`)
  const message = `Not granted: ${missing.join(', ')}.`
  return missing.every((scope) => optional.includes(scope))
    ? warning(`${message} The app still works, but offers less.`, fix)
    : failed(message, fix)
}

const APP_TOKEN_FIX =
  'Create an app-level token with the scope connections:write: https://api.slack.com/apps → your app → Basic Information → App-Level Tokens. Socket Mode must be on (Settings → Socket Mode).'

export async function checkAppToken(check: TokenCheck): Promise<Result[]> {
  // Slack returns a URL for a socket. It is not opened, and expires.
  const { response, error } = await callSlack('apps.connections.open', check)
  if (!response) return [slackProblem(error, check, APP_TOKEN_FIX)]
  return [ok(`Slack accepts ${masked(check.token)} for Socket Mode.`)]
}

export function checkSigningSecretFormat(secret: string): Result {
  if (/^[0-9a-f]{32}$/.test(secret)) {
    return ok(
      'It has the right form. Only a request from Slack can show whether it is the right one.',
    )
  }
  return warning(
    'It does not look like a Slack signing secret, which has 32 characters: digits and the letters a to f.',
    'Copy it again: https://api.slack.com/apps → your app → Basic Information → Signing Secret (not the client secret, not the verification token).',
  )
}

/** Sends a code that Slack never issued. Slack checks the credentials first, so `invalid_code` means that they work. */
export async function checkClientCredentials({
  clientId,
  clientSecret,
  ...check
}: SlackAccess & { clientId: string; clientSecret: string }): Promise<Result[]> {
  const form = { client_id: clientId, client_secret: clientSecret, code: 'backhalf-doctor' }
  const { error } = await callSlack('oauth.v2.access', check, form)
  if (slackErrorCode(error) === 'invalid_code') {
    return [ok(`Slack accepts the client ID ${clientId} and its secret.`)]
  }
  const fix =
    'Copy both again: https://api.slack.com/apps → your app → Basic Information → App Credentials.'
  return [slackProblem(error, check, fix)]
}

export function checkMcpAddress(publicUrl: string | undefined): Result {
  if (publicUrl === undefined || !/^https:/i.test(publicUrl)) {
    const message = 'SLACK_MCP is on, but Slackbot sends requests only to a public https address.'
    return failed(message, 'Set PUBLIC_URL to the app’s public https address.')
  }
  return skipped(
    `Only Slackbot can show whether it can use the tools at ${withoutSlash(publicUrl)}/slack/mcp. This has never been tried with the real Slack.`,
    'Ask Slackbot for a short link. If it knows no such tool, check whether your app’s page at https://api.slack.com/apps has MCP Servers, paste the manifest again (npm run manifest), and reinstall the app.',
  )
}

async function callSlack(
  method: string,
  { token, apiUrl, signal, clock = systemClock }: SlackAccess & { token?: string },
  form: Record<string, string> = {},
): Promise<{ response?: WebAPICallResult; error?: unknown }> {
  const slackFetch = createSlackFetch(clock)
  const client = new WebClient(token, {
    ...slackClientOptions(apiUrl, pino({ enabled: false }), clock),
    fetch: (url, init) => slackFetch(url, { ...init, redirect: 'manual' }),
  })
  try {
    const call = client.apiCall(method, form)
    return { response: await (signal ? unlessAborted(signal, call) : call) }
  } catch (error) {
    return { error }
  }
}

function slackProblem(
  error: unknown,
  { token, apiUrl, signal }: SlackAccess & { token?: string },
  fix: string,
): Result {
  const { origin, pathname } = new URL(apiUrl)
  // Without a user name, a password and a query, which could contain secrets.
  const address = origin + pathname
  if (error instanceof WebAPIRateLimitedError) {
    const fix = `Check again in ${error.retryAfter} seconds.`
    return unchecked('Slack is rate-limiting this app.', fix)
  }
  if (error instanceof WebAPIRequestError || signal?.aborted) {
    const original = error instanceof WebAPIRequestError ? error.original : undefined
    const isTimeout = !original || original instanceof SlackTimeoutError
    return unchecked(
      `Slack can’t be reached at ${address} (${isTimeout ? 'no response in time' : rootErrorCode(original)}).`,
      'Check this machine’s network, DNS and firewall: it must reach slack.com on port 443.',
    )
  }
  const code = /^\w{1,100}$/.exec(slackErrorCode(error) ?? '')?.[0]
  if (isTemporary(error)) {
    const reason = error instanceof WebAPIHTTPError ? `status ${error.statusCode}` : (code ?? '')
    return unchecked(
      `Slack failed (${reason}).`,
      'Check again in a few minutes. https://status.slack.com shows Slack’s problems.',
    )
  }
  if (code === undefined) {
    return unchecked(
      `What responds at ${address} is not Slack.`,
      'Remove SLACK_API_URL, or check whether a proxy responds in place of Slack.',
    )
  }
  const credential = token === undefined ? 'this' : masked(token)
  const { needed: scope } = asObject(error instanceof WebAPIPlatformError && error.data)
  const message =
    typeof scope === 'string'
      ? `Slack refuses ${credential}: it lacks the scope ${scope}.`
      : `Slack refuses ${credential} (${code}).`
  return failed(message, fix)
}
