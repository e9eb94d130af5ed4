import { expect, test } from 'vitest'
import type { StoredFile } from '../../../src/simulator/workspace/files.ts'
import { elementState } from '../../../src/simulator/people/input-state.ts'

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
  expect(elementState(element, { value: '' }, CONTEXT)).toEqual({
    type: 'url_text_input',
    value: null,
  })
})

test('drops an option that the element does not offer', () => {
  expect(elementState(SELECT, { selected_option: option('c') }, CONTEXT)).toEqual({
    type: 'static_select',
    selected_option: null,
  })
  const boxes = { ...SELECT, type: 'checkboxes' }
  const selected_options = [option('a'), option('c')]
  expect(elementState(boxes, { selected_options }, CONTEXT)).toEqual({
    type: 'checkboxes',
    selected_options: [option('a')],
  })
})

test('accepts a file only from the person who uploaded it', () => {
  const given = { files: [{ id: FILE.id }, { id: 'F9876543210' }] }
  const files = (viewerId: string): unknown =>
    elementState({ type: 'file_input' }, given, { ...CONTEXT, viewerId }).files
  expect(files('U1')).toMatchObject([
    {
      id: FILE.id,
      url_private_download:
        'http://localhost/playground/files-pri/T0PLAYGROUND-F0123456789/download/card.png',
    },
  ])
  expect(files('U2')).toEqual([])
})
