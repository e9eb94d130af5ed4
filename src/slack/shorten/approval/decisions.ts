import type { ModalView } from '@slack/types'
import { z } from 'zod'
import {
  APPROVAL_LIMITS,
  type LinkApproval,
  type LinkApprovals,
} from '../../../workspaces/link-approvals.ts'
import { section } from '../../block-kit/elements.ts'
import type { MessageContent } from '../../block-kit/messages.ts'
import { formModal, textInput } from '../../block-kit/inputs.ts'
import { escape, link as linkTo, mention } from '../../block-kit/mrkdwn.ts'
import { typedInputBlocks } from '../../block-kit/notices.ts'
import { ACTIONS, VIEWS } from '../../ids.ts'
import type { ShortenPlatform } from '../../links/links.ts'
import type { Caller } from '../../platform/caller.ts'
import { createDueWork, type DueWork } from '../../platform/due-work.ts'
import { errorMrkdwn, isRefusedInput } from '../../platform/error-messages.ts'
import { SlackInputError, SlackUnavailableError } from '../../platform/field-errors.ts'
import { answerForm } from '../../platform/form-submission.ts'
import { typedText } from '../../platform/form-values.ts'
import type { FormSubmission, Listeners } from '../../platform/listeners.ts'
import type { Platform } from '../../platform/platform.ts'
import { postTo } from '../../platform/replies.ts'
import { patiently, type ClientFor } from '../../platform/slack-client.ts'
import { deliverLink } from '../deliver-link.ts'
import { type Draft, draftText } from '../draft.ts'
import { shortenLink } from '../shorten-link.ts'
import { typedLink, wantedLink } from './ask-approvers.ts'

/** The request's ID, and the channel and the `ts` of the message to the approvers. */
const declineMetadata = z.tuple([z.string(), z.string(), z.string()])

const PAUSES_MS = [1_000, 10_000, 60_000]

const parseDraft = ({ draft }: LinkApproval): Draft => JSON.parse(draft) as Draft

export function registerDecisions(listeners: Listeners, platform: ShortenPlatform): void {
  listeners.action(ACTIONS.approveLink, async ({ caller, userId, target, value, messageTs }) => {
    const { request, mayApproveOwn } = await findRequest(platform, caller, target.channelId, value)
    if (request.requestedBy === userId && !mayApproveOwn) {
      throw new SlackInputError('You can’t approve your own request. Another approver can.')
    }
    await claimAndDecide(platform, request, () =>
      approve(platform, caller, request, [target.channelId ?? '', messageTs]),
    )
  })
  listeners.action(ACTIONS.declineLink, async ({ caller, target, triggerId, value, messageTs }) => {
    const metadata = JSON.stringify([value, target.channelId ?? '', messageTs])
    await platform.views.open(caller, triggerId, declineModal(metadata))
  })
  listeners.formSubmission(VIEWS.declineLink, (submission) => decline(platform, submission))
}

async function findRequest(
  { linkApprovals, permissions, settings }: ShortenPlatform,
  caller: Caller,
  channelId: string | undefined,
  id: string,
) {
  const { destinations } = await settings.read(caller.workspace.id)
  const request = await linkApprovals.find(caller.workspace.id, id)
  if (!request) throw new SlackInputError('This request was already decided, or has ended.')
  await permissions.checkMayApprove(caller)
  if (channelId !== destinations?.approvers && !(await permissions.isAdmin(caller))) {
    throw new SlackInputError(
      'An admin has changed who approves links. Ask an admin to decide on this request.',
    )
  }
  return { request, mayApproveOwn: destinations?.ownRequests === true }
}

/** Claims a request, so that only one approver decides on it. If the decision fails, others can decide again. */
async function claimAndDecide(
  { linkApprovals }: ShortenPlatform,
  request: LinkApproval,
  decide: () => Promise<void>,
): Promise<void> {
  const claimedUntil = await linkApprovals.claim(request)
  if (claimedUntil === undefined) {
    throw new SlackInputError('Another approver is deciding on this request, or has decided.')
  }
  await decide().catch(async (error: unknown) => {
    await linkApprovals.unclaim(request, claimedUntil)
    throw error
  })
}

/** Sends a message about a decision. A failure is only logged, because the decision is valid without the message. */
async function trySend({ clock, logger }: ShortenPlatform, send: () => Promise<unknown>) {
  await patiently(clock, { pausesMs: PAUSES_MS }, send).catch((err: unknown) =>
    logger.warn({ err }, 'a decision about a link could not be sent'),
  )
}

/** Replaces the message to the approvers by the decision and, if there is no link, tells the requester why. */
async function announce(
  platform: ShortenPlatform,
  { client }: Caller,
  request: LinkApproval,
  [channel, ts]: readonly [string, string],
  { decision, noLink }: { decision: string; noLink?: string },
): Promise<void> {
  const { requestedBy } = request
  const draft = parseDraft(request)
  const text = `${mention(requestedBy)} asked for ${wantedLink(draft)}. ${decision}`
  const blocks = [section(text), typedLink(draft)]
  await Promise.all([
    trySend(platform, () => client.chat.update({ channel, ts, text, blocks })),
    noLink && trySend(platform, () => postTo(client, requestedBy, noLinkMessage(draft, noLink))),
  ])
}

function noLinkMessage(draft: Draft, mrkdwn: string): MessageContent {
  return { text: mrkdwn, blocks: [section(mrkdwn), ...typedInputBlocks(draftText(draft))] }
}

async function approve(
  platform: ShortenPlatform,
  caller: Caller,
  request: LinkApproval,
  message: readonly [string, string],
): Promise<void> {
  const draft = parseDraft(request)
  const { id, requestedBy: userId } = request
  const requester = { ...caller, userId, userName: undefined }
  const by = mention(caller.userId ?? '')
  try {
    const slackId = `approval ${id}`
    const link = await shortenLink(platform, requester, draft, slackId, { approval: 'given' })
    await platform.linkApprovals.remove(request)
    const decision = `:white_check_mark: ${by} approved it: ${linkTo(link.shortlink_url)}`
    const notice = { text: `:white_check_mark: ${by} approved your request for this link.` }
    await Promise.all([
      announce(platform, caller, request, message, { decision }),
      trySend(platform, () => deliverLink(platform, requester, { userId }, link, { notice })),
    ])
  } catch (error) {
    // If another try might work, the request stays open. Only an error in the requested link ends it.
    if (error instanceof SlackUnavailableError) throw error
    if (!(error instanceof SlackInputError) && !isRefusedInput(error)) throw error
    await platform.linkApprovals.remove(request)
    const why = errorMrkdwn(error)
    await announce(platform, caller, request, message, {
      decision: `:warning: ${by} approved it, but the link couldn’t be created:\n${why}`,
      noLink: `:warning: ${by} approved your request, but the link couldn’t be created:\n${why}\nCorrect it and ask again.`,
    })
  }
}

async function decline(platform: ShortenPlatform, submission: FormSubmission): Promise<void> {
  const { caller, userId, view } = submission
  const [id, channelId, ts] = declineMetadata.parse(JSON.parse(view.private_metadata))
  await answerForm(platform, submission, {
    work: async () => {
      const { request } = await findRequest(platform, caller, channelId, id)
      const reason = escape(typedText(view.state.values, 'decline_reason'))
      await claimAndDecide(platform, request, () => platform.linkApprovals.remove(request))
      const why = reason ? ` Reason: ${reason}` : ''
      await announce(platform, caller, request, [channelId, ts], {
        decision: `:x: ${mention(userId)} declined it.${why}`,
        noLink: `:x: ${mention(userId)} declined your request for a link.${why}`,
      })
    },
    waiting: 'Declining…',
    done: () => 'Declined.',
    closesWhenDone: true,
  })
}

function declineModal(metadata: string): ModalView {
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

export function createOldApprovals(
  platform: Platform,
  { store, clientFor }: { store: LinkApprovals; clientFor: ClientFor },
): DueWork {
  return createDueWork(platform, {
    due: (limit) => store.removeExpired(limit),
    work: async (request) => {
      const text = `:hourglass: No approver decided on your request within ${APPROVAL_LIMITS.days} days, so it has expired. Ask an approver, then try again.`
      const client = await clientFor(request.workspaceId)
      await postTo(client, request.requestedBy, noLinkMessage(parseDraft(request), text))
    },
    failure: 'could not end old requests for approval',
  })
}
