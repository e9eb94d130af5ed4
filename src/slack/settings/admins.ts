import type { ModalView } from '@slack/types'
import { isOrganization, type Workspace } from '../../workspaces/workspace.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { isAdmin } from '../platform/slack-users.ts'
import type { SettingsPlatform } from './settings-form.ts'

export type OpenRequest = Pick<ActionRequest, 'caller' | 'userId' | 'triggerId'>

/** Shows a view to admins only. The modal opens before Slack says who is an admin, because a trigger expires in 3 s. */
export async function openForAdmins(
  platform: SettingsPlatform,
  { caller, userId, triggerId }: OpenRequest,
  title: string,
  build: (platform: SettingsPlatform, workspace: Workspace) => Promise<ModalView>,
): Promise<void> {
  await platform.views.openThenBuild(caller, { triggerId, title }, async (show) =>
    show(
      (await isAdmin(caller, userId))
        ? await build(platform, caller.workspace)
        : noticeModal(title, `${adminsOnly(caller)} Ask one of them.`),
    ),
  )
}

/** Every submitted form calls this, because the user might no longer be an admin. */
export async function requireAdmin(caller: Caller, userId: string): Promise<void> {
  if (await isAdmin(caller, userId)) return
  throw new SlackInputError(`${adminsOnly(caller)} Nothing was changed. Ask one of them.`)
}

function adminsOnly({ workspace }: Caller): string {
  const place = isOrganization(workspace.id) ? 'organization' : 'workspace'
  return `Only admins and owners of this ${place} can do this.`
}
