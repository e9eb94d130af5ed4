import type { ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { UTM_PARAMETERS } from '../../../src/contract/link-fields.ts'
import { checkView } from '../../../src/simulator/block-kit/check.ts'
import { formAgain } from '../../../src/slack/platform/form-values.ts'
import { buildConnectForm } from '../../../src/slack/settings/connect-form.ts'
import { disconnectForm, erasePersonForm } from '../../../src/slack/settings/deletion-forms.ts'
import { domainPicker } from '../../../src/slack/settings/domain-picker.ts'
import { namingForm } from '../../../src/slack/settings/naming-form.ts'
import { buildOverview } from '../../../src/slack/settings/overview.ts'
import { permissionForm, qrForm } from '../../../src/slack/settings/policy-forms.ts'
import type { SettingsForm } from '../../../src/slack/settings/settings-form.ts'
import {
  deleteTemplateForm,
  buildTemplates,
  templateForm,
} from '../../../src/slack/settings/templates.ts'
import { weeklyReportForm } from '../../../src/slack/settings/weekly-report-form.ts'
import type { ConnectionStatus } from '../../../src/workspaces/connection.ts'
import type { Settings } from '../../../src/workspaces/settings.ts'
import { templateKey } from '../../../src/workspaces/utm.ts'
import type { Workspaces } from '../../../src/workspaces/workspaces.ts'
import { brokenTexts } from '../../support/broken-texts.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'
import { fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'
import { submittedView } from '../../support/submitted-view.ts'
import { settingsPlatform } from './settings-platform.ts'

const LONG_URL = `https://example.com/${'x'.repeat(1980)}`

/** Views with the longest of everything that is stored or typed. */
function longest(script: string): [name: string, build: () => ModalView | Promise<ModalView>][] {
  const text = (length: number): string => script.repeat(length).slice(0, length).toWellFormed()
  const values = Object.fromEntries(UTM_PARAMETERS.map((name) => [name, text(255)]))
  const templates = Array.from({ length: 50 }, (_, index) => ({
    name: `${index} ${text(72)}`,
    values,
  }))
  const allowed = Array.from({ length: 100 }, (_, index) => `${index} ${text(72)}`)
  const naming = { lowerCase: true, spaces: '_' as const, sources: allowed, mediums: allowed }
  const domains = Array.from({ length: 100 }, (_, index) => ({
    name: `${index}`.padEnd(75, 'x'),
    domain_name: `${index}.${'a.'.repeat(124)}example`.slice(-253),
  }))
  const linkService = {
    ...NO_LINK_SERVICE,
    capabilities: async () => ALL_OFFERS,
    listDomains: async () => ({ domains, hasMore: false }),
  }
  const settings: Settings = {
    qr: { enabled: true, color: '#1F4F46' },
    templates: [...templates, { name: text(75), values }],
    naming,
    mayShorten: 'not_guests',
    mayChange: 'everyone',
    weeklyReport: {
      channel: 'C0123456789',
      day: 3,
      hour: 23,
      timeZone: 'America/Argentina/ComodRivadavia',
      setBy: 'U0000000001',
    },
  }
  const credentials = { apiKey: 'k'.repeat(500), domains }
  const [by, since] = ['U0000000001', 1_795_000_000_000]
  const connectedBy = (source: 'connected' | 'provisioned'): ConnectionStatus => ({
    state: 'connected',
    connection: { ...credentials, source },
    by,
    since,
  })
  const connected = connectedBy('connected')
  const platformWith = (status: ConnectionStatus, connectsAutomatically: boolean) => {
    const workspaces: Partial<Workspaces> = { status: async () => status, connectsAutomatically }
    return settingsPlatform({
      ...fakePlatform({}, settings),
      workspaces: workspaces as Workspaces,
      linkService,
      serviceUrl: `https://${text(2000)}`,
    })
  }
  const platform = platformWith(connected, false)
  const overviewOf = (status: ConnectionStatus) => () =>
    buildOverview(platformWith(status, true), { id: 'T1' })
  /** A form that Slack sent back, with what went wrong. */
  const again =
    ({ build }: Pick<SettingsForm, 'build'>, key = '', of = platform) =>
    async (): Promise<ModalView> => {
      const view = await build(of, { id: 'T1' }, key)
      return formAgain(submittedView(view), [text(4000), text(4000)])
    }
  const connectFormOf = (status: ConnectionStatus) => {
    const of = { ...platformWith(status, true), serviceUrl: LONG_URL }
    return again({ build: buildConnectForm }, '', of)
  }

  return [
    ['connected', overviewOf(connected)],
    ['disconnected', overviewOf({ state: 'disconnected', by, since })],
    ['never connected', overviewOf({ state: 'never_connected' })],
    ['unreadable', overviewOf({ state: 'unreadable' })],
    ['domains', again(domainPicker)],
    ['QR codes', again(qrForm)],
    ['the connect form', connectFormOf(connected)],
    ['the connect form with a key of Backhalf', connectFormOf(connectedBy('provisioned'))],
    ['the connect form with a key that can’t be read', connectFormOf({ state: 'unreadable' })],
    ['templates', () => buildTemplates(platform, { id: 'T1' })],
    ['template', again(templateForm, templateKey(text(75)))],
    ['deleting a template', again(deleteTemplateForm, templateKey(text(75)))],
    ['naming rules', again(namingForm)],
    ['erase a person', again(erasePersonForm)],
    ['who can shorten', again(permissionForm)],
    ['disconnecting', again(disconnectForm)],
    ['weekly report', again(weeklyReportForm, 'America/Argentina/ComodRivadavia')],
  ]
}

for (const [script, text] of [
  ['emoji', '👩‍👩‍👧‍👦'],
  ['right-to-left text', 'قصير '],
  ['text to be escaped', '<!channel> & '],
] as const) {
  test.each(longest(text))(
    `builds a view that Slack accepts from the longest settings in ${script}: %s`,
    async (_name, build) => {
      const view = await build()
      expect(() => checkView(view, 'modal')).not.toThrow()
      expect(brokenTexts(view)).toEqual([])
      expect(JSON.stringify(view).length).toBeLessThan(250_000)
      const mrkdwn = JSON.stringify(view.blocks, (key, value: unknown) =>
        key === 'initial_value' ? undefined : value,
      ).match(/"type":"mrkdwn","text":"[^"]*<!channel>/)
      expect(mrkdwn).toBeNull()
    },
  )
}
