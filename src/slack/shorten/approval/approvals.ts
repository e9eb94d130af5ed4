import { createHash } from 'node:crypto'
import { isAllowedHost } from '../../../contract/allowed-hosts.ts'
import {
  APPROVAL_LIMITS,
  type LinkApproval,
  type LinkApprovals,
} from '../../../workspaces/link-approvals.ts'
import type { AllowedDestinations } from '../../../workspaces/settings.ts'
import type { Caller } from '../../platform/caller.ts'
import { errorAt, SlackInputError } from '../../platform/field-errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { postTo } from '../../platform/replies.ts'
import { isRefusal } from '../../platform/slack-errors.ts'
import type { Draft } from '../draft.ts'
import { approvalMessage, waitingText } from './approval-messages.ts'

/** Approvers have been asked to allow the destination, so no link was made yet. */
export class WaitingError extends SlackInputError {}

export type Approvals = ReturnType<typeof createApprovals>

export function createApprovals({ logger }: Pick<Platform, 'logger'>, store: LinkApprovals) {
  async function post(
    { client }: Caller,
    request: LinkApproval,
    draft: Draft,
    { approvers, hosts }: { approvers: string; hosts: readonly string[] },
  ): Promise<void> {
    const message = approvalMessage(request.id, request.requestedBy, draft, hosts)
    await postTo(client, approvers, message).catch(async (cause: unknown) => {
      await store.end(request)
      if (!isRefusal(cause)) throw cause
      logger.warn({ err: cause, workspaceId: request.workspaceId }, 'approvers could not be asked')
      const text =
        'Approvers have to allow this destination, but Backhalf can’t post in their channel. Ask an admin to check it in the settings, under Destinations.'
      throw errorAt('destination_url', text, { cause })
    })
  }

  return {
    /**
     * Does nothing if the destination is allowed. The same `slackId` and draft are the same request.
     *
     * @throws WaitingError if approvers have been asked; SlackInputError if they can't be
     */
    async ask(
      caller: Caller,
      draft: Draft,
      slackId: string,
      { destination, allowed }: { destination: string; allowed: AllowedDestinations | undefined },
    ): Promise<void> {
      const { workspace, userId } = caller
      const { approvers, hosts = [] } = allowed ?? {}
      if (approvers === undefined || isAllowedHost(destination, hosts)) return
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
      const added = await store.add(request)
      if (added === 'full') {
        throw new SlackInputError(
          `Too many requests are waiting for approval. Each person can have ${APPROVAL_LIMITS.person}, and each workspace ${APPROVAL_LIMITS.workspace}. Ask the approvers to decide on some first.`,
        )
      }
      if (added === 'added') await post(caller, request, draft, { approvers, hosts })
      throw new WaitingError(waitingText(userId, destination))
    },
  }
}
