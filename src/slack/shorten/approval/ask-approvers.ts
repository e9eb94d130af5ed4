import { createHash } from 'node:crypto'
import type { ModalView } from '@slack/types'
import { hostNames, isAllowedHost } from '../../../contract/allowed-hosts.ts'
import { APPROVAL_LIMITS } from '../../../workspaces/link-approvals.ts'
import type { AllowedDestinations } from '../../../workspaces/settings.ts'
import {
  actions,
  button,
  code,
  context,
  type MessageContent,
  section,
  textMessage,
} from '../../block-kit/elements.ts'
import { formModal, textInput } from '../../block-kit/inputs.ts'
import { bold, cut, escape, mention, shownHost } from '../../block-kit/mrkdwn.ts'
import { typedInputBlocks } from '../../block-kit/notices.ts'
import { ACTIONS, VIEWS } from '../../ids.ts'
import type { ShortenPlatform } from '../../links/links.ts'
import type { Caller } from '../../platform/caller.ts'
import { errorAt, SlackInputError } from '../../platform/field-errors.ts'
import { postTo } from '../../platform/replies.ts'
import { isRefusal } from '../../platform/slack-errors.ts'
import { type Draft, draftText } from '../draft.ts'

/** A message of 12,000 characters is too long for Slack. */
const MAX_TYPED_LENGTH = 6_000

const asked = ({ destination_url: destination = '' }: Draft): string =>
  `a short link to ${bold(shownHost(destination))}`

function approvalMessage(id: string, by: string, draft: Draft, hosts: readonly string[]) {
  const text = `:raising_hand: ${mention(by)} asks for ${asked(draft)}. Without approval, links can lead only to ${escape(hostNames(hosts))} and subdomains.`
  return {
    text,
    blocks: [
      section(text),
      code(cut(draftText(draft), MAX_TYPED_LENGTH)),
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

export function decidedMessage(by: string, draft: Draft, mrkdwn: string): MessageContent {
  const text = `${mention(by)} asked for ${asked(draft)}. ${mrkdwn}`
  return { text, blocks: [section(text), code(cut(draftText(draft), MAX_TYPED_LENGTH))] }
}

export function noLinkMessage(draft: Draft, mrkdwn: string): MessageContent {
  return { text: mrkdwn, blocks: [section(mrkdwn), ...typedInputBlocks(draftText(draft))] }
}

export const waitingMessage = ({ message }: Error): MessageContent =>
  textMessage(`:hourglass_flowing_sand: ${message}`)

export function declineModal(metadata: string): ModalView {
  return formModal({
    callbackId: VIEWS.declineLink,
    title: 'Decline a link',
    submit: 'Decline',
    metadata,
    blocks: [
      textInput('decline_reason', undefined, {
        multiline: true,
        max_length: 500,
        hint: 'The person who asked for the link gets it as a direct message.',
      }),
    ],
  })
}

/** Approvers have been asked to allow the destination, so no link was created yet. */
export class WaitingError extends SlackInputError {}

/**
 * Does nothing if the destination is allowed. The same `slackId` and draft are the same request.
 *
 * @throws WaitingError if approvers have been asked; SlackInputError if they can't be
 */
export async function askApprovers(
  { linkApprovals, logger }: ShortenPlatform,
  { client, userId, workspace }: Caller,
  draft: Draft,
  asked: { slackId: string; destination: string; allowed: AllowedDestinations | undefined },
): Promise<void> {
  const { slackId, destination, allowed } = asked
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
  const added = await linkApprovals.add(request)
  if (added === 'full') {
    throw new SlackInputError(
      `Too many requests are waiting for approval. Each person can have ${APPROVAL_LIMITS.person}, and each workspace ${APPROVAL_LIMITS.workspace}. Ask the approvers to decide on some first.`,
    )
  }
  if (added === 'added') {
    const message = approvalMessage(request.id, userId, draft, hosts)
    await postTo(client, approvers, message).catch(async (cause: unknown) => {
      await linkApprovals.end(request)
      if (!isRefusal(cause)) throw cause
      logger.warn({ err: cause, workspaceId: workspace.id }, 'approvers could not be asked')
      const text =
        'Approvers have to allow this destination, but Backhalf can’t post in their channel. Ask an admin to check it in the settings, under Destinations.'
      throw errorAt('destination_url', text, { cause })
    })
  }
  throw new WaitingError(
    `Links to ${shownHost(destination)} need approval. The approvers have been asked. Backhalf will send ${mention(userId)} a direct message when they decide, or after ${APPROVAL_LIMITS.days} days if no one does.`,
  )
}
