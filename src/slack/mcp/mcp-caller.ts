import type { Authorize, Context } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import { z } from 'zod'
import { NotInstalledError } from '../../workspaces/installations.ts'
import { workspaceId } from '../../workspaces/workspace.ts'
import { unauthorizedText } from '../install/index.ts'
import { readCaller, type Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'

/** Whom Slack names in `_meta` of a signed request. The team can be null in an Enterprise organization. */
const slackMeta = z.object({
  slack: z.object({
    user_id: z.string().min(1),
    team_id: z.string().nullish(),
    enterprise_id: z.string().nullish(),
  }),
})

export interface McpCallers {
  authorize: Authorize<boolean>
  clientOptions: WebClientOptions
  publicUrl: string | undefined
}

/**
 * @param meta `_meta` of a request whose signature was verified
 * @throws SlackInputError if it doesn't name a user, or if their workspace has not installed the app
 */
export async function findMcpCaller(
  { authorize, clientOptions, publicUrl }: McpCallers,
  meta: unknown,
): Promise<Caller> {
  const { slack } = slackMeta.safeParse(meta).data ?? {}
  const teamId = slack?.team_id ?? undefined
  const enterpriseId = slack?.enterprise_id ?? undefined
  if (!slack || !(teamId ?? enterpriseId)) {
    throw new SlackInputError(
      'Slack didn’t say who is asking, or in which workspace, so Backhalf can’t answer.',
    )
  }
  let cause: unknown = new NotInstalledError()
  for (const isEnterpriseInstall of [false, true]) {
    if (!(isEnterpriseInstall ? enterpriseId : teamId)) continue
    const source = { teamId, enterpriseId, isEnterpriseInstall, userId: slack.user_id }
    try {
      const found = await authorize(source)
      // One configured bot token belongs to one workspace.
      if ((found['tokenTeamId'] ?? workspaceId(source)) !== workspaceId(source)) continue
      const client = new WebClient(found.botToken, clientOptions)
      return readCaller({ ...found, ...source } as Context, client, {})
    } catch (error) {
      cause = error
      if (!(error instanceof NotInstalledError)) break
    }
  }
  throw new SlackInputError(unauthorizedText(cause, publicUrl), { cause })
}
