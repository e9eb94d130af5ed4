import { expect, test } from 'vitest'
import { parseShortenForm, type FormValues } from '../../../src/slack/input/form-values.ts'

const text = (value: string | null): FormValues[string] => ({
  input: { type: 'plain_text_input', value },
})
const option = (value: string): { text: { type: 'plain_text'; text: string }; value: string } => ({
  text: { type: 'plain_text', text: value },
  value,
})

test('a filled form becomes a draft; empty fields are left out, text is trimmed', () => {
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

test('an image that was uploaded before stays, unless another one was chosen', () => {
  const kept = { id: 'F0KEPT', name: 'card.png' }
  expect(parseShortenForm({}, kept)).toEqual({ qr_code_enabled: false, preview_image: kept })
  expect(
    parseShortenForm({ preview_image: { input: { type: 'file_input', files: [] } } }, kept),
  ).toEqual({ qr_code_enabled: false, preview_image: kept })
})
