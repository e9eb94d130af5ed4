import type { ModalView, PlainTextInput } from '@slack/types'
import type { DomainRecord } from '../../workspaces/connection.ts'
import { COMMAND, CONNECT_BLOCKS, LINES_BLOCKS, VIEWS } from '../ids.ts'
import { context, input, plain, section } from '../block-kit/elements.ts'
import { FIELD_LABELS } from './field-labels.ts'
import { LIMITS } from './limits.ts'
import { linesInputs } from './lines-inputs.ts'
import { bold, escape } from './mrkdwn.ts'
import { noticeModal } from './notice-modal.ts'

/** What the connect form shows. The key itself is never shown again. */
export interface ConnectModal {
  /** Where the link service is. */
  serviceUrl: string
  /** The last four characters of the key in use; absent where there is none. */
  keyEnding?: string | undefined
  /** The texts of the domain records' inputs: a record a line. */
  domains: readonly string[]
  /** Something that went wrong, for the top of the form. */
  notice?: string | undefined
}

/** So many hostnames are named, which a message has room for however long they are. */
const NAMED = 10

/** What the connect form turns into. @param mayList whether the key may list links as well */
export function connectedModal(domains: readonly DomainRecord[], mayList: boolean): ModalView {
  const named = domains.slice(0, NAMED).map(({ domain_name }) => bold(domain_name))
  const more = domains.length - named.length
  const hostnames = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return noticeModal(
    'Connected',
    [
      `:white_check_mark: This workspace is connected. New links can be made on ${hostnames}.`,
      ...(mayList
        ? []
        : [`:warning: The key may not list links, so \`${COMMAND} list\` can’t show them.`]),
    ].join('\n'),
  )
}

/** Where an admin connects the workspace to a link service. */
export function connectModal({ serviceUrl, keyEnding, domains, notice }: ConnectModal): ModalView {
  return {
    type: 'modal',
    callback_id: VIEWS.connect,
    title: plain('Connect Backhalf', LIMITS.viewTitle),
    submit: plain('Connect', LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      ...(notice ? [section(`:warning: ${escape(notice)}`)] : []),
      section(
        keyEnding
          ? `This workspace uses the link service at ${bold(serviceUrl)} with the key ending in \`${escape(keyEnding)}\`. A new key replaces it.`
          : `Enter an API key of the link service at ${bold(serviceUrl)}. It is kept encrypted.`,
      ),
      input<PlainTextInput>(
        CONNECT_BLOCKS.apiKey,
        FIELD_LABELS.api_key,
        { type: 'plain_text_input', max_length: 500, focus_on_load: true },
        { optional: false, hint: 'It is tried before it is kept, and never shown again.' },
      ),
      ...linesInputs(LINES_BLOCKS.domains, domains, {
        required: true,
        placeholder: 'dom_123 go.example.com',
        hint: 'One a line: the domain record’s name (its ID), a space, its hostname. The first is the default.',
      }),
      context('Whoever runs the link service can tell you both.'),
    ],
  }
}
