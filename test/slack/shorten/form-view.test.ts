import { expect, test } from 'vitest'
import type { FormValues } from '../../../src/slack/platform/form-values.ts'
import { parseShortenForm } from '../../../src/slack/shorten/form-view.ts'

const text = (value: string | null): FormValues[string] => ({
  input: { type: 'plain_text_input', value },
})
const option = (value: string): { text: { type: 'plain_text'; text: string }; value: string } => ({
  text: { type: 'plain_text', text: value },
  value,
})

test('parses a form into a draft, trims its texts and leaves out empty fields', () => {
  expect(
    parseShortenForm({
      destination_url: text(' https://example.com '),
      domain: { input: { type: 'static_select', selected_option: option('dom_1') } },
      back_half: text(null),
      title: text('  '),
      utm_source: text('newsletter'),
      preview_title: text('Hello'),
      qr_code_enabled: { input: { type: 'checkboxes', selected_options: [option('on')] } },
      qr_code_color: text('#123456'),
    }),
  ).toEqual({
    destination_url: 'https://example.com',
    domain: 'dom_1',
    utm_source: 'newsletter',
    preview_title: 'Hello',
    qr_code_enabled: true,
    qr_code_color: '#123456',
  })
})

test('keeps an image that was uploaded before if no other one is chosen', () => {
  const image = { id: 'F0KEPT', name: 'card.png' }
  expect(parseShortenForm({}, image)).toEqual({ qr_code_enabled: false, preview_image: image })
  expect(
    parseShortenForm({ preview_image: { input: { type: 'file_input', files: [] } } }, image),
  ).toEqual({ qr_code_enabled: false, preview_image: image })
})
