import { expect, test } from 'vitest'
import {
  isChecked,
  selectedOption,
  textOf,
  valuesByField,
  type FormValues,
} from '../../../src/slack/platform/form-values.ts'

const option = (value: string): { text: { type: 'plain_text'; text: string }; value: string } => ({
  text: { type: 'plain_text', text: value },
  value,
})

const values: FormValues = {
  title: { input: { type: 'plain_text_input', value: '  Spring sale ' } },
  back_half: { input: { type: 'plain_text_input', value: null } },
  domain: { input: { type: 'static_select', selected_option: option('dom_1') } },
  qr_code_enabled: { input: { type: 'checkboxes', selected_options: [option('on')] } },
  lower_case: { input: { type: 'checkboxes', selected_options: [] } },
}

test('trims the text of an input, and reads an empty or missing input as an empty text', () => {
  expect(textOf(values, 'title')).toBe('Spring sale')
  expect(textOf(values, 'back_half')).toBe('')
  expect(textOf(values, 'no_such_input')).toBe('')
})

test('reads checkboxes and selected options', () => {
  expect(isChecked(values, 'qr_code_enabled')).toBe(true)
  expect(isChecked(values, 'lower_case')).toBe(false)
  expect(isChecked(values, 'no_such_input')).toBe(false)
  expect(selectedOption(values, 'domain')).toBe('dom_1')
  expect(selectedOption(values, 'title')).toBeUndefined()
})

test('finds values by field, whatever block_ids the fields have', () => {
  const utm = { input: { type: 'plain_text_input', value: 'newsletter' } }
  expect(valuesByField({ 'utm_source~3': utm, domains_2: utm })).toEqual({
    utm_source: utm,
    domains_2: utm,
  })
})
