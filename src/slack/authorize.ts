import type { Authorize } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Installations } from '../workspaces/installations.ts'
import { workspaceId } from '../workspaces/workspace-id.ts'
import { NotInstalledError } from './installing/not-installed-error.ts'
import type { TokenRotation } from './installing/token-rotation.ts'
import { slackErrorCode } from './slack-error-code.ts'

/**
 * Authorizes requests in single-workspace mode: one bot token, asked about once. Whatever else it
 * returns Bolt puts into a listener's context: `scopes`, what the token was granted.
 *
 * @throws an Error that says whether Slack refuses the token or can't be reached
 */
export async function singleWorkspace(
  client: WebClient,
  botToken: string,
): Promise<Authorize<boolean>> {
  const identity = await client.auth.test({ token: botToken }).catch((cause: unknown) => {
    const code = slackErrorCode(cause)
    const words = code
      ? `Slack does not accept SLACK_BOT_TOKEN (${code}).`
      : `Slack can’t be reached at ${client.slackApiUrl}`
    throw new Error(words, { cause })
  })
  const result = {
    botToken,
    botId: identity.bot_id ?? '',
    botUserId: identity.user_id ?? '',
    scopes: identity.response_metadata?.scopes,
  }
  return ({ teamId, enterpriseId }) =>
    Promise.resolve({
      ...result,
      ...(teamId !== undefined && { teamId }),
      ...(enterpriseId !== undefined && { enterpriseId }),
    })
}

/**
 * Authorizes requests where workspaces install the app: with the token that each of them granted.
 * It is read for every request, so that nothing outlives an uninstalling.
 *
 * @throws NotInstalledError, KeyringError, or what keeps an ended token from being refreshed
 */
export function installedWorkspaces(
  installations: Installations,
  rotation: TokenRotation,
): Authorize<boolean> {
  return async ({ teamId, enterpriseId, isEnterpriseInstall }) => {
    const id = workspaceId({ teamId, enterpriseId, isEnterpriseInstall })
    const installed = await installations.find(id)
    if (!installed) throw new NotInstalledError()
    const { bot } = await rotation.current(id, installed)
    return {
      botToken: bot.token,
      botId: bot.id,
      botUserId: bot.userId,
      scopes: bot.scopes,
      ...(teamId !== undefined && { teamId }),
      ...(enterpriseId !== undefined && { enterpriseId }),
    }
  }
}
