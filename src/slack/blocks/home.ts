import type { ActionsBlock, HomeView, KnownBlock } from '@slack/types'
import { ACTIONS, COMMAND } from '../ids.ts'
import { button, context, plain, section } from '../block-kit/elements.ts'
import { LIMITS } from './limits.ts'
import { linkListBlocks, nothingHere, type LinkListPage } from './link-list.ts'
import { bold, escape } from './mrkdwn.ts'

/** What the Home tab shows a person. */
export interface HomeTab {
  /** The connection; absent where there is none, or where it can't be read. */
  service?: HomeService | undefined
  /** Whether they may connect the workspace and change its settings. */
  isAdmin: boolean
  /** A page of links; absent where there is no connection. */
  links?: LinkListPage | 'loading' | HomeTrouble | undefined
}

export interface HomeService {
  /** Of the link service. */
  host: string
  /** The default domain's hostname, where it is known. */
  domain?: string | undefined
  /** The last four characters of the API key, which admins alone see. */
  keyEnding: string
}

/** Why there is nothing to see, in words. */
export interface HomeTrouble {
  messages: readonly string[]
  /** The page that was asked for. */
  position: string
}

/** The app's Home tab: how the workspace stands, and its links. */
export function home(tab: HomeTab): HomeView {
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: plain('Short links, without leaving Slack', LIMITS.headerText) },
      ...standing(tab),
      ...buttons(tab),
      ...(tab.links ? [{ type: 'divider' as const }, ...listed(tab.links)] : []),
      context(
        `In any conversation: \`${COMMAND} https://…\` makes a link, \`${COMMAND} help\` shows what else there is.`,
      ),
    ],
  }
}

function standing({ service, isAdmin, links }: HomeTab): KnownBlock[] {
  if (service) return [section(connectedTo(service)), ...(isAdmin ? [key(service)] : [])]
  if (links) return []
  return [
    section(
      `*One step first:* this workspace isn’t connected to a link service. ${
        isAdmin
          ? 'Press _Connect_ to see what it takes.'
          : `Ask an admin to press _Connect_ here, or to type \`${COMMAND} connect\`.`
      }`,
    ),
  ]
}

function connectedTo({ host, domain }: HomeService): string {
  if (domain === undefined || domain === host) {
    return `Connected to ${bold(host)}, where new links are made.`
  }
  return `Connected to ${bold(host)}. New links are made on ${bold(domain)}.`
}

function key({ keyEnding }: HomeService): KnownBlock {
  return context(`The API key in use ends in \`${escape(keyEnding)}\`. Only admins see this.`)
}

/** The connection can't be used without a key that can be read: then only an admin can do more. */
function buttons({ service, isAdmin }: HomeTab): ActionsBlock[] {
  const elements = [
    ...(service ? [button('Shorten a link', ACTIONS.openForm, { style: 'primary' })] : []),
    ...(!service && isAdmin ? [button('Connect', ACTIONS.openConnect, { style: 'primary' })] : []),
    ...(isAdmin ? [button('Settings', ACTIONS.openSettings)] : []),
  ]
  return elements.length > 0 ? [{ type: 'actions', elements }] : []
}

function listed(links: LinkListPage | 'loading' | HomeTrouble): KnownBlock[] {
  if (links === 'loading') return [section('Loading the links…')]
  if ('messages' in links) {
    return [
      section(links.messages.map((message) => `:warning: ${escape(message)}`).join('\n')),
      {
        type: 'actions',
        elements: [button('Try again', ACTIONS.drawHomeAgain, { value: links.position })],
      },
    ]
  }
  if (links.links.length > 0) return [section('*Links*'), ...linkListBlocks(links, 'home')]
  if (links.page > 1) return [section(nothingHere(links)), ...linkListBlocks(links, 'home')]
  return [
    section(
      '*Your first short link is two clicks away*\n1. Press _Shorten a link_ above.\n2. Paste a long link and press _Create_. The short one comes as a message, with its QR code, and stands here from then on.',
    ),
  ]
}
