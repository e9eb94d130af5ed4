import type { Authorize } from '@slack/bolt'
import type { AuthTestResponse, WebClient } from '@slack/web-api'
import {
  NotInstalledError,
  type Installation,
  type Installations,
  type RenewedTokens,
} from '../../workspaces/installations.ts'
import { workspaceId } from '../../workspaces/workspace.ts'
import type { Platform } from '../platform/platform.ts'
import { slackErrorCode, untilSlackAccepts, type StartOptions } from '../platform/slack-errors.ts'

const ASK_EVERY_MS = 60_000

/**
 * Authorizes every request with the one configured bot token. Asks Slack about the token once a minute, because Slack
 * doesn't tell the app if the token is revoked or gets other scopes.
 */
export async function authorizeOneWorkspace(
  client: WebClient,
  botToken: string,
  options: StartOptions,
): Promise<Authorize<boolean>> {
  const { clock, stopping } = options
  const token = { variable: 'SLACK_BOT_TOKEN', apiUrl: client.slackApiUrl }
  const readIdentity = (): Promise<AuthTestResponse> =>
    untilSlackAccepts(() => client.auth.test({ token: botToken }), { ...options, ...token })
  let identity = await readIdentity()

  async function keepReading(signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(ASK_EVERY_MS, signal)
      identity = await readIdentity()
    }
  }
  if (stopping) keepReading(stopping).catch(() => undefined) // It rejects only when the app stops.

  return async () => ({
    botToken,
    botId: identity.bot_id ?? '',
    botUserId: identity.user_id ?? '',
    scopes: identity.response_metadata?.scopes,
    workspaceName: identity.team,
    tokenTeamId: identity.team_id,
  })
}

/** Reads the token of a request's workspace again for each request, so that no request works after an uninstall. */
export function authorizeInstalledWorkspaces(options: TokenRotationOptions): Authorize<boolean> {
  const renewToken = createTokenRotation(options)
  return async (source) => {
    const id = workspaceId(source)
    const installed = await options.installations.find(id)
    if (!installed) throw new NotInstalledError()
    const { bot, team, enterprise } = await renewToken(id, installed)
    return {
      botToken: bot.token,
      botId: bot.id,
      botUserId: bot.userId,
      scopes: bot.scopes,
      workspaceName: team?.name ?? enterprise?.name,
    }
  }
}

const REFRESH_BEFORE_MS = 2 * 60 * 60 * 1000 // Slack's tokens are valid for 12 hours.

const WAIT_BEFORE_MS = 60_000 // With less time left, requests wait for the new token.

const LOOK_PAUSES_MS = [0, 150, 350, 700]

interface TokenRotationOptions extends Pick<Platform, 'tasks' | 'logger' | 'clock'> {
  installations: Installations
  client: WebClient
  clientId: string
  clientSecret: string
}

/**
 * Replaces tokens before they expire. Requests share one refresh, because a refresh token works only once. The function
 * throws NotInstalledError if Slack will never issue another token, and Slack's error if it can't issue one right now.
 */
export function createTokenRotation(options: TokenRotationOptions) {
  const { installations, client, clientId, clientSecret, tasks, logger, clock } = options
  const running = new Map<string, Promise<Installation>>()
  // New tokens that the database could not store yet, by spent refresh token. Slack would not issue them again.
  const unsaved = new Map<string, RenewedTokens>()

  async function refreshAtSlack(spent: string): Promise<RenewedTokens> {
    const answer = await client.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: spent,
    })
    const { access_token: token, refresh_token: refreshToken, expires_in: seconds } = answer
    if (!token || !refreshToken || !seconds)
      throw new Error('Slack answered a refresh without a token')
    return { token, refreshToken, expiresAt: Math.floor(clock.now() / 1000) + seconds }
  }

  /** Waits for the tokens of another process, which has used the refresh token first and might not have stored them. */
  async function waitForStored(id: string, spent: string): Promise<Installation> {
    for (const ms of LOOK_PAUSES_MS) {
      await clock.sleep(ms)
      const current = await installations.find(id)
      if (!current) throw new NotInstalledError()
      if (current.bot.refreshToken !== spent) return current
    }
    throw new NotInstalledError('Slack does not accept the refresh token anymore')
  }

  async function refresh(id: string, installed: Installation, spent: string) {
    let tokens: RenewedTokens
    try {
      tokens = unsaved.get(spent) ?? (await refreshAtSlack(spent))
    } catch (error) {
      // Another process has used the refresh token, or the app was uninstalled.
      if (slackErrorCode(error) === 'invalid_refresh_token') return waitForStored(id, spent)
      throw error
    }
    unsaved.set(spent, tokens)
    const renewed = { ...installed, bot: { ...installed.bot, ...tokens } }
    try {
      const stored = await installations.renew(id, spent, tokens)
      unsaved.delete(spent)
      if (stored) return renewed
    } catch (err) {
      logger.error({ err }, 'a refreshed Slack token was not stored; the next request tries again')
      return renewed
    }
    const current = await installations.find(id)
    if (!current) throw new NotInstalledError()
    return current
  }

  return async (id: string, installed: Installation): Promise<Installation> => {
    const { refreshToken, expiresAt } = installed.bot
    if (refreshToken === undefined || expiresAt === undefined) return installed
    const leftMs = expiresAt * 1000 - clock.now()
    if (leftMs > REFRESH_BEFORE_MS) return installed
    const refreshing =
      running.get(refreshToken) ??
      tasks
        .track(() => refresh(id, installed, refreshToken))
        .finally(() => running.delete(refreshToken))
    running.set(refreshToken, refreshing)
    if (leftMs <= WAIT_BEFORE_MS) return refreshing
    refreshing.catch((err: unknown) => logger.warn({ err }, 'a Slack token could not be refreshed'))
    return installed
  }
}
