import type { ModalView } from '@slack/types'
import { hostNames } from '../../../contract/allowed-hosts.ts'
import { APPROVAL_LIMITS } from '../../../workspaces/link-approvals.ts'
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
import { type Draft, draftText } from '../draft.ts'

const MAX_TYPED_LENGTH = 6_000 // Slack refuses a message of about 12,000 characters.

const wantedLink = ({ destination_url: destination = '' }: Draft): string =>
  `a short link to ${bold(shownHost(destination))}`

export function approvalMessage(id: string, by: string, draft: Draft, hosts: readonly string[]) {
  const text = `:raising_hand: ${mention(by)} asks for ${wantedLink(draft)}. Without approval, links can lead only to ${escape(hostNames(hosts))} and subdomains.`
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
  const text = `${mention(by)} asked for ${wantedLink(draft)}. ${mrkdwn}`
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
