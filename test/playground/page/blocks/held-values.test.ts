import { expect, test } from 'vitest'
import { reconcile } from '../../../../src/playground/page/blocks/held-values.ts'
import type { SlackJson } from '../../../../src/simulator/protocol.ts'
import { toState, withState } from '../../../../src/simulator/shared/element-state.ts'

const option = (value: string): SlackJson => ({ text: { type: 'plain_text', text: value }, value })
const input = (block_id: string, element: SlackJson): SlackJson => ({
  type: 'input',
  block_id,
  element: { action_id: 'input', ...element },
})

test('starts every element with its initial value, or none', () => {
  const button = { type: 'button', action_id: 'go' }
  const select = { type: 'static_select', action_id: 'sort', initial_option: option('a') }
  const ticks = { type: 'checkboxes', action_id: 'ticks', options: [option('a')] }
  const blocks = [
    input('title', { type: 'plain_text_input', initial_value: 'Spring' }),
    input('link', { type: 'url_text_input' }),
    input('where', { type: 'conversations_select', initial_conversation: 'C1' }),
    input('image', { type: 'file_input' }),
    { type: 'actions', block_id: 'row', elements: [button, select] },
    { type: 'section', block_id: 'beside', accessory: ticks },
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

test('keeps a value if block_id, action_id and type are the same, and starts over otherwise', () => {
  const element = { action_id: 'input', type: 'plain_text_input', initial_value: 'new' }
  const typed = withState({}, 'title', element, toState(element, 'typed'))
  const emptied = withState(typed, 'title', element, toState(element, null))
  expect(reconcile([input('title', element)], typed)).toEqual(typed)
  expect(reconcile([input('title', element)], emptied)).toEqual(emptied)

  const again = { type: 'plain_text_input', value: 'new' }
  expect(reconcile([input('title-2', element)], typed)).toEqual({ 'title-2': { input: again } })
  expect(reconcile([input('title', { ...element, action_id: 'other' })], typed)).toEqual({
    title: { other: again },
  })
  expect(reconcile([input('title', { ...element, type: 'url_text_input' })], typed)).toEqual({
    title: { input: { type: 'url_text_input', value: 'new' } },
  })
})

test('drops a choice that is no longer offered, or whose text is another one', () => {
  const renamed = { ...option('a'), text: { type: 'plain_text', text: 'A new name' } }
  const initial_option = option('c')
  const menu = input('domain', {
    type: 'static_select',
    initial_option,
    options: [renamed, option('b'), initial_option],
  })
  const ticks = input('ticks', { type: 'checkboxes', options: [option('b')] })
  const holding = (value: string) => ({
    domain: { input: { type: 'static_select', selected_option: option(value) } },
    ticks: { input: { type: 'checkboxes', selected_options: [option('b')] } },
  })
  expect(reconcile([menu, ticks], holding('b'))).toEqual(holding('b'))
  for (const value of ['a', 'gone']) {
    expect(reconcile([menu, ticks], holding(value))).toEqual(holding('c'))
  }
})

test('keeps chosen files', () => {
  const card = input('card', { type: 'file_input' })
  const held = { card: { input: { type: 'file_input', files: [{ id: 'F0123456789' }] } } }
  expect(reconcile([card], held)).toEqual(held)
})
