import { expect, test } from 'vitest'
import { inputFaults } from '../../../src/playground/person/input-faults.ts'

function fault(element: object, state: object, optional = false): string | undefined {
  const blocks = [
    { type: 'input', block_id: 'b', optional, element: { action_id: 'a', ...element } },
  ]
  return inputFaults(blocks, { b: { a: { ...state } } }).b
}

const REQUIRED = 'Please complete this required field.'

test.each<[object, object]>([
  [{ type: 'plain_text_input' }, { type: 'plain_text_input', value: null }],
  [{ type: 'static_select' }, { type: 'static_select', selected_option: null }],
  [{ type: 'checkboxes' }, { type: 'checkboxes', selected_options: [] }],
  [{ type: 'file_input' }, { type: 'file_input', files: [] }],
])('%o needs something, unless it is optional', (element, state) => {
  expect(fault(element, state)).toBe(REQUIRED)
  expect(fault(element, state, true)).toBeUndefined()
})

test.each<[type: string, value: string, fault: string | undefined]>([
  ['url_text_input', 'https://example.com/a?b#c', undefined],
  ['url_text_input', 'example.com', 'Enter a valid URL, such as https://example.com.'],
  ['url_text_input', 'https://', 'Enter a valid URL, such as https://example.com.'],
  ['email_text_input', 'ana@example.com', undefined],
  ['email_text_input', 'ana@example', 'Enter a valid email address.'],
  ['email_text_input', 'ana example.com', 'Enter a valid email address.'],
])('%s with %s', (type, value, expected) => {
  expect(fault({ type }, { type, value }, true)).toBe(expected)
})

test.each<[value: string, fault: string | undefined]>([
  ['0', undefined],
  ['10', undefined],
  ['-1', 'Enter a number of at least 0.'],
  ['11', 'Enter a number of at most 10.'],
  ['1.5', 'Enter a valid number.'],
  ['ten', 'Enter a valid number.'],
])('a whole number from 0 to 10 with %s', (value, expected) => {
  const element = {
    type: 'number_input',
    is_decimal_allowed: false,
    min_value: '0',
    max_value: '10',
  }
  expect(fault(element, { type: 'number_input', value })).toBe(expected)
})

test('no more is chosen than the element takes', () => {
  const ids = { type: 'multi_users_select', selected_users: ['U1', 'U2', 'U3'] }
  const tooMany = fault({ type: 'multi_users_select', max_selected_items: 2 }, ids)
  expect(tooMany).toBe('Choose at most 2.')
  expect(fault({ type: 'multi_users_select', max_selected_items: 3 }, ids)).toBeUndefined()
})

test('blocks that are no inputs have no faults', () => {
  const select = { type: 'static_select', action_id: 'a' }
  expect(inputFaults([{ type: 'section', block_id: 'b', accessory: select }], {})).toEqual({})
})
