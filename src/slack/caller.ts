import type { Context } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { workspaceId } from '../workspaces/workspace-id.ts'
import type { Workspace } from '../workspaces/workspaces.ts'

/** On whose behalf something is done: the workspace, and the means to speak to Slack there. */
export interface Caller {
  workspace: Workspace
  client: WebClient
  token: string
  /** Who it was; absent where no person did it, but a workflow. */
  userId?: string | undefined
  /** Whether the app may read files (the optional scope `files:read`). */
  mayReadFiles: boolean
}

/** As much of a payload as names the workspace. */
interface NamesWorkspace {
  team_domain?: string | undefined
  team?: { domain?: string | undefined } | string | null | undefined
}

/** Reads who called from what Bolt found out (src/slack/authorize.ts) and the payload. */
export function callerOf(context: Context, client: WebClient, body: object): Caller {
  const { team_domain: commandTeam, team } = body as NamesWorkspace
  const name = commandTeam ?? (typeof team === 'object' ? team?.domain : undefined)
  const scopes: unknown = context['scopes']
  return {
    workspace: {
      id: workspaceId({
        teamId: context.teamId,
        enterpriseId: context.enterpriseId,
        isEnterpriseInstall: context.isEnterpriseInstall,
      }),
      name,
    },
    client,
    token: context.botToken ?? '',
    userId: context.userId,
    mayReadFiles: !Array.isArray(scopes) || scopes.includes('files:read'),
  }
}
