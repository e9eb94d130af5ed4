import type { Authorize } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { NotInstalledError, type Installations } from '../../workspaces/installations.ts'
import { workspaceId } from '../../workspaces/workspace.ts'
import { slackErrorCode } from '../platform/slack-client.ts'
import type { TokenRotation } from './token-rotation.ts'

/**
 * Authorizes requests with the one configured bot token, which Slack checks once. Bolt adds everything that
 * this returns to a listener's context, including `scopes`, which the token was granted.
 *
 * @throws an Error that says whether Slack refuses the token or can't be reached
 */
export async function authorizeOneWorkspace(
  client: WebClient,
  botToken: string,
): Promise<Authorize<boolean>> {
  const identity = await client.auth.test({ token: botToken }).catch((cause: unknown) => {
    const code = slackErrorCode(cause)
    const message = code
      ? `Slack does not accept SLACK_BOT_TOKEN (${code}).`
      : `Slack can’t be reached at ${client.slackApiUrl}`
    throw new Error(message, { cause })
  })
  const authorized = {
    botToken,
    botId: identity.bot_id ?? '',
    botUserId: identity.user_id ?? '',
    scopes: identity.response_metadata?.scopes,
  }
  return async ({ teamId, enterpriseId }) => ({ ...authorized, ...ids({ teamId, enterpriseId }) })
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
      ...ids({ teamId, enterpriseId }),
    }
  }
}

/** Bolt's types distinguish an absent ID from an undefined one. */
function ids({
  teamId,
  enterpriseId,
}: {
  teamId: string | undefined
  enterpriseId: string | undefined
}): { teamId?: string; enterpriseId?: string } {
  return {
    ...(teamId !== undefined && { teamId }),
    ...(enterpriseId !== undefined && { enterpriseId }),
  }
}
