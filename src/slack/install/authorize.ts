import type { Authorize } from '@slack/bolt'
import type { AuthTestResponse, WebClient } from '@slack/web-api'
import { type Installations, NotInstalledError } from '../../workspaces/installations.ts'
import { workspaceId } from '../../workspaces/workspace.ts'
import { checkToken, type StartOptions } from '../platform/slack-errors.ts'
import type { TokenRotation } from './token-rotation.ts'

/** How old the granted scopes of the one configured token may be, in milliseconds. */
const ASK_AGAIN_MS = 10 * 60_000

/**
 * Authorizes requests with the one configured bot token. Slack checks it at the start. An admin may grant other scopes by
 * installing the app again, so Slack is asked again from time to time.
 *
 * Bolt adds what this returns to a listener's context, such as the scopes that the token was granted, and the workspace's
 * name, which not every request has. Bolt itself adds the IDs of the team and the organization.
 *
 * @throws an Error for the person who runs the app if Slack refuses the token (`checkToken`)
 */
export async function authorizeOneWorkspace(
  client: WebClient,
  botToken: string,
  options: StartOptions,
): Promise<Authorize<boolean>> {
  const ask = (): Promise<AuthTestResponse> => client.auth.test({ token: botToken })
  const { clock, logger } = options
  const token = { variable: 'SLACK_BOT_TOKEN', apiUrl: client.slackApiUrl }
  let identity = await checkToken(ask, { ...options, ...token })
  let askedAt = clock.now()

  /** No request waits for this. */
  function askAgain(): void {
    askedAt = clock.now()
    ask().then(
      (since) => (identity = since),
      (err: unknown) => logger.warn({ err }, 'Slack did not say what the bot token may do'),
    )
  }

  return async () => {
    if (clock.now() - askedAt > ASK_AGAIN_MS) askAgain()
    return {
      botToken,
      botId: identity.bot_id ?? '',
      botUserId: identity.user_id ?? '',
      scopes: identity.response_metadata?.scopes,
      workspaceName: identity.team,
    }
  }
}

/**
 * Authorizes requests with the token that each workspace granted when it installed the app. The token is
 * read for every request, so that nothing works after an uninstall.
 *
 * @throws NotInstalledError, KeyringError, or the error that kept an expired token from being refreshed
 */
export function authorizeInstalledWorkspaces(
  installations: Installations,
  rotation: TokenRotation,
): Authorize<boolean> {
  return async (source) => {
    const id = workspaceId(source)
    const installed = await installations.find(id)
    if (!installed) throw new NotInstalledError()
    const { bot, team, enterprise } = await rotation.current(id, installed)
    return {
      botToken: bot.token,
      botId: bot.id,
      botUserId: bot.userId,
      scopes: bot.scopes,
      workspaceName: team?.name ?? enterprise?.name,
    }
  }
}
