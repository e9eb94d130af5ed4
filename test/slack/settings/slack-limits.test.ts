import type { ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { UTM_PARAMETERS } from '../../../src/contract/link-fields.ts'
import { checkView } from '../../../src/simulator/block-kit/check.ts'
import type { FormValues } from '../../../src/slack/platform/form-values.ts'
import { createDisconnectForm } from '../../../src/slack/settings/disconnect-form.ts'
import { domainLines } from '../../../src/slack/settings/domain-lines.ts'
import { createDomainsForm } from '../../../src/slack/settings/domains-form.ts'
import { linesFrom } from '../../../src/slack/settings/lines.ts'
import { createErasePersonForm } from '../../../src/slack/settings/erase-person-form.ts'
import { createNamingForm } from '../../../src/slack/settings/naming-form.ts'
import { overviewModal } from '../../../src/slack/settings/overview-modal.ts'
import { createPermissionForm } from '../../../src/slack/settings/permission-form.ts'
import { createQrForm } from '../../../src/slack/settings/qr-form.ts'
import type { SettingsForm } from '../../../src/slack/settings/settings-form.ts'
import {
  createDeleteTemplateForm,
  createTemplateForm,
} from '../../../src/slack/settings/template-form.ts'
import { templatesModal } from '../../../src/slack/settings/templates-modal.ts'
import type { Settings } from '../../../src/workspaces/settings.ts'
import { templateKey } from '../../../src/workspaces/utm.ts'
import type { Workspaces } from '../../../src/workspaces/workspaces.ts'
import { brokenTexts } from '../../support/broken-texts.ts'
import { fakePlatform } from '../../support/platform.ts'

const typed = (value: string): FormValues[string] => ({
  input: { type: 'plain_text_input', value },
})
const chosen = (value: string): FormValues[string] => ({
  input: {
    type: 'radio_buttons',
    selected_option: { text: { type: 'plain_text', text: value }, value },
  },
})
const checked: FormValues[string] = {
  input: {
    type: 'checkboxes',
    selected_options: [{ text: { type: 'plain_text', text: 'on' }, value: 'on' }],
  },
}
const typedLines = (lines: readonly string[]): FormValues[string] => typed(linesFrom(lines).text)

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
    connectsAutomatically: true,
    settings: { ...settings, templates },
  }
  const { settings: store } = fakePlatform({}, settings)
  const rebuilt =
    (form: SettingsForm, formValues: FormValues, key = '') =>
    (): Promise<ModalView> =>
      form.rebuild({ workspace: { id: 'T1' }, key }, formValues, [text(4000), text(4000)])

  return [
    ['connected', () => overviewModal({ ...overview, status: connected })],
    [
      'disconnected',
      () => overviewModal({ ...overview, status: { state: 'disconnected', by, since } }),
    ],
    ['never connected', () => overviewModal({ ...overview, status: { state: 'never_connected' } })],
    ['unreadable', () => overviewModal({ ...overview, status: { state: 'unreadable' } })],
    [
      'domains',
      rebuilt(createDomainsForm(workspaces as Workspaces), {
        domains: typedLines(domainLines(domains)),
      }),
    ],
    [
      'QR codes',
      rebuilt(createQrForm(store), { qr_code_enabled: checked, qr_code_color: typed(text(100)) }),
    ],
    ['templates', () => templatesModal(templates, naming)],
    [
      'template',
      rebuilt(
        createTemplateForm(store),
        {
          template_name: typed(text(75)),
          ...Object.fromEntries(UTM_PARAMETERS.map((name) => [name, typed(text(255))])),
        },
        'x'.repeat(22),
      ),
    ],
    ['deleting a template', rebuilt(createDeleteTemplateForm(store), {}, templateKey(text(75)))],
    [
      'naming rules',
      rebuilt(createNamingForm(store), {
        lower_case: checked,
        spaces: chosen('underscore'),
        allowed_sources: typedLines(allowed),
        allowed_mediums: typedLines(allowed),
      }),
    ],
    [
      'erase a person',
      rebuilt(createErasePersonForm(workspaces as Workspaces), { person: typed(text(100)) }),
    ],
    ['who can shorten', rebuilt(createPermissionForm(store), { may_shorten: chosen('everyone') })],
    ['disconnecting', rebuilt(createDisconnectForm(workspaces as Workspaces), {})],
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
      expect(checkView(view, 'modal', () => undefined)).toMatchObject({ ok: true })
      expect(brokenTexts(view)).toEqual([])
      expect(JSON.stringify(view).length).toBeLessThan(250_000)
      const mrkdwn = JSON.stringify(view.blocks, (key, value: unknown) =>
        key === 'initial_value' ? undefined : value,
      ).match(/"type":"mrkdwn","text":"[^"]*<!channel>/)
      expect(mrkdwn).toBeNull()
    },
  )
}
