import type { Button, KnownBlock } from '@slack/types'
import { SPECIFICATION } from '../../port/capabilities.ts'
import { formatCount } from '../../web/numbers.ts'
import type { ConnectionStatus } from '../../workspaces/connection.ts'
import type { Settings } from '../../workspaces/settings.ts'
import { actions, button, present, section } from '../block-kit/elements.ts'
import { bold, capitalized, cut, day, escape, mention } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { ACTIONS, VIEWS } from '../ids.ts'
import type { Caller } from '../platform/caller.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import { destinationsText } from './destinations-form.ts'
import { namingText } from './naming-form.ts'
import type { SettingsForm, SettingsPlatform } from './settings-form.ts'
import { buildTemplates } from './templates.ts'
import { weeklyReportText } from './weekly-report-form.ts'

/** The forms that the list of templates opens. A saved form refreshes that list, too. */
const TEMPLATE_FORMS: readonly string[] = [VIEWS.settingsTemplate, VIEWS.settingsDeleteTemplate]

export const buildOverview: SettingsForm['build'] = async (platform, workspace) => {
  const [status, settings, { reports }] = await Promise.all([
    platform.workspaces.status(workspace),
    platform.settings.read(workspace.id),
    platform.linkService.capabilities(workspace).catch(() => SPECIFICATION),
  ])
  const { enabled, color } = settings.qr
  const qrText = enabled ? 'Every link gets one' : 'A link gets one only if its creator asks for it'
  const rules = namingText(settings.naming)
  return readOnlyModal(
    'Backhalf settings',
    present([
      ...connectionBlocks(platform, status),
      { type: 'divider' },
      domainsRow(status),
      row('QR codes', `${qrText}, in ${escape(color ?? 'black')}.`, ACTIONS.editQr),
      row('UTM templates', templatesText(settings), ACTIONS.editTemplates),
      row(
        'Naming rules for UTM values',
        rules ? `${capitalized(rules)}.` : 'None. Values stay as they are typed.',
        ACTIONS.editNaming,
      ),
      reports && row('Weekly report', weeklyReportText(settings), ACTIONS.editWeeklyReport),
      row('Destinations', destinationsText(settings), ACTIONS.editDestinations),
      row('Permissions', permissionsText(settings), ACTIONS.editMayShorten),
      section(
        '*People who have left*\nAdmins can change their links; others only if _Permissions_ let everyone do that.',
        button('Erase an ID…', ACTIONS.erasePerson),
      ),
    ]),
    { callbackId: VIEWS.settings },
  )
}

export async function refreshSettings(
  platform: SettingsPlatform,
  caller: Caller,
  view: FormSubmission['view'],
): Promise<void> {
  const { logger, views } = platform
  const { workspace } = caller
  const { id, callback_id: callbackId, root_view_id: root, previous_view_id: previous } = view
  if (!root || root === id) return
  try {
    if (previous && TEMPLATE_FORMS.includes(callbackId)) {
      await views.update(caller, { view_id: previous }, await buildTemplates(platform, workspace))
    }
    await views.update(caller, { view_id: root }, await buildOverview(platform, workspace))
  } catch (err) {
    logger.error({ err }, 'the settings below a form could not be updated')
  }
}

function row(title: string, mrkdwn: string, action: string): KnownBlock {
  const change = button('Change', action, { accessibility_label: `Change ${title}` })
  return section(`*${title}*\n${mrkdwn}`, change)
}

function connectionBlocks(service: SettingsPlatform, status: ConnectionStatus): KnownBlock[] {
  const { connectsAutomatically } = service.workspaces
  const disconnect = button('Disconnect…', ACTIONS.disconnect)
  const blocks = (text: string, buttons: Button[]): KnownBlock[] => [
    section(`*Connection*\n${text}`),
    ...actions(buttons),
  ]
  const connect = connectsAutomatically
    ? [
        button('Connect again', ACTIONS.connectAgain, { style: 'primary' }),
        button('Connect with a key', ACTIONS.reconnect),
      ]
    : [button('Connect', ACTIONS.reconnect)]
  switch (status.state) {
    case 'connected':
      return blocks(connectedText(service, status), [
        button('Reconnect', ACTIONS.reconnect),
        disconnect,
      ])
    case 'disconnected': {
      const by = status.by === undefined ? '' : ` by ${mention(status.by)}`
      const text = `Disconnected${by} on ${day(status.since)}. Existing links keep working. No one can create new ones.`
      return blocks(text, connect)
    }
    case 'unreadable': {
      const next = connectsAutomatically
        ? 'Connect again to get a new one, or enter your own.'
        : 'Please enter it again.'
      const text = `:warning: The saved API key can’t be read anymore. ${next}`
      return blocks(text, [...connect, disconnect])
    }
    case 'never_connected': {
      const { label = 'The link service', keyHint = KEY_HINT } = service.serviceKind ?? {}
      return blocks(
        `Not connected yet. ${label} is at ${bold(service.serviceUrl)}. ${keyHint}`,
        connect,
      )
    }
  }
}

const KEY_HINT = 'The person who runs it can give you an API key.'

const MAX_SERVICE_URL_LENGTH = 500

function connectedText(
  { serviceUrl, serviceKind }: SettingsPlatform,
  { connection, by, since }: Extract<ConnectionStatus, { state: 'connected' }>,
): string {
  const when = since === undefined ? '' : ` on ${day(since)}`
  const origin = {
    connected: `Connected${by === undefined ? '' : ` by ${mention(by)}`}${when}.`,
    provisioned: `Backhalf created this key automatically${when}.`,
    configured: 'The key is set by the person who runs Backhalf.',
  }[connection.source]
  const key = `with the key ending in \`${escape(connection.apiKey.slice(-4))}\``
  return `${serviceKind?.label ?? 'The link service'} at ${bold(cut(serviceUrl, MAX_SERVICE_URL_LENGTH))}, ${key}. ${origin}`
}

function domainsRow(status: ConnectionStatus): KnownBlock | undefined {
  if (status.state !== 'connected') return undefined
  const { domains, source } = status.connection
  if (source === 'configured') {
    return section(
      '*Domains*\nSet by the person who runs Backhalf. To choose others, reconnect with your own key.',
    )
  }
  const [first, ...rest] = domains
  const more = rest.length === 0 ? '' : `, with ${formatCount(rest.length, 'other')} to choose from`
  const text = `New links are created on ${bold(first?.domain_name ?? '')}${more}.`
  return row('Domains', text, ACTIONS.editDomains)
}

const MAX_NAMED_TEMPLATES = 5

function templatesText({ templates }: Settings): string {
  if (templates.length === 0) return 'None yet.'
  const names = templates.slice(0, MAX_NAMED_TEMPLATES).map(({ name }) => escape(name))
  const more = templates.length > names.length ? ' …' : ''
  return `${templates.length}: ${names.join(', ')}${more}`
}

function permissionsText({ mayShorten, mayChange }: Settings): string {
  const shorten =
    mayShorten === 'everyone' ? 'Everyone, including guests,' : 'Everyone except guests'
  const change =
    mayChange === 'everyone'
      ? 'Everyone who can shorten links can change them.'
      : 'A link can be changed by the person who created it and by admins.'
  return `${shorten} can shorten links. ${change}`
}
