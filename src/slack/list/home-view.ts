import type { ActionsBlock, HomeView, KnownBlock } from '@slack/types'
import { actions, button, context, LIMITS, plain, present, section } from '../block-kit/elements.ts'
import { encodeListPosition, type ListPosition } from '../block-kit/list-position.ts'
import { bold, escape, warningText } from '../block-kit/mrkdwn.ts'
import { noticeBlock, type Notice } from '../block-kit/notices.ts'
import { ACTIONS, COMMAND, LINK_BLOCK_PREFIX } from '../ids.ts'
import type { DrawnPage } from './link-rows.ts'
import { listTitle, pageBlocks } from './list-blocks.ts'

export interface HomeContent {
  service?: { host: string; domain?: string | undefined; keyEnding: string } | undefined
  isAdmin: boolean
  hasDashboard?: boolean | undefined
  links?: DrawnPage | 'loading' | HomeError | undefined
}

export interface HomeError {
  messages: readonly string[]
  position?: ListPosition | undefined // What *Try again* shows. If absent, there is no such button.
  notice?: Notice | undefined
}

const NOTICE_BLOCK_ID = `${LINK_BLOCK_PREFIX}0:home`

/** @param content a HomeError to show only that, for example to a guest who can't see links */
export function homeView(
  content: HomeContent | HomeError,
  pageLinks: readonly KnownBlock[] = [],
): HomeView {
  const shown = 'messages' in content ? linkBlocks(content) : contentBlocks(content)
  const title = plain('Short links, without leaving Slack', LIMITS.headerText)
  return { type: 'home', blocks: [{ type: 'header', text: title }, ...shown, ...pageLinks] }
}

function contentBlocks(content: HomeContent): KnownBlock[] {
  const { links, service } = content
  const more = `In any conversation, \`${COMMAND} https://…\` creates a link and \`${COMMAND} help\` shows what else you can do.`
  return present([
    ...connectionBlocks(content),
    ...buttons(content),
    links && { type: 'divider' as const },
    ...(links ? linkBlocks(links) : []),
    (service ?? links) && context(more),
  ])
}

function connectionBlocks({ service, isAdmin, links }: HomeContent): KnownBlock[] {
  if (service) {
    const { host, domain, keyEnding } = service
    const text =
      domain === undefined || domain === host
        ? `Connected to ${bold(host)}, where new links are created.`
        : `Connected to ${bold(host)}. New links are created on ${bold(domain)}.`
    const key = `The API key ends in \`${escape(keyEnding)}\`. Only admins see this.`
    return [section(text), ...(isAdmin ? [context(key)] : [])]
  }
  if (links) return [] // An error is shown instead.
  const next = isAdmin
    ? 'Press _Connect_ to connect it.'
    : `Ask an admin to press _Connect_ here, or to type \`${COMMAND} connect\`.`
  return [section(`*One step first:* this workspace isn’t connected to a link service. ${next}`)]
}

function buttons({ service, isAdmin, hasDashboard }: HomeContent): ActionsBlock[] {
  return actions([
    service && button('Shorten a link', ACTIONS.openForm, { style: 'primary' }),
    !service && isAdmin && button('Connect', ACTIONS.openConnect, { style: 'primary' }),
    hasDashboard && button('Open dashboard', ACTIONS.openDashboard),
    isAdmin && button('Settings', ACTIONS.openSettings),
  ])
}

function linkBlocks(links: DrawnPage | 'loading' | HomeError): KnownBlock[] {
  if (links === 'loading') return [section('Loading the links…')]
  if ('messages' in links) {
    const { messages, position, notice } = links
    const value = position && encodeListPosition(position)
    return [
      ...(notice ? [noticeBlock(notice, NOTICE_BLOCK_ID)] : []),
      section(messages.map(warningText).join('\n')),
      ...actions([value && button('Try again', ACTIONS.drawHomeAgain, { value })]),
    ]
  }
  const { position } = links
  const title = links.links.length > 0 ? [section(bold(listTitle(position)))] : []
  return [...title, ...pageBlocks(links, FIRST_STEPS)]
}

const FIRST_STEPS =
  '*Create your first short link*\n1. Press _Shorten a link_ above.\n2. Paste a long link and press _Create_. You get the short link as a message, with its QR code. From then on it is listed here.'
