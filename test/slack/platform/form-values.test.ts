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
  typedText,
  valuesByField,
  type FormValues,
} from '../../../src/slack/platform/form-values.ts'
import { submittedView } from '../../support/submitted-view.ts'

const option = (value: string, text = value) => ({ ...newOption(text, value), value })

test('trims the text of an input, and reads an empty or missing input as an empty text', () => {
  const values: FormValues = {
    title: { input: { type: 'plain_text_input', value: '  Spring sale ' } },
    back_half: { input: { type: 'plain_text_input', value: null } },
  }
  expect(typedText(values, 'title')).toBe('Spring sale')
  expect(typedText(values, 'back_half')).toBe('')
  expect(typedText(values, 'no_such_input')).toBe('')
})

test('finds values by field, however many times the app has filled in the form', () => {
  const utm = { input: { type: 'plain_text_input', value: 'newsletter' } }
  expect(valuesByField({ 'utm_source~12': utm, domains_2: utm })).toEqual({
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
  const again = formAgain(view, ['No <way>.'], 'person')
  const [warning, ...rest] = again.blocks
  expect(warning).toMatchObject(section(':warning: No &lt;way&gt;.'))
  expect({ ...again, blocks: rest }).toEqual(form('', '', 'b', []))
})
