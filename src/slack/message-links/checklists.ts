import type { Checkboxes, ModalView, SectionBlock } from '@slack/types'
import { z } from 'zod'
import { formatCount } from '../../web/numbers.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { UtmTemplate } from '../../workspaces/settings.ts'
import { context, option, section } from '../block-kit/elements.ts'
import { checkbox, formModal, type WithNotice } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { link, readableUrl } from '../block-kit/mrkdwn.ts'
import { ACTIONS, CHECKLIST_BLOCK_PREFIX, VIEWS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import { isChecked, selectedOption, type SubmittedView } from '../platform/form-values.ts'
import { defineSealedMetadata } from '../platform/sealed-metadata.ts'
import type { Draft } from '../shorten/draft.ts'
import { formState } from '../shorten/form.ts'
import { chosenTemplate, domainInput, templateInput } from '../shorten/menus.ts'
import { urlsInMrkdwn, type MessageLinks } from './parse-message.ts'

const countSchema = z.int().nonnegative()

const checklistState = z.object({
  reply: formState.shape.reply,
  leftOut: z.object({ short: countSchema, slack: countSchema, tooLong: countSchema }),
  more: countSchema,
})

/** A form in which the user ticks which links of a message to shorten. */
export interface Checklist extends z.infer<typeof checklistState> {
  links: { url: string; ticked: boolean }[]
  template?: string | undefined
  domain?: string | undefined
  withQr?: boolean // Absent if the workspace's settings decide.
}

const metadata = defineSealedMetadata('checklist', checklistState)

export function startChecklist(found: MessageLinks, reply: ReplyTarget): Checklist {
  const fitting = found.links.filter(fitsInChecklist)
  const tooLong = found.leftOut.tooLong + found.links.length - fitting.length
  return {
    reply,
    links: fitting.slice(0, MAX_CHECKLIST_LINKS).map((url) => ({ url, ticked: true })),
    leftOut: { ...found.leftOut, tooLong },
    more: Math.max(0, fitting.length - MAX_CHECKLIST_LINKS),
  }
}

export async function buildChecklist(
  { keyring, linkService, settings }: LinkPlatform,
  { workspace }: Caller,
  checklist: Checklist,
  notice?: readonly string[],
): Promise<ModalView> {
  const [{ domains }, { qr, templates }] = await Promise.all([
    linkService.connection(workspace),
    settings.read(workspace.id),
  ])
  const { reply, leftOut, more } = checklist
  const sealed = metadata.seal(keyring, { reply, leftOut, more }, workspace.id)
  const shown = { ...checklist, withQr: checklist.withQr ?? qr.enabled }
  return checklistModal(shown, { domains, templates, notice, metadata: sealed })
}

export function readChecklist(
  { keyring }: LinkPlatform,
  { workspace }: Caller,
  view: SubmittedView & { blocks: readonly unknown[] },
): Checklist {
  const { values } = view.state
  const links = view.blocks.flatMap((block) => {
    const { block_id: blockId, text } = listedLink.safeParse(block).data ?? {}
    const [url] = urlsInMrkdwn(text?.text ?? '')
    if (!blockId || !url) return []
    const ticks = values[blockId]?.[ACTIONS.tickLink]?.selected_options ?? []
    return [{ url, ticked: ticks.length > 0 }]
  })
  return {
    ...metadata.open(keyring, view.private_metadata, workspace.id),
    links,
    template: selectedOption(values, 'template'),
    domain: selectedOption(values, 'domain'),
    withQr: isChecked(values, 'qr_code_enabled'),
  }
}

export async function toDrafts(
  { settings }: LinkPlatform,
  { workspace }: Caller,
  { links, template: key, domain, withQr: qr_code_enabled }: Checklist,
): Promise<(Draft & { destination_url: string })[]> {
  const { templates } = await settings.read(workspace.id)
  const template = chosenTemplate(key, templates)
  return tickedUrls(links).map((destination_url) => ({
    ...(template && { template: template.name }),
    destination_url,
    ...(qr_code_enabled !== undefined && { qr_code_enabled }),
    ...(domain && { domain }),
  }))
}

export function tickedUrls(links: Checklist['links']): string[] {
  return links.filter(({ ticked }) => ticked).map(({ url }) => url)
}

const listedLink = z.object({
  block_id: z.string().startsWith(CHECKLIST_BLOCK_PREFIX),
  text: z.object({ text: z.string() }),
})

/** The reply with the short links has no room for more, because Slack limits a message to about 12,000 characters. */
export const MAX_CHECKLIST_LINKS = 30

// With 30 links of this size, a view stays below Slack's limit of 250 KB.
const MAX_LINK_BYTES = 6_500

const MAX_SHOWN_LENGTH = 150

/** Builds the form. The URLs are stored only in its visible texts, because a view's metadata has no room for them. */
export function checklistModal(
  checklist: Omit<Checklist, 'reply'>,
  options: WithNotice & {
    domains: readonly DomainRecord[]
    templates: readonly UtmTemplate[]
    metadata: string
  },
): ModalView {
  return formModal({
    ...options,
    callbackId: VIEWS.checklist,
    title: 'Shorten links',
    submit: 'Create links',
    blocks: [
      section('Which links in the message do you want to shorten?'),
      ...checklist.links.map(linkBlock),
      ...unlistedTexts(checklist).map((text) => context(text)),
      ...templateInput(checklist.template, options.templates),
      ...domainInput(checklist.domain, options.domains),
      checkbox('qr_code_enabled', 'Create a QR code for each', checklist.withQr),
      context('The short links are posted as one reply to the message, where everyone sees it.'),
    ],
  })
}

export function fitsInChecklist(url: string): boolean {
  const text = linkText(url)
  return text.length <= LIMITS.sectionText && Buffer.byteLength(text) <= MAX_LINK_BYTES
}

function linkBlock({ url, ticked }: Checklist['links'][number], index: number): SectionBlock {
  const options = [option('Shorten', 'on')]
  const checkboxes: Checkboxes = {
    type: 'checkboxes',
    action_id: ACTIONS.tickLink,
    options,
    ...(ticked && { initial_options: options }),
  }
  return {
    ...section(linkText(url)),
    block_id: `${CHECKLIST_BLOCK_PREFIX}${index}`,
    accessory: checkboxes,
  }
}

function linkText(url: string): string {
  return link(url, readableUrl(url, MAX_SHOWN_LENGTH))
}

function unlistedTexts({ leftOut, more }: Pick<Checklist, 'leftOut' | 'more'>): string[] {
  const { short, slack, tooLong } = leftOut
  const reasons = [
    ...(short > 0 ? [`${formatCount(short, 'link')} already short`] : []),
    ...(slack > 0 ? [`${formatCount(slack, 'link')} to something in Slack`] : []),
    ...(tooLong > 0 ? [`${formatCount(tooLong, 'link')} too long to be listed`] : []),
  ]
  return [
    ...(reasons.length > 0 ? [`Left out: ${reasons.join(', ')}.`] : []),
    ...(more > 0
      ? [`There is no room here for ${formatCount(more, 'more link')}. Shorten them one by one.`]
      : []),
  ]
}
