import type { ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { UTM_PARAMETERS } from '../../../src/contract/link-fields.ts'
import { checkView } from '../../../src/simulator/block-kit/check.ts'
import { formAgain } from '../../../src/slack/platform/form-values.ts'
import { disconnectForm, erasePersonForm } from '../../../src/slack/settings/deletion-forms.ts'
import { domainPicker } from '../../../src/slack/settings/domain-picker.ts'
import { namingForm } from '../../../src/slack/settings/naming-form.ts'
import { overviewModal } from '../../../src/slack/settings/overview.ts'
import { permissionForm, qrForm } from '../../../src/slack/settings/policy-forms.ts'
import type { SettingsForm } from '../../../src/slack/settings/settings-form.ts'
import {
  deleteTemplateForm,
  templateForm,
  templatesModal,
} from '../../../src/slack/settings/templates.ts'
import { weeklyReportForm } from '../../../src/slack/settings/weekly-report-form.ts'
import type { ConnectionStatus, DomainRecord } from '../../../src/workspaces/connection.ts'
import type { Settings } from '../../../src/workspaces/settings.ts'
import { templateKey } from '../../../src/workspaces/utm.ts'
import type { Workspaces } from '../../../src/workspaces/workspaces.ts'
import { brokenTexts } from '../../support/broken-texts.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'
import { fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'
import { submittedView } from '../../support/submitted-view.ts'
import { settingsPlatform } from './settings-platform.ts'

/** A link service that lists these domain records. */
const domainLister = (domains: DomainRecord[]) => ({
  ...NO_LINK_SERVICE,
  capabilities: async () => ALL_OFFERS,
  listDomains: async () => ({ domains, hasMore: false }),
})

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
  const connection = { apiKey: 'k'.repeat(500), domains, source: 'connected' as const }
  const [by, since] = ['U0000000001', 1_795_000_000_000]
  const connected = { state: 'connected' as const, connection, by, since }
  const workspaces: Pick<Workspaces, 'status' | 'connectsAutomatically'> = {
    status: async () => connected,
    connectsAutomatically: false,
  }
  const overview = {
    serviceUrl: `https://${text(2000)}`,
    workspaces: { connectsAutomatically: true },
  }
  const overviewOf = (status: ConnectionStatus) =>
    overviewModal(overview, status, { ...settings, templates }, true)
  const platform = settingsPlatform({
    ...fakePlatform({}, settings),
    workspaces: workspaces as Workspaces,
    linkService: domainLister(domains),
  })
  /** A form that Slack sent back, with what went wrong. */
  const again =
    (form: SettingsForm, key = '') =>
    async (): Promise<ModalView> => {
      const view = await form.build(platform, { id: 'T1' }, key)
      return formAgain(submittedView(view), [text(4000), text(4000)])
    }

  return [
    ['connected', () => overviewOf(connected)],
    ['disconnected', () => overviewOf({ state: 'disconnected', by, since })],
    ['never connected', () => overviewOf({ state: 'never_connected' })],
    ['unreadable', () => overviewOf({ state: 'unreadable' })],
    ['domains', again(domainPicker)],
    ['QR codes', again(qrForm)],
    ['templates', () => templatesModal(templates, naming)],
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
