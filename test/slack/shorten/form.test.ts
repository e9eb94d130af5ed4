import type { KnownBlock, ModalView } from '@slack/types'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../../src/slack/shorten/draft.ts'
import {
  createShortenForms,
  emptyForm,
  formState,
  utmPresets,
  type FormState,
  type ShortenForm,
  type ShortenForms,
} from '../../../src/slack/shorten/form.ts'
import { createSealedMetadata } from '../../../src/slack/platform/sealed-metadata.ts'
import {
  DEFAULT_SETTINGS,
  type RecentUtm,
  type Settings,
} from '../../../src/workspaces/settings.ts'
import { templateKey, type UtmValues } from '../../../src/workspaces/utm.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'
import { submittedView } from '../../support/submitted-view.ts'

const CALLER = fakeCaller()
const REPLY = { userId: 'U_ANA', responseUrl: 'https://hooks.slack.com/commands/T1/2/secret' }
const NEWSLETTER = {
  name: 'Newsletter',
  values: { utm_source: 'newsletter', utm_campaign: 'Spring Sale' },
}

function formsWith(settings: Partial<Settings> = {}, recent?: UtmValues): ShortenForms {
  const recentUtm: RecentUtm = { read: async () => recent, save: async () => undefined }
  const { linkService, ...platform } = fakePlatform({}, settings)
  const domains = [
    { name: 'dom_1', domain_name: 'go.example.com' },
    { name: 'dom_2', domain_name: 'two.example.com' },
  ]
  const connection = async () => ({ apiKey: 'key', source: 'connected' as const, domains })
  return createShortenForms({ ...platform, linkService: { ...linkService, connection } }, recentUtm)
}

const formOf = (draft: Draft, state: Partial<FormState> = {}): ShortenForm => ({
  draft,
  state: { ...emptyForm(REPLY).state, ...state },
})
const blockIds = ({ blocks }: ModalView): unknown[] =>
  (blocks as KnownBlock[]).flatMap(({ block_id: id }) => id ?? [])

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

  test('is empty if there are no templates and the user has used no values', () => {
    expect(utmPresets({ templates: [], naming }, {})).toEqual([])
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
    const forms = formsWith()
    const view = submittedView(await forms.build(CALLER, { draft, state }))
    expect(forms.read(CALLER, view)).toEqual({
      draft,
      state: { ...state, image: draft.preview_image },
    })
    expect(() => forms.read(fakeCaller({ workspace: { id: 'T_TWO' } }), view)).toThrow()
  })

  test('shows each message once, and values that are not allowed', async () => {
    const naming = { ...DEFAULT_SETTINGS.naming, sources: ['poster'], mediums: ['Email'] }
    const forms = formsWith({ naming: { ...naming, lowerCase: true } })
    const message = 'UTM source: “tv” isn’t one of this workspace’s sources. Use “poster”.'
    const form = formOf({ qr_code_enabled: true, utm_source: 'TV', utm_medium: 'EMAIL' })
    const view = await forms.build(CALLER, form, ['Not <that>.', message])
    expect(view.blocks.slice(0, 3)).toMatchObject([
      { type: 'section', text: { text: ':warning: Not &lt;that&gt;.' } },
      { type: 'section', text: { text: `:warning: ${message}` } },
      { block_id: 'destination_url' },
    ])
    // A value on the list is selected as the list spells it. The other is not in the menu.
    const { draft } = forms.read(CALLER, submittedView(view))
    expect(draft).toEqual({ domain: 'dom_1', qr_code_enabled: true, utm_medium: 'email' })
  })
})

describe('fillUtm', () => {
  const settings = { templates: [NEWSLETTER] }
  const form = formOf({ qr_code_enabled: true, title: 'Kept', utm_source: 'mine', utm_id: '7' })

  test('writes a preset’s values into inputs with new block_ids', async () => {
    const forms = formsWith({
      ...settings,
      naming: { ...DEFAULT_SETTINGS.naming, lowerCase: true, spaces: '-' },
    })
    const filled = await forms.fillUtm(CALLER, form, templateKey('Newsletter'))
    expect(filled).toEqual({
      draft: { ...form.draft, utm_source: 'newsletter', utm_campaign: 'spring-sale' },
      state: { ...form.state, filled: 1 },
    })
    const again = await forms.fillUtm(CALLER, filled, templateKey('Newsletter'))
    const view = await forms.build(CALLER, again)
    expect(blockIds(view)).toEqual(
      expect.arrayContaining(['fill_in_utm~2', 'utm_source~2', 'utm_id~2']),
    )
    expect(forms.read(CALLER, submittedView(view)).draft).toMatchObject(again.draft)
  })
})

describe('applyNaming', () => {
  const forms = formsWith({
    naming: { ...DEFAULT_SETTINGS.naming, lowerCase: true, spaces: '-' },
  })

  test('rewrites UTM values and says what it changed', async () => {
    const form = formOf({
      title: 'Spring Sale',
      utm_source: 'News',
      utm_medium: 'email',
      utm_campaign: `Spring ${'x'.repeat(100)}`,
    })
    expect(await forms.applyNaming(CALLER, form)).toEqual({
      form: {
        draft: { ...form.draft, utm_source: 'news', utm_campaign: `spring-${'x'.repeat(100)}` },
        state: { ...form.state, filled: 1 },
      },
      notice: `This workspace’s naming rules changed what you typed. UTM source: News → news; UTM campaign: Spring ${'x'.repeat(72)}… → spring-${'x'.repeat(72)}…. Press Create to continue.`,
    })
  })
})
