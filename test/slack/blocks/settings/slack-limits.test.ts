import type { ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { checkView } from '../../../../src/playground/block-kit/check.ts'
import { inputTexts } from '../../../../src/slack/blocks/lines-inputs.ts'
import { disconnectModal } from '../../../../src/slack/blocks/settings/disconnect-modal.ts'
import { domainsModal } from '../../../../src/slack/blocks/settings/domains-modal.ts'
import { mayShortenModal } from '../../../../src/slack/blocks/settings/may-shorten-modal.ts'
import { namingModal } from '../../../../src/slack/blocks/settings/naming-modal.ts'
import { qrModal } from '../../../../src/slack/blocks/settings/qr-modal.ts'
import { settingsModal } from '../../../../src/slack/blocks/settings/settings-modal.ts'
import {
  deleteTemplateModal,
  templateModal,
} from '../../../../src/slack/blocks/settings/template-modal.ts'
import { templatesModal } from '../../../../src/slack/blocks/settings/templates-modal.ts'
import { domainLines } from '../../../../src/slack/input/domain-lines.ts'
import { brokenTexts } from '../../../support/broken-texts.ts'
import { UTM_PARAMETERS } from '../../../../src/contract/create-request.ts'

/** The longest of everything that is kept, in the scripts that take up the most room. */
function longest(script: string) {
  const text = (length: number): string => script.repeat(length).slice(0, length).toWellFormed()
  const values = Object.fromEntries(UTM_PARAMETERS.map((name) => [name, text(255)]))
  const templates = Array.from({ length: 50 }, (_, at) => ({
    name: `${at} ${text(72)}`,
    values,
  }))
  const allowed = Array.from({ length: 100 }, (_, at) => `${at} ${text(72)}`)
  const rules = {
    lowerCase: true,
    spaces: '_' as const,
    sources: allowed,
    mediums: allowed,
  }
  const domains = Array.from({ length: 100 }, (_, at) => ({
    name: `${at}`.padEnd(75, 'x'),
    domain_name: `${at}.${'a.'.repeat(124)}example`.slice(-253),
  }))
  const settings = {
    qr: { enabled: true, color: '#1F4F46' },
    templates,
    naming: rules,
    mayShorten: 'not_guests' as const,
  }
  const notice = [text(4000), text(4000)]
  const overview = { serviceUrl: `https://${text(2000)}`, automatic: true, settings, broken: 50 }
  const [by, since] = ['U0000000001', 1_795_000_000_000]
  const connection = { apiKey: 'k'.repeat(500), domains, source: 'connected' as const }
  const views: Record<string, ModalView> = {
    connected: settingsModal({
      ...overview,
      standing: { state: 'connected', connection, by, since },
    }),
    disconnected: settingsModal({ ...overview, standing: { state: 'disconnected', by, since } }),
    'never connected': settingsModal({ ...overview, standing: { state: 'never_connected' } }),
    unreadable: settingsModal({ ...overview, standing: { state: 'unreadable' } }),
    domains: domainsModal({
      domains,
      version: '',
      texts: inputTexts(domainLines(domains)),
      notice,
    }),
    'QR codes': qrModal({ enabled: true, color: text(100), notice }),
    templates: templatesModal(
      templates.map((one, at) => ({ ...one, key: `${at}`.padEnd(22, 'x'), isBroken: true })),
    ),
    template: templateModal({ editing: 'x'.repeat(22), name: text(75), values, rules, notice }),
    'deleting a template': deleteTemplateModal({ key: 'x'.repeat(22), name: text(75), notice }),
    'naming rules': namingModal({
      ...rules,
      sources: inputTexts(allowed),
      mediums: inputTexts(allowed),
      notice,
    }),
    'who may shorten': mayShortenModal({ mayShorten: 'everyone', notice }),
    disconnecting: disconnectModal({ automatic: false, notice }),
  }
  return Object.entries(views)
}

for (const [script, text] of [
  ['emoji', '👩‍👩‍👧‍👦'],
  ['right-to-left text', 'قصير '],
  ['text to be escaped', '<!channel> & '],
] as const) {
  test.each(longest(text))(
    `the settings in ${script} are a view that Slack takes: %s`,
    (_name, view) => {
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
