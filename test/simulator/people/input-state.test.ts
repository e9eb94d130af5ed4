import { expect, test } from 'vitest'
import type { StoredFile } from '../../../src/simulator/workspace/files.ts'
import { elementState, inputErrors } from '../../../src/simulator/people/input-state.ts'

const FILE: StoredFile = {
  id: 'F0123456789',
  name: 'card.png',
  title: 'card.png',
  mimetype: 'image/png',
  filetype: 'png',
  size: 5,
  created: 0,
  user: 'U1',
  complete: true,
}

const files = { get: (id: string) => (id === FILE.id ? FILE : undefined) }
const CONTEXT = { viewerId: 'U1', files, baseUrl: () => 'http://localhost/playground' }

const option = (value: string): object => ({ text: { type: 'plain_text', text: value }, value })
const SELECT = { type: 'static_select', options: [option('a'), option('b')] }

test('a cleared element has no value, whatever its initial one', () => {
  const element = { type: 'url_text_input', initial_value: 'https://example.com' }
  const state = elementState(element, { value: '' }, CONTEXT)
  expect(state).toEqual({ type: 'url_text_input', value: null })
})

test('drops an option that the element does not offer', () => {
  const select = elementState(SELECT, { selected_option: option('c') }, CONTEXT)
  expect(select).toEqual({ type: 'static_select', selected_option: null })
  const given = { selected_options: [option('a'), option('c')] }
  const boxes = elementState({ ...SELECT, type: 'checkboxes' }, given, CONTEXT)
  expect(boxes).toEqual({ type: 'checkboxes', selected_options: [option('a')] })
})

test('accepts a file only from the person who uploaded it', () => {
  const given = { files: [{ id: FILE.id }, { id: 'F9876543210' }] }
  const files = (viewerId: string): unknown =>
    elementState({ type: 'file_input' }, given, { ...CONTEXT, viewerId }).files
  const url_private_download =
    'http://localhost/playground/files-pri/T0PLAYGROUND-F0123456789/download/card.png'
  expect(files('U1')).toMatchObject([{ id: FILE.id, url_private_download }])
  expect(files('U2')).toEqual([])
})

function errorOf(given: object, state: object, optional = false): string | undefined {
  const element = { action_id: 'a', ...given }
  const block = { type: 'input', block_id: 'b', optional, element }
  return inputErrors([block], { b: { a: { ...state } } }).b
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

test('requires a valid URL', () => {
  const error = (value: string) => errorOf({ type: 'url_text_input' }, { value })
  expect(error('https://example.com/a?b#c')).toBeUndefined()
  expect(error('https://')).toBe('Enter a valid URL, such as https://example.com.')
})

test('ignores blocks that are not inputs', () => {
  const select = { type: 'static_select', action_id: 'a' }
  expect(inputErrors([{ type: 'section', block_id: 'b', accessory: select }], {})).toEqual({})
})
