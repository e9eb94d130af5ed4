import type { WebClient } from '@slack/web-api'

/** Whether the person administers the workspace: an admin or an owner. */
export async function isAdmin(client: WebClient, userId: string): Promise<boolean> {
  const { user } = await client.users.info({ user: userId })
  return user?.is_admin === true || user?.is_owner === true
}
