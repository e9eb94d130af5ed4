import { z } from 'zod'
import { botScopes, optionalBotScopes } from '../slack/install/manifest.ts'
import { failed, inconclusive, masked, ok, warning, type Finding } from './check.ts'
import type { ServerTime } from './clock-skew.ts'
import { callSlack, SLACK_API_URL, type SlackAccess, type SlackAnswer } from './slack-call.ts'

export interface TokenCheck extends SlackAccess {
  token: string
}

/** The scopes that the app asks for (manifest.yml). */
export interface NeededScopes {
  all: readonly string[]
  /** The app works without these. */
  optional: readonly string[]
}

/** What a check found, and what it learned from Slack. */
export interface SlackCheck {
  findings: Finding[]
  /** Slack's time; absent if Slack did not answer. */
  serverTime?: ServerTime | undefined
}

/** What Slack says about a bot token; `team` and `scopes` are absent if Slack refuses it. */
export interface BotTokenCheck extends SlackCheck {
  team?: { id: string; name: string }
  scopes?: readonly string[]
}

const authTest = z.object({ team: z.string(), team_id: z.string(), user: z.string() })

/** The scopes of the manifest for these domains. */
export function neededScopes(unfurlDomains: readonly string[]): NeededScopes {
  return { all: botScopes(unfurlDomains), optional: optionalBotScopes() }
}

/**
 * Asks Slack whether it accepts a bot token (`auth.test`), and compares the granted scopes with those that
 * the app needs. It never rejects.
 *
 * @param needed by default, the scopes are not compared
 * @param about whose token it is, and what to do about it; by default, it is the deployment's own
 */
export async function checkBotToken({
  needed,
  about = OWN_TOKEN,
  ...check
}: TokenCheck & { needed?: NeededScopes; about?: TokenOwner }): Promise<BotTokenCheck> {
  const { serverTime, ...answer } = await callSlack('auth.test', check)
  const { name, fix } = about
  if (answer.outcome !== 'ok') return { findings: [refusal(name, answer, check, fix)], serverTime }
  const identity = authTest.safeParse(answer.body).data
  if (!identity) return { findings: [notSlack(name, check)], serverTime }
  const { team, team_id: id, user } = identity
  const scopes = answer.scopes?.split(',').map((scope) => scope.trim())
  const message = `Slack accepts ${masked(check.token)}: ${user} in the workspace ${team} (${id}).`
  return {
    findings: [
      ok(name, message),
      ...(needed && scopes ? [compareScopes(scopes, needed, about)] : []),
    ],
    team: { id, name: team },
    ...(scopes && { scopes }),
    serverTime,
  }
}

/** Whose token it is. */
interface TokenOwner {
  name: string
  /** What to do if Slack refuses the token. */
  fix: string
  scopes: { name: string; fix: string }
}

const OWN_TOKEN: TokenOwner = {
  name: 'Bot token',
  fix: 'Copy the Bot User OAuth Token again: https://api.slack.com/apps → your app → OAuth & Permissions. If the app is not installed, choose Install to Workspace there.',
  scopes: {
    name: 'Scopes',
    fix: 'Paste the manifest again (npm run manifest) at https://api.slack.com/apps → your app → App Manifest, save it, and choose Reinstall to Workspace under OAuth & Permissions.',
  },
}

function compareScopes(
  granted: readonly string[],
  { all, optional }: NeededScopes,
  { scopes: { name, fix } }: TokenOwner,
): Finding {
  const missing = all.filter((scope) => !granted.includes(scope))
  if (missing.length === 0) return ok(name, `All ${all.length} scopes of the manifest are granted.`)
  const message = `Not granted: ${missing.join(', ')}.`
  return missing.every((scope) => optional.includes(scope))
    ? warning(name, `${message} The app still works, but offers less.`, fix)
    : failed(name, message, fix)
}

const APP_TOKEN_FIX =
  'Create an app-level token with the scope connections:write: https://api.slack.com/apps → your app → Basic Information → App-Level Tokens. Socket Mode must be on (Settings → Socket Mode).'

/** Asks Slack whether it lets the app open a socket with an app-level token. It never rejects. */
export async function checkAppToken(check: TokenCheck): Promise<SlackCheck> {
  const name = 'App-level token'
  // The answer's URL contains a ticket, which expires unused.
  const answer = await callSlack('apps.connections.open', check)
  const finding =
    answer.outcome === 'ok'
      ? ok(name, `Slack accepts ${masked(check.token)} for Socket Mode.`)
      : refusal(name, answer, check, APP_TOKEN_FIX)
  return { findings: [finding], serverTime: answer.serverTime }
}

/** Only a signed request of Slack can show whether the signing secret is right. */
export function checkSigningSecretFormat(secret: string): Finding {
  const name = 'Signing secret'
  if (/^[0-9a-f]{32}$/.test(secret)) {
    return ok(
      name,
      'It has the right form. Only a request from Slack can show whether it is the right one.',
    )
  }
  return warning(
    name,
    'It does not look like a Slack signing secret, which has 32 characters: digits and the letters a to f.',
    'Copy it again: https://api.slack.com/apps → your app → Basic Information → Signing Secret (not the client secret, not the verification token).',
  )
}

/**
 * Asks Slack whether it accepts the client ID and secret. For this, it exchanges a code that Slack never
 * issued: Slack complains about the credentials first. It never rejects.
 */
export async function checkClientCredentials({
  clientId,
  clientSecret,
  ...check
}: SlackAccess & { clientId: string; clientSecret: string }): Promise<SlackCheck> {
  const name = 'Client ID and secret'
  const form = { client_id: clientId, client_secret: clientSecret, code: 'backhalf-doctor' }
  const answer = await callSlack('oauth.v2.access', check, form)
  const accepted = answer.outcome === 'refused' && answer.code === 'invalid_code'
  const finding = accepted
    ? ok(name, `Slack accepts the client ID ${clientId} and its secret.`)
    : answer.outcome === 'ok'
      ? notSlack(name, check)
      : refusal(
          name,
          answer,
          check,
          'Copy both again: https://api.slack.com/apps → your app → Basic Information → App Credentials.',
        )
  return { findings: [finding], serverTime: answer.serverTime }
}

/** Slack's codes for failures on its own side. */
const TROUBLE = ['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable']

function refusal(
  name: string,
  answer: Exclude<SlackAnswer, { outcome: 'ok' }>,
  { token, apiUrl = SLACK_API_URL }: SlackAccess & { token?: string },
  fix: string,
): Finding {
  const it = token === undefined ? 'this' : masked(token)
  switch (answer.outcome) {
    case 'refused':
      if (answer.code === 'ratelimited' || TROUBLE.includes(answer.code)) {
        return slackTrouble(name, answer.code)
      }
      return failed(
        name,
        answer.neededScope
          ? `Slack refuses ${it}: it lacks the scope ${answer.neededScope}.`
          : `Slack refuses ${it} (${answer.code}).`,
        fix,
      )
    case 'limited':
      return warning(
        name,
        'Not checked. Slack limits this app’s requests.',
        `Run the doctor again in ${answer.seconds} seconds.`,
      )
    case 'trouble':
      return slackTrouble(name, `status ${answer.status}`)
    case 'not_slack':
      return notSlack(name, { apiUrl })
    case 'unreachable':
      return inconclusive(
        name,
        `Not checked. Slack can’t be reached at ${addressOf(apiUrl)} (${answer.code}).`,
        'Check this machine’s network, DNS and firewall: it must reach slack.com on port 443.',
      )
  }
}

function slackTrouble(name: string, what: string): Finding {
  return warning(
    name,
    `Not checked. Slack has a problem of its own (${what}).`,
    'Run the doctor again in a few minutes. https://status.slack.com shows Slack’s problems.',
  )
}

function notSlack(name: string, { apiUrl = SLACK_API_URL }: { apiUrl?: string }): Finding {
  return inconclusive(
    name,
    `Not checked. What answers at ${addressOf(apiUrl)} is not Slack.`,
    'Remove SLACK_API_URL, or check whether a proxy answers in place of Slack.',
  )
}

/** A URL without a user name, password or query. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
