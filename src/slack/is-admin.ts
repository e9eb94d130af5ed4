import { isOrganization } from '../workspaces/workspace-id.ts'
import type { Caller } from './caller.ts'

/**
 * Whether the person administers the workspace: an admin or an owner. Where the app was installed
 * for a whole organization, that is one of the organization: what is decided there counts in all
 * its workspaces.
 */
export async function isAdmin(
  { client, workspace }: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<boolean> {
  const { user } = await client.users.info({ user: userId })
  const member = user?.enterprise_user
  if (!isOrganization(workspace.id)) return user?.is_admin === true || user?.is_owner === true
  if (member?.enterprise_id !== workspace.id) return false
  return member.is_admin === true || member.is_owner === true
}
