import { expect, test } from 'vitest'
import { reconcile, withState } from '../../../../src/playground/page/blocks/held-values.ts'
import type { SlackJson } from '../../../../src/simulator/protocol.ts'
import { stateOf } from '../../../../src/simulator/shared/element-state.ts'

const option = (value: string): SlackJson => ({ text: { type: 'plain_text', text: value }, value })
const input = (block_id: string, element: SlackJson): SlackJson => ({
  type: 'input',
  block_id,
  element: { action_id: 'input', ...element },
})

test('starts every element with its initial value, or none', () => {
  const blocks = [
    input('title', { type: 'plain_text_input', initial_value: 'Spring' }),
    input('link', { type: 'url_text_input' }),
    input('where', { type: 'conversations_select', initial_conversation: 'C1' }),
    input('image', { type: 'file_input' }),
    {
      type: 'actions',
      block_id: 'row',
      elements: [
        { type: 'button', action_id: 'go' },
        { type: 'static_select', action_id: 'sort', initial_option: option('a') },
      ],
    },
    {
      type: 'section',
      block_id: 'beside',
      accessory: { type: 'checkboxes', action_id: 'ticks', options: [option('a')] },
    },
    { type: 'context', block_id: 'words', elements: [{ type: 'mrkdwn', text: 'x' }] },
  ]
  expect(reconcile(blocks, {})).toEqual({
    title: { input: { type: 'plain_text_input', value: 'Spring' } },
    link: { input: { type: 'url_text_input', value: null } },
    where: { input: { type: 'conversations_select', selected_conversation: 'C1' } },
    image: { input: { type: 'file_input', files: [] } },
    row: { sort: { type: 'static_select', selected_option: option('a') } },
    beside: { ticks: { type: 'checkboxes', selected_options: [] } },
  })
})

test('keeps a typed or cleared value if block_id and action_id are the same', () => {
  const element = { action_id: 'input', type: 'plain_text_input', initial_value: 'from the app' }
  const typed = withState({}, 'title', element, stateOf(element, 'typed'))
  const emptied = withState({}, 'title', element, stateOf(element, null))

  expect(reconcile([input('title', element)], typed)).toEqual(typed)
  expect(reconcile([input('title', element)], emptied)).toEqual(emptied)
})

test('starts over with another block_id, action_id or type', () => {
  const element = { action_id: 'input', type: 'plain_text_input', initial_value: 'new' }
  const held = { title: { input: { type: 'plain_text_input', value: 'typed' } } }

  expect(reconcile([input('title-2', element)], held)).toEqual({
    'title-2': { input: { type: 'plain_text_input', value: 'new' } },
  })
  expect(reconcile([input('title', { ...element, action_id: 'other' })], held)).toEqual({
    title: { other: { type: 'plain_text_input', value: 'new' } },
  })
  expect(reconcile([input('title', { ...element, type: 'url_text_input' })], held)).toEqual({
    title: { input: { type: 'url_text_input', value: 'new' } },
  })
})

test('drops a choice that is no longer offered', () => {
  const menu = (...values: string[]): SlackJson =>
    input('domain', {
      type: 'static_select',
      options: values.map(option),
      initial_option: option(values[0] ?? ''),
    })
  const held = { domain: { input: { type: 'static_select', selected_option: option('b') } } }

  expect(reconcile([menu('a', 'b')], held)).toEqual(held)
  expect(reconcile([menu('a', 'c')], held)).toEqual({
    domain: { input: { type: 'static_select', selected_option: option('a') } },
  })
})

test('treats a choice with a new text as another choice', () => {
  const renamed = { ...option('a'), text: { type: 'plain_text', text: 'A new name' } }
  const menu = input('domain', { type: 'static_select', options: [renamed, option('b')] })
  const ticks = input('ticks', { type: 'checkboxes', options: [renamed, option('b')] })
  const held = {
    domain: { input: { type: 'static_select', selected_option: option('a') } },
    ticks: { input: { type: 'checkboxes', selected_options: [option('b')] } },
  }
  expect(reconcile([menu, ticks], held)).toEqual({
    ...held,
    domain: { input: { type: 'static_select', selected_option: null } },
  })
})

test('keeps chosen files', () => {
  const card = input('card', { type: 'file_input' })
  const held = { card: { input: { type: 'file_input', files: [{ id: 'F0123456789' }] } } }
  expect(reconcile([card], held)).toEqual(held)
})
