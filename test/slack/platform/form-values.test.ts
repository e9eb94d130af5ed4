import type { ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { option as newOption, section } from '../../../src/slack/block-kit/elements.ts'
import {
  checkbox,
  choiceInput,
  choicesInput,
  formModal,
  textInput,
} from '../../../src/slack/block-kit/inputs.ts'
import {
  formAgain,
  isChecked,
  selectedOption,
  textOf,
  valuesByField,
  type FormValues,
} from '../../../src/slack/platform/form-values.ts'
import { submittedView } from '../../support/submitted-view.ts'

const option = (value: string, text = value) => ({ ...newOption(text, value), value })

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

test('shows a form again with what was typed and the newest warnings, but without a secret', () => {
  const form = (typed: string, person: string, choice: string, notice: string[]): ModalView =>
    formModal({
      callbackId: 'x',
      title: 'A form',
      metadata: 'key',
      notice,
      blocks: [
        section('What this is about'),
        textInput('title', typed, { optional: false, hint: 'A hint.' }),
        textInput('person', person),
        checkbox('lower_case', 'Lower case', typed === ''),
        choiceInput('domain', [option('a'), option('b')], choice),
        choicesInput('domains', [option('a'), option('b')], [choice]),
      ],
    })
  const view = submittedView(form('before', '', 'a', ['An earlier error.']), {
    title: { value: '' },
    person: { value: 'secret' },
    lower_case: { selected_options: [option('on', 'Lower case')] },
    domain: { selected_option: option('b') },
    domains: { selected_options: [option('b')] },
  })
  expect(formAgain(view, ['No <way>.'], 'person')).toEqual(form('', '', 'b', ['No <way>.']))
})
