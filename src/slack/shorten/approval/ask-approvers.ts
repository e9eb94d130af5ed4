import { createHash } from 'node:crypto'
import type { RichTextBlock } from '@slack/types'
import { hostNames } from '../../../contract/allowed-hosts.ts'
import { APPROVAL_LIMITS } from '../../../workspaces/link-approvals.ts'
import { actions, button, code, context, section } from '../../block-kit/elements.ts'
import { textMessage } from '../../block-kit/messages.ts'
import { bold, cut, escape, mention, shownHost } from '../../block-kit/mrkdwn.ts'
import { ACTIONS } from '../../ids.ts'
import type { ShortenPlatform } from '../../links/links.ts'
import type { Caller } from '../../platform/caller.ts'
import { errorAt, SlackInputError } from '../../platform/field-errors.ts'
import { postTo } from '../../platform/replies.ts'
import { isRefusal } from '../../platform/slack-errors.ts'
import { type Draft, draftText } from '../draft.ts'

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

const MAX_TYPED_LENGTH = 6_000 // Slack refuses a message of about 12,000 characters.

export const wantedLink = ({ destination_url: destination = '' }: Draft): string =>
  `a short link to ${bold(shownHost(destination))}`

export const typedLink = (draft: Draft): RichTextBlock =>
  code(cut(draftText(draft), MAX_TYPED_LENGTH))

function approvalMessage(id: string, by: string, draft: Draft, hosts: readonly string[]) {
  const text = `:raising_hand: ${mention(by)} asks for ${wantedLink(draft)}. Without approval, links can lead only to ${escape(hostNames(hosts))} and subdomains.`
  return {
    text,
    blocks: [
      section(text),
      typedLink(draft),
      ...actions([
        button('Approve', ACTIONS.approveLink, { value: id, style: 'primary' }),
        button('Decline', ACTIONS.declineLink, { value: id, style: 'danger' }),
      ]),
      context(
        `Approving creates the link for ${mention(by)}. The request expires after ${APPROVAL_LIMITS.days} days.`,
      ),
    ],
  }
}

export const waitingMessage = ({ message }: Error) =>
  textMessage(`:hourglass_flowing_sand: ${message}`)
