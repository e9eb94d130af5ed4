import { createHash } from 'node:crypto'
import { APPROVAL_LIMITS } from '../../../workspaces/link-approvals.ts'
import { shownHost } from '../../block-kit/mrkdwn.ts'
import type { ShortenPlatform } from '../../links/links.ts'
import type { Caller } from '../../platform/caller.ts'
import { errorAt, SlackInputError } from '../../platform/field-errors.ts'
import { postTo } from '../../platform/replies.ts'
import { isRefusal } from '../../platform/slack-errors.ts'
import type { Draft } from '../draft.ts'
import { approvalMessage } from './approval-messages.ts'

/** Thrown if no link was created yet, because approvers have to allow its destination. */
export class WaitingError extends SlackInputError {}

/** Asks the approvers to allow a destination, and always throws: a WaitingError once they have been asked. */
export async function askApprovers(
  { linkApprovals, logger }: ShortenPlatform,
  { client, userId, workspace }: Caller,
  draft: Draft,
  { slackId, approvers, hosts }: { slackId: string; approvers: string; hosts: readonly string[] },
): Promise<never> {
  if (userId === undefined) {
    throw errorAt(
      'destination_url',
      'Approvers have to allow this destination, and a workflow can’t ask them. Shorten the link with the command, or ask an admin to allow its hostname.',
    )
  }
  const json = JSON.stringify(draft)
  const request = {
    id: createHash('sha256')
      .update(slackId + json)
      .digest('base64url'),
    workspaceId: workspace.id,
    requestedBy: userId,
    draft: json,
  }
  const added = await linkApprovals.add(request)
  if (added === 'full') {
    throw new SlackInputError(
      `Too many requests are waiting for approval. Each person can have ${APPROVAL_LIMITS.perPerson}, and each workspace ${APPROVAL_LIMITS.perWorkspace}. Ask the approvers to decide on some first.`,
    )
  }
  if (added === 'added') {
    const message = approvalMessage(request.id, userId, draft, hosts)
    await postTo(client, approvers, message).catch(async (cause: unknown) => {
      await linkApprovals.remove(request)
      if (!isRefusal(cause)) throw cause
      logger.warn({ err: cause, workspaceId: workspace.id }, 'approvers could not be asked')
      const text =
        'Approvers have to allow this destination, but Backhalf can’t post in their channel. Ask an admin to check it in the settings, under Destinations.'
      throw errorAt('destination_url', text, { cause })
    })
  }
  throw new WaitingError(
    `Links to ${shownHost(draft.destination_url ?? '')} need approval. The approvers have been asked. Backhalf will send a direct message about it when they decide, or after ${APPROVAL_LIMITS.days} days if no one does.`,
  )
}
