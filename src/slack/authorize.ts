import type { Authorize } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'

/**
 * Authorizes requests in single-workspace mode: one bot token, asked about once. Whatever else it
 * returns Bolt puts into a listener's context: `scopes`, what the token was granted.
 *
 * @throws Slack's error when it doesn't accept the token
 */
export async function singleWorkspace(
  client: WebClient,
  botToken: string,
): Promise<Authorize<boolean>> {
  const identity = await client.auth.test({ token: botToken })
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
