import type { Context } from '@slack/bolt'
import type { UsersInfoResponse, WebClient } from '@slack/web-api'
import { isOrganization, workspaceId, type Workspace } from '../../workspaces/workspace.ts'

/** On whose behalf the app acts: the workspace, the user, and a client with the workspace's token. */
export interface Caller {
  workspace: Workspace
  client: WebClient
  token: string
  /** Absent if a workflow acts and not a user. */
  userId?: string | undefined
  /** Whether the app may read files (the optional scope `files:read`). */
  mayReadFiles: boolean
  /** Whether the app may show cards below posted links (the scope `links:write`). */
  mayShowCards: boolean
  /** Whether the app may upload QR images (the scope `files:write`). */
  mayUploadFiles: boolean
}

/** The parts of a payload that hold the workspace's name. */
interface PayloadWithTeam {
  team_domain?: string | undefined
  team?: { domain?: string | undefined } | string | null | undefined
}

/** Reads the caller from a payload and from what Bolt knows about it (install/authorize.ts). */
export function callerOf(context: Context, client: WebClient, body: object): Caller {
  const { team_domain: commandTeam, team } = body as PayloadWithTeam
  const name = commandTeam ?? (typeof team === 'object' ? team?.domain : undefined)
  const scopes: unknown = context['scopes']
  // What Slack doesn't say is tried.
  const isGranted = (scope: string): boolean => !Array.isArray(scopes) || scopes.includes(scope)
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
    mayReadFiles: isGranted('files:read'),
    mayShowCards: isGranted('links:write'),
    mayUploadFiles: isGranted('files:write'),
  }
}

/**
 * Asks Slack whether the user administers the workspace, as an admin or an owner. If the app is installed
 * for a whole organization, only the organization's admins and owners count, because what they decide
 * affects all of its workspaces. Admins of another company, who use a channel that both share, don't count.
 */
export async function isAdmin(
  { client, workspace }: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<boolean> {
  const { user } = await client.users.info({ user: userId })
  if (!user || user.deleted === true || !isMember(user, workspace.id)) return false
  if (!isOrganization(workspace.id)) return user.is_admin === true || user.is_owner === true
  return user.enterprise_user?.is_admin === true || user.enterprise_user?.is_owner === true
}

/**
 * Asks Slack whether the user is a guest, of one channel (`is_ultra_restricted`) or of several. People of
 * other companies, who use a channel that both share, count as guests.
 */
export async function isGuest(
  { client, workspace: { id } }: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<boolean> {
  const { user } = await client.users.info({ user: userId })
  if (!user) throw new Error('Slack did not describe the user')
  return !isMember(user, id) || user.is_restricted === true || user.is_ultra_restricted === true
}

/** Whether a user belongs to a workspace or an organization, and not to another company. */
function isMember({ team_id: team, enterprise_user, is_stranger }: User, id: string): boolean {
  if (is_stranger === true) return false
  if (isOrganization(id)) return enterprise_user?.enterprise_id === id
  return team === undefined || team === id || enterprise_user?.teams?.includes(id) === true
}

type User = NonNullable<UsersInfoResponse['user']>

/** Asks Slack whether a person's account was deactivated. False if Slack doesn't say. */
export async function isDeactivated(
  { client }: Pick<Caller, 'client'>,
  userId: string,
): Promise<boolean> {
  return client.users.info({ user: userId }).then(
    ({ user }) => user?.deleted === true,
    () => false,
  )
}
