import type { Authorize } from '@slack/bolt'
import type { AuthTestResponse, WebClient } from '@slack/web-api'
import { type Installations, NotInstalledError } from '../../workspaces/installations.ts'
import { workspaceId } from '../../workspaces/workspace.ts'
import { untilSlackAccepts, type StartOptions } from '../platform/slack-errors.ts'
import type { RenewToken } from './token-rotation.ts'

const ASK_EVERY_MS = 60_000

/**
 * Gives every request the one configured bot token. Asks Slack about the token every minute, because Slack doesn't
 * announce that the token was revoked or has other scopes.
 * @throws only if the app stops before Slack has accepted the token
 */
export async function authorizeOneWorkspace(
  client: WebClient,
  botToken: string,
  options: StartOptions,
): Promise<Authorize<boolean>> {
  const { clock, stopping } = options
  const token = { variable: 'SLACK_BOT_TOKEN', apiUrl: client.slackApiUrl }
  const ask = (): Promise<AuthTestResponse> =>
    untilSlackAccepts(() => client.auth.test({ token: botToken }), { ...options, ...token })
  let identity = await ask()

  async function keepAsking(signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(ASK_EVERY_MS, signal)
      identity = await ask()
    }
  }
  if (stopping) keepAsking(stopping).catch(() => undefined) // The app stops.

  return async () => ({
    botToken,
    botId: identity.bot_id ?? '',
    botUserId: identity.user_id ?? '',
    scopes: identity.response_metadata?.scopes,
    workspaceName: identity.team,
    tokenTeamId: identity.team_id,
  })
}

/**
 * Finds the bot token of the workspace that a request comes from. It is read for each request, so that nothing works
 * after an uninstall.
 * @throws NotInstalledError, KeyringError, or the error that kept an expired token from being refreshed
 */
export function authorizeInstalledWorkspaces(
  installations: Installations,
  renewToken: RenewToken,
): Authorize<boolean> {
  return async (source) => {
    const id = workspaceId(source)
    const installed = await installations.find(id)
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
