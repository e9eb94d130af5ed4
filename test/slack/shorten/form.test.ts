import { describe, expect, test } from 'vitest'
import { createSealedMetadata } from '../../../src/slack/platform/sealed-metadata.ts'
import type { Draft } from '../../../src/slack/shorten/draft.ts'
import {
  createShortenForms,
  formState,
  utmPresets,
  type FormState,
} from '../../../src/slack/shorten/form.ts'
import { DEFAULT_SETTINGS, type RecentUtm } from '../../../src/workspaces/settings.ts'
import { templateKey } from '../../../src/workspaces/utm.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'
import { submittedView } from '../../support/submitted-view.ts'

const CALLER = fakeCaller()

describe('the form’s metadata', () => {
  const state: FormState = {
    reply: { userId: 'U1', responseUrl: 'https://hooks.slack.com/commands/T1/2/secret' },
    showUtm: true,
    showPreview: false,
    filled: 2,
    image: { id: 'F1', name: 'card.png' },
  }
  const metadata = createSealedMetadata(fakePlatform().keyring, 'shorten form', formState)

  test('fits in private_metadata even at its longest', () => {
    const long: FormState = {
      ...state,
      reply: { ...state.reply, responseUrl: `https://hooks.slack.com/${'x'.repeat(300)}` },
      image: { id: 'F'.repeat(20), name: '🖼'.repeat(128) },
    }
    expect(metadata.seal(long, 'T1').length).toBeLessThanOrEqual(3000) // Slack's limit.
  })
})

describe('utmPresets', () => {
  const { naming } = DEFAULT_SETTINGS
  const template = { name: 'last_used', values: { utm_source: 'News Letter' } }

  test('lists the values used last first, and does not confuse them with a template', () => {
    const recent = { utm_source: 'poster', utm_campaign: 'spring' }
    expect(utmPresets({ templates: [template], naming }, recent)).toEqual([
      { key: 'last_used', label: 'Last used: poster / spring', values: recent },
      { key: templateKey('last_used'), label: 'last_used', values: template.values },
    ])
  })

  test('rewrites the values by the current naming rules', () => {
    const rules = { ...naming, lowerCase: true, spaces: '-' as const }
    expect(utmPresets({ templates: [template], naming: rules }, {})).toMatchObject([
      { values: { utm_source: 'news-letter' } },
    ])
  })
})

describe('build', () => {
  test('fills in everything that the user typed, so that read returns it', async () => {
    const draft: Draft = {
      destination_url: 'https://example.com/page',
      domain: 'dom_2',
      back_half: 'spring',
      title: 'صيف & <b>',
      preview_title: 'Hello',
      preview_description: 'Two\nlines',
      preview_image: { id: 'F1', name: 'card.png' },
      conversation: 'C1',
      qr_code_enabled: false,
      qr_code_color: '#123456',
      utm_source: 'newsletter',
      utm_id: '7',
    }
    const state = { reply: { userId: 'U_ANA' }, showUtm: true, showPreview: true, filled: 1 }
    const { linkService, ...platform } = fakePlatform()
    const domains = [
      { name: 'dom_1', domain_name: 'go.example.com' },
      { name: 'dom_2', domain_name: 'two.example.com' },
    ]
    const connection = async () => ({ apiKey: 'key', source: 'connected' as const, domains })
    const recentUtm: RecentUtm = { read: async () => undefined, save: async () => undefined }
    const forms = createShortenForms(
      { ...platform, linkService: { ...linkService, connection } },
      recentUtm,
    )
    const view = submittedView(await forms.build(CALLER, { draft, state }))
    expect(forms.read(CALLER, view)).toEqual({
      draft,
      state: { ...state, image: draft.preview_image },
    })
    expect(() => forms.read(fakeCaller({ workspace: { id: 'T_TWO' } }), view)).toThrow()
  })
})
