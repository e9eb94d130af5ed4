import type { ModalView } from '@slack/types'
import { isOrganization } from '../../workspaces/workspace.ts'
import { mention } from '../block-kit/mrkdwn.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Platform } from '../platform/platform.ts'
import { isAdmin } from '../platform/slack-users.ts'

/** A click that opens a modal. */
export interface Click {
  caller: Caller
  userId: string
  triggerId: string
}

/**
 * Opens a modal for admins. Other users learn who can help them. Asking Slack who is an admin takes longer
 * than a trigger lives.
 *
 * @param findContact finds the admin who connected the workspace, if there is one
 */
export async function openForAdmins(
  { views }: Pick<Platform, 'views'>,
  { caller, userId, triggerId }: Click,
  title: string,
  {
    build,
    findContact,
  }: { build: () => Promise<ModalView>; findContact: () => Promise<string | undefined> },
): Promise<void> {
  await views.openThenBuild(caller, { triggerId, title }, async (show) =>
    show(
      (await isAdmin(caller, userId))
        ? await build()
        : noticeModal(title, askAnAdmin(caller, await findContact())),
    ),
  )
}

/**
 * Checks again when something is changed, because the user may have been an admin only when the form was
 * opened.
 *
 * @throws SlackInputError if the user is not an admin
 */
export async function requireAdmin(
  caller: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<void> {
  if (await isAdmin(caller, userId)) return
  throw new SlackInputError(`${adminsOnly(caller)} Nothing was changed.`)
}

function adminsOnly({ workspace }: Pick<Caller, 'workspace'>): string {
  const place = isOrganization(workspace.id) ? 'organization' : 'workspace'
  return `Only admins and owners of this ${place} can do this.`
}

/** mrkdwn. @param contact the admin who connected the workspace */
function askAnAdmin(caller: Caller, contact: string | undefined): string {
  return contact === undefined
    ? `${adminsOnly(caller)} Ask one of them.`
    : `${adminsOnly(caller)} ${mention(contact)} was the last to connect Backhalf here. Ask them, or any other admin.`
}
