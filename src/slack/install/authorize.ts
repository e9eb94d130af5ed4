import type { Authorize } from '@slack/bolt'
import type { AuthTestResponse, WebClient } from '@slack/web-api'
import { type Installations, NotInstalledError } from '../../workspaces/installations.ts'
import { workspaceId } from '../../workspaces/workspace.ts'
import { untilSlackAccepts, type StartOptions } from '../platform/slack-errors.ts'
import type { RenewToken } from './token-rotation.ts'

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
