import type { KnownBlock, ModalView } from '@slack/types'
import type { Standing } from '../../../workspaces/connection.ts'
import type { Settings } from '../../../workspaces/settings.ts'
import { ACTIONS, VIEWS } from '../../ids.ts'
import { count } from '../count.ts'
import { button, plain, section } from '../../block-kit/elements.ts'
import { cut, LIMITS } from '../limits.ts'
import { bold, day, escape, mention } from '../mrkdwn.ts'
import { namingInWords } from './words.ts'

/** What is set in a workspace now. */
export interface SettingsView {
  /** Where the link service is. */
  serviceUrl: string
  /** `unreadable`: there is a key, and it can't be decrypted any more. */
  standing: Standing | { state: 'unreadable' }
  /** Whether one press connects a disconnected workspace again. */
  automatic: boolean
  settings: Settings
  /** How many templates have values that the naming rules don't allow. */
  broken: number
}

/** Names of templates that the overview shows. */
const NAMED = 5

/** Everything that an admin can set, in words, with a button to each form. */
export function settingsModal(view: SettingsView): ModalView {
  const { qr, naming, mayShorten } = view.settings
  const color = qr.color ? ` in ${escape(qr.color)}` : ' in black'
  const rules = namingInWords(naming)
  return {
    type: 'modal',
    callback_id: VIEWS.settings,
    title: plain('Backhalf settings', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [
      ...connectionBlocks(view),
      { type: 'divider' },
      ...domainsBlocks(view),
      row(
        'QR codes',
        qr.enabled ? `Every link gets one${color}.` : `Only who asks for one gets one${color}.`,
        ACTIONS.editQr,
      ),
      row('UTM templates', templatesInWords(view), ACTIONS.editTemplates),
      row(
        'Naming rules for UTM values',
        rules ? `${capital(rules)}.` : 'None: values stay as they are typed.',
        ACTIONS.editNaming,
      ),
      row(
        'Who may shorten links',
        mayShorten === 'everyone' ? 'Everyone, guests as well.' : 'Everyone except guests.',
        ACTIONS.editMayShorten,
      ),
    ],
  }
}

/** @param mrkdwn text whose foreign parts are escaped already */
function row(title: string, mrkdwn: string, action: string): KnownBlock {
  return {
    ...section(`*${title}*\n${mrkdwn}`),
    accessory: {
      ...button('Change', action),
      accessibility_label: `Change ${title}`,
    },
  }
}

function connectionBlocks({ standing, automatic, serviceUrl }: SettingsView): KnownBlock[] {
  const disconnect = button('Disconnect…', ACTIONS.disconnect)
  const enterKey = (label: string) => button(label, ACTIONS.reconnect)
  switch (standing.state) {
    case 'connected':
      return [
        section(`*Connection*\n${connectedInWords(standing, serviceUrl)}`),
        { type: 'actions', elements: [enterKey('Reconnect'), disconnect] },
      ]
    case 'disconnected': {
      const by = standing.by === undefined ? '' : ` by ${mention(standing.by)}`
      const again = button('Connect again', ACTIONS.connectAgain, { style: 'primary' })
      return [
        section(
          `*Connection*\nDisconnected${by} on ${day(standing.since)}. Links that were made keep working; nobody can make new ones.`,
        ),
        {
          type: 'actions',
          elements: automatic ? [again, enterKey('Connect with a key')] : [enterKey('Connect')],
        },
      ]
    }
    case 'unreadable':
      return [
        section(
          '*Connection*\n:warning: The API key that was kept can’t be read any more. Please enter it again.',
        ),
        { type: 'actions', elements: [enterKey('Enter the key again'), disconnect] },
      ]
    case 'never_connected':
      return [
        section(
          `*Connection*\nNot connected yet. The link service is at ${bold(serviceUrl)}; whoever runs it can give you an API key.`,
        ),
        { type: 'actions', elements: [enterKey('Connect')] },
      ]
  }
}

function connectedInWords(
  { connection, by, since }: Extract<Standing, { state: 'connected' }>,
  serviceUrl: string,
): string {
  const when = since === undefined ? '' : ` on ${day(since)}`
  const who = {
    connected: `Connected${by === undefined ? '' : ` by ${mention(by)}`}${when}.`,
    provisioned: `Backhalf made this key by itself${when}.`,
    configured: 'The key is set by whoever runs Backhalf.',
  }[connection.source]
  const key = `with the key ending in \`${escape(connection.apiKey.slice(-4))}\``
  return `The link service at ${bold(cut(serviceUrl, 500))}, ${key}. ${who}`
}

/** Only domains that are kept for this workspace can be changed here. */
function domainsBlocks({ standing }: SettingsView): KnownBlock[] {
  if (standing.state !== 'connected') return []
  const { domains, source } = standing.connection
  const title = 'Domains'
  if (source === 'configured') {
    return [
      section(
        `*${title}*\nThe one that whoever runs Backhalf has set. Reconnect with a key of your own to choose others.`,
      ),
    ]
  }
  const [first, ...rest] = domains
  const more = rest.length === 0 ? '' : `, and ${count(rest.length, 'other')} to choose from`
  return [
    row(
      title,
      `New links are made on ${bold(first?.domain_name ?? '')}${more}.`,
      ACTIONS.editDomains,
    ),
  ]
}

function templatesInWords({ settings: { templates }, broken }: SettingsView): string {
  if (templates.length === 0) return 'None yet.'
  const named = templates.slice(0, NAMED).map(({ name }) => escape(name))
  const more = templates.length > NAMED ? ' …' : ''
  const warning =
    broken > 0
      ? `\n:warning: ${count(broken, 'template')} with values that the naming rules don’t allow.`
      : ''
  return `${templates.length}: ${named.join(', ')}${more}${warning}`
}

function capital(text: string): string {
  return text.replace(/^\p{L}/u, (letter) => letter.toUpperCase())
}
