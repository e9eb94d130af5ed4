import { expect, test } from 'vitest'
import { inputErrors } from '../../../src/simulator/people/input-state.ts'

function errorOf(element: object, state: object, optional = false): string | undefined {
  const blocks = [
    { type: 'input', block_id: 'b', optional, element: { action_id: 'a', ...element } },
  ]
  return inputErrors(blocks, { b: { a: { ...state } } }).b
}

const REQUIRED = 'Please complete this required field.'

test.each<[object, object]>([
  [{ type: 'plain_text_input' }, { type: 'plain_text_input', value: null }],
  [{ type: 'static_select' }, { type: 'static_select', selected_option: null }],
  [{ type: 'checkboxes' }, { type: 'checkboxes', selected_options: [] }],
  [{ type: 'file_input' }, { type: 'file_input', files: [] }],
])('requires a value for %o, unless it is optional', (element, state) => {
  expect(errorOf(element, state)).toBe(REQUIRED)
  expect(errorOf(element, state, true)).toBeUndefined()
})

test.each<[type: string, value: string, error: string | undefined]>([
  ['url_text_input', 'https://example.com/a?b#c', undefined],
  ['url_text_input', 'example.com', 'Enter a valid URL, such as https://example.com.'],
  ['url_text_input', 'https://', 'Enter a valid URL, such as https://example.com.'],
])('checks a %s with the value %s', (type, value, expected) => {
  expect(errorOf({ type }, { type, value }, true)).toBe(expected)
})

test('ignores blocks that are not inputs', () => {
  const select = { type: 'static_select', action_id: 'a' }
  expect(inputErrors([{ type: 'section', block_id: 'b', accessory: select }], {})).toEqual({})
})
