import { expect, test } from 'vitest'
import {
  checkMessageBlocks,
  checkView,
  type PictureChecks,
  type ViewType,
} from '../../../src/simulator/block-kit/check.ts'
import { SlackRefusal } from '../../../src/simulator/workspace/refusals.ts'

/** @returns what was accepted, or the refusal’s code and details */
function outcome(check: () => unknown): unknown {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error
    return { code: error.code, details: error.details }
  }
}
const checkedBlocks = (blocks: unknown, pictures?: PictureChecks): unknown =>
  outcome(() => checkMessageBlocks(blocks, pictures))
const checkedView = (view: object, type: ViewType = 'modal'): unknown =>
  outcome(() => checkView(view, type))

/* The smallest pieces of Block Kit that Slack accepts, for the tests to break. */

const text = (length: number): string => 'x'.repeat(length)
const plain = (length = 5): object => ({ type: 'plain_text', text: text(length) })
const mrkdwn = (length = 5): object => ({ type: 'mrkdwn', text: text(length) })
const option = (value: string, length = 5): object => ({ text: plain(length), value })
const options = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => option(`o${at}`))
const section = (more: object = {}): object => ({ type: 'section', text: mrkdwn(), ...more })
const actions = (...elements: object[]): object => ({ type: 'actions', elements })
const button = (length = 5, more: object = {}): object => ({
  type: 'button',
  text: plain(length),
  ...more,
})
const input = (element: object, more: object = {}): object => ({
  type: 'input',
  label: plain(),
  element,
  ...more,
})
const modal = (more: object = {}): object => ({
  type: 'modal',
  title: plain(),
  submit: plain(),
  blocks: [section()],
  ...more,
})
const form = (...elements: object[]): object =>
  modal({ blocks: elements.map((element) => input(element)) })

const divider = { type: 'divider' }
const many = (count: number, one: object): object[] => Array.from({ length: count }, () => one)
const select = (more: object): object => section({ accessory: { type: 'static_select', ...more } })
const overflow = (...options: object[]): object =>
  section({ accessory: { type: 'overflow', options } })
const image = (more: object): object => ({ type: 'image', alt_text: 'a', ...more })
const png = { image_url: 'https://example.com/a.png' }

const texts = (elements: object[]): object => ({ type: 'context', elements })
const OPTION = '/0/accessory/options/0'

test.each<[most: number, what: string, pointer: string, build: (count: number) => unknown]>([
  [3000, 'characters in a section', '/0/text/text', (n) => section({ text: mrkdwn(n) })],
  [10, 'fields', '/0/fields', (n) => ({ type: 'section', fields: many(n, mrkdwn(2000)) })],
  [150, 'characters in a header', '/0/text/text', (n) => ({ type: 'header', text: plain(n) })],
  [10, 'texts in a context', '/0/elements', (n) => texts(many(n, mrkdwn(2000)))],
  [25, 'buttons in a block', '/0/elements', (n) => actions(...many(n, button()))],
  [75, 'characters on a button', '/0/elements/0/text/text', (n) => actions(button(n))],
  [100, 'options of a select', '/0/accessory/options', (n) => select({ options: options(n) })],
  [5, 'options of an overflow menu', '/0/accessory/options', (n) => overflow(...options(n))],
  [75, 'characters in an option', `${OPTION}/text/text`, (n) => overflow(option('a', n))],
  [75, 'characters in its value', `${OPTION}/value`, (n) => overflow(option(text(n)))],
  [50, 'blocks', '', (n) => many(n, divider)],
])('accepts at most %i %s', (most, _what, pointer, build) => {
  const blocks = [build(most)].flat()
  expect(checkedBlocks(blocks)).toEqual(blocks)
  expect(checkedBlocks([build(most + 1)].flat())).toEqual(
    rejection('invalid_blocks', `@${pointer}`, '/blocks'),
  )
})

test('accepts an image, a button with all fields, menus without options, and preformatted text', () => {
  const elements = [{ type: 'text', text: 'typed' }]
  const blocks = [
    image({ slack_file: { id: 'F0123ABCDE' } }),
    actions(button(5, { action_id: 'a', value: text(2000), style: 'danger' })),
    actions(
      { type: 'conversations_select', initial_conversation: 'C1' },
      { type: 'datetimepicker', initial_date_time: 1_798_135_200 },
    ),
    { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] },
  ]
  expect(checkedBlocks(blocks)).toEqual(blocks)
})

test.each<[string, error: string, ...blocks: object[]]>([
  ['an unknown block', 'unsupported type @/0/type', { type: 'marquee' }],
  ['a block without a type', '@/0/type', {}],
  ['an unknown field', '@/0', { type: 'divider', shade: 'red' }],
  ['an empty section', 'must define either `text` or `fields` @/0', { type: 'section' }],
  ['empty text', '@/0/text/text', { type: 'section', text: mrkdwn(0) }],
  ['a text that is not an object', '@/0/text', { type: 'section', text: 'hello' }],
  ['mrkdwn in a header', '@/0/text/type', { type: 'header', text: mrkdwn() }],
  ['mrkdwn on a button', '@/0/elements/0/text/type', actions({ type: 'button', text: mrkdwn() })],
  ['an element that isn’t drawn', 'type @/0/elements/0/type', actions({ type: 'users_select' })],
  ['a field that the page does not draw', '@/0/elements/0', actions(button(5, { confirm: {} }))],
  ['an actions block without elements', '@/0/elements', actions()],
  ['an image without alt_text', '@/0/alt_text', { type: 'image', ...png }],
  ['an image without a source', 'must define either `image_url` or `slack_file` @/0', image({})],
  [
    'an image from a data URL',
    'must be a valid URL @/0/image_url',
    image({ image_url: 'data:image/png;base64,AA' }),
  ],
  [
    'an initial option that is not among the options',
    'initial option(s) must match one of the options @/0/accessory',
    select({ options: options(2), initial_option: option('o9') }),
  ],
  ['an input', 'unsupported type @/0/type', input({ type: 'plain_text_input' })],
  [
    'two blocks with the same id',
    '`block_id` already exists: "a" @/1',
    ...many(2, { type: 'divider', block_id: 'a' }),
  ],
  [
    'two elements with the same id in a block',
    '`action_id` already exists in the block: "a" @/0/elements/1',
    actions(...many(2, button(5, { action_id: 'a' }))),
  ],
  [
    'response_url_enabled outside of a modal',
    'response_url_enabled is only allowed in input blocks of modals @/0/elements/0',
    actions({ type: 'conversations_select', response_url_enabled: true }),
  ],
])('rejects %s', (_name, error, ...blocks) => {
  expect(checkedBlocks(blocks)).toEqual(rejection('invalid_blocks', error, '/blocks'))
})

/** @param expected the last words of the reason, if they are ours, and after `@` its JSON pointer below the root */
function rejection(error: string, expected: string, root: string): object {
  const [reason, pointer] = expected.split('@')
  const message: unknown = expect.stringContaining(
    `${reason?.trim()} [json-pointer:${root}${pointer}]`,
  )
  return { code: error, details: [message] }
}

test('accepts an action_id again in another block', () => {
  const blocks = many(2, actions(button(5, { action_id: 'a' })))
  expect(checkedBlocks(blocks)).toEqual(blocks)
})

test('rejects blocks that are not a list', () => {
  expect(checkedBlocks('[]')).toMatchObject({ code: 'invalid_blocks_format' })
})

test('rejects a slack_file that can’t be shown, and says where it is', () => {
  const blocks = [section(), image({ slack_file: { id: 'F0123ABCDE' } })]
  expect(checkedBlocks(blocks, { file: () => 'invalid slack file' })).toEqual(
    rejection('invalid_blocks', 'invalid slack file @/1/slack_file', '/blocks'),
  )
})

test('accepts a view with every input', () => {
  const view = form(
    { type: 'plain_text_input', placeholder: plain(150), initial_value: text(3000) },
    { type: 'url_text_input', placeholder: plain(150), initial_value: text(3000) },
    { type: 'file_input', filetypes: ['png', 'jpg'], max_files: 10 },
    { type: 'checkboxes', options: options(10), initial_options: options(2) },
    { type: 'radio_buttons', options: options(10) },
    { type: 'multi_static_select', options: options(100), initial_options: options(2) },
    { type: 'conversations_select', response_url_enabled: true },
  )
  expect(checkedView(view)).toEqual(view)
})

test.each<[most: number, what: string, pointer: string, build: (count: number) => object]>([
  [24, 'characters in the title', '/title/text', (n) => modal({ title: plain(n) })],
  [100, 'blocks', '/blocks', (n) => modal({ blocks: many(n, divider) })],
  [3000, 'metadata characters', '/private_metadata', (n) => modal({ private_metadata: text(n) })],
])('accepts at most %i %s', (most, _what, pointer, build) => {
  expect(checkedView(build(most))).toEqual(build(most))
  expect(checkedView(build(most + 1))).toEqual(
    rejection('invalid_arguments', `@${pointer}`, '/view'),
  )
})

const ELEMENT = '/blocks/0/element'
const focused = { type: 'plain_text_input', focus_on_load: true }

test.each<[string, error: string, view: object]>([
  ['no title', '@/title', { ...modal(), title: undefined }],
  [
    'inputs without a submit button',
    'missing required field: submit @',
    { ...form({ type: 'plain_text_input' }), submit: undefined },
  ],
  ['another surface', '@/type', { type: 'home', blocks: [] }],
  ['an unknown input', `unsupported type @${ELEMENT}/type`, form({ ...button() })],
  [
    'an empty initial value',
    `@${ELEMENT}/initial_value`,
    form({ type: 'url_text_input', initial_value: '' }),
  ],
  ['too large a max_files', `@${ELEMENT}/max_files`, form({ type: 'file_input', max_files: 11 })],
  [
    'two elements with focus_on_load',
    'only one element can have focus_on_load @/blocks/1/element',
    form(focused, focused),
  ],
])('rejects a view with %s', (_name, error, view) => {
  expect(checkedView(view)).toEqual(rejection('invalid_arguments', error, '/view'))
})

test('rejects a file input in the Home tab', () => {
  const home = { type: 'home', blocks: [input({ type: 'file_input' })] }
  expect(checkedView(home, 'home')).toEqual(
    rejection('invalid_arguments', 'unsupported type: file_input @/blocks/0/element/type', '/view'),
  )
})

test('rejects a view of more than 250 KB', () => {
  const blocks = many(90, { type: 'section', text: mrkdwn(3000) })
  expect(checkedView(modal({ blocks }))).toMatchObject({ code: 'view_too_large' })
})
