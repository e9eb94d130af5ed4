import { expect, test } from 'vitest'
import { settleDraft } from '../../../src/slack/input/settled-draft.ts'
import { SlackInputError } from '../../../src/slack/input/slack-input-error.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src/workspaces/settings.ts'

const settings: Settings = {
  ...DEFAULT_SETTINGS,
  qr: { enabled: false, color: '#1F4F46' },
  templates: [
    {
      name: 'The Newsletter',
      values: { utm_source: 'newsletter', utm_medium: 'email', utm_term: '' },
    },
  ],
}

test('what nobody said is as the workspace has it', () => {
  expect(settleDraft({}, settings)).toEqual({ qr_code_enabled: false, qr_code_color: '#1F4F46' })
  expect(settleDraft({}, DEFAULT_SETTINGS)).toEqual({ qr_code_enabled: true })
})

test('what was said wins, and a colour asks for a QR code', () => {
  expect(settleDraft({ qr_code_color: '#102030' }, settings)).toEqual({
    qr_code_enabled: true,
    qr_code_color: '#102030',
  })
  expect(settleDraft({ qr_code_enabled: false, qr_code_color: '#102030' }, settings)).toEqual({
    qr_code_enabled: false,
    qr_code_color: '#102030',
  })
})

test('a template fills in what was not typed, whatever the case and the spaces of its name', () => {
  const draft = { template: ' the  NEWSLETTER', utm_medium: 'post', qr_code_enabled: true }
  expect(settleDraft(draft, { ...settings, qr: { enabled: true } })).toEqual({
    utm_source: 'newsletter',
    utm_medium: 'post',
    qr_code_enabled: true,
  })
})

test('of a template that isn’t there it is said which there are', () => {
  expect(() => settleDraft({ template: 'Flyer' }, settings)).toThrow(
    new SlackInputError([
      {
        field: 'template',
        message: 'There is no template “Flyer”. Use “The Newsletter”.',
      },
    ]),
  )
  expect(() => settleDraft({ template: 'Flyer' }, DEFAULT_SETTINGS)).toThrow('has none yet')
})
