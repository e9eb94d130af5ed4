import type { WebClient } from '@slack/web-api'
import { isOrganization } from '../../workspaces/workspace.ts'
import { slackErrorCode } from '../platform/slack-errors.ts'
import { isAdmin } from '../platform/slack-users.ts'

/** The size of a page of members, how many pages are read, and how many admins are enough. */
const PAGE = 200
const MAX_PAGES = 5
const ENOUGH_ADMINS = 3

/** The first of these people who is an admin of the workspace. */
export async function firstAdmin(
  client: WebClient,
  workspaceId: string,
  people: readonly string[],
): Promise<string[]> {
  const caller = { client, workspace: { id: workspaceId } }
  for (const userId of people) {
    const mayHelp = await isAdmin(caller, userId).catch((error: unknown) => {
      if (slackErrorCode(error) === 'user_not_found') return false
      throw error
    })
    if (mayHelp) return [userId]
  }
  return []
}

/** A few admins of a workspace. An organization has too many members to search for its admins. */
export async function someAdmins(client: WebClient, workspaceId: string): Promise<string[]> {
  const admins: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && !isOrganization(workspaceId); page++) {
    const { members = [], response_metadata: more } = await client.users.list({
      limit: PAGE,
      ...(cursor && { cursor }),
    })
    for (const { id, deleted, is_admin: isOneOfThem, is_owner: isOwner } of members) {
      if (id && deleted !== true && (isOneOfThem === true || isOwner === true)) admins.push(id)
    }
    cursor = more?.next_cursor
    if (!cursor || admins.length >= ENOUGH_ADMINS) break
  }
  return admins.slice(0, ENOUGH_ADMINS)
}
