import { expect, test } from 'vitest'
import { checkMessageBlocks, checkView } from '../../../src/simulator/block-kit/check.ts'
import {
  noFileError,
  text,
  plain,
  mrkdwn,
  option,
  options,
  section,
  actions,
  button,
  input,
  modal,
} from '../../support/block-kit.ts'

const divider = { type: 'divider' }
const many = (count: number, one: object): object[] => Array.from({ length: count }, () => one)
const select = (more: object): object => section({ type: 'static_select', ...more })
const image = (more: object): object => ({ type: 'image', alt_text: 'a', ...more })

test.each<[string, ...object[]]>([
  ['a section with the longest text', { type: 'section', text: mrkdwn(3000) }],
  ['ten fields', { type: 'section', fields: many(10, mrkdwn(2000)) }],
  ['the longest header', { type: 'header', text: plain(150) }],
  ['the longest context', { type: 'context', elements: many(10, mrkdwn(2000)) }],
  ['an image', image({ slack_file: { id: 'F0123ABCDE' } })],
  ['25 buttons', actions(...many(25, button()))],
  [
    'a button with all fields',
    actions(button({ action_id: 'a', value: text(2000), style: 'danger' })),
  ],
  ['an overflow menu with five options', section({ type: 'overflow', options: options(5) })],
  ['a select with 100 options', select({ options: options(100) })],
  [
    'menus without options',
    actions(
      { type: 'conversations_select', initial_conversation: 'C1' },
      { type: 'datetimepicker', initial_date_time: 1_798_135_200 },
    ),
  ],
  [
    'preformatted text',
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'typed' }] }],
    },
  ],
  ['50 blocks', ...many(50, divider)],
])('accepts %s', (_name, ...blocks) => {
  expect(checkMessageBlocks(blocks, noFileError)).toEqual({ ok: true, value: blocks })
})

test.each<[string, error: string, ...blocks: object[]]>([
  ['an unknown block', 'unsupported type @/0/type', { type: 'marquee' }],
  ['a block without a type', '@/0/type', {}],
  ['an unknown field', '@/0', { type: 'divider', shade: 'red' }],
  ['an empty section', 'must define either `text` or `fields` @/0', { type: 'section' }],
  ['empty text', '@/0/text/text', { type: 'section', text: mrkdwn(0) }],
  ['too long a text', '@/0/text/text', { type: 'section', text: mrkdwn(3001) }],
  ['a text that is not an object', '@/0/text', { type: 'section', text: 'hello' }],
  ['eleven fields', '@/0/fields', { type: 'section', fields: many(11, mrkdwn()) }],
  ['mrkdwn in a header', '@/0/text/type', { type: 'header', text: mrkdwn() }],
  ['mrkdwn on a button', '@/0/elements/0/text/type', actions({ type: 'button', text: mrkdwn() })],
  [
    'a button with too long a text',
    '@/0/elements/0/text/text',
    actions(button({ text: plain(76) })),
  ],
  [
    'an element that the page does not draw',
    'unsupported type @/0/elements/0/type',
    actions({ type: 'users_select' }),
  ],
  ['a field that the page does not draw', '@/0/elements/0', actions(button({ confirm: {} }))],
  ['an actions block without elements', '@/0/elements', actions()],
  ['26 buttons', '@/0/elements', actions(...many(26, button()))],
  [
    'an image without alt_text',
    '@/0/alt_text',
    { type: 'image', image_url: 'https://example.com/a.png' },
  ],
  ['an image without a source', 'must define either `image_url` or `slack_file` @/0', image({})],
  [
    'an image from a data URL',
    'must be a valid URL @/0/image_url',
    image({ image_url: 'data:image/png;base64,AA' }),
  ],
  ['101 options', '@/0/accessory/options', select({ options: options(101) })],
  [
    'too long an option',
    '@/0/accessory/options/0/text/text',
    select({ options: [option('o', 76)] }),
  ],
  [
    'too long an option value',
    '@/0/accessory/options/0/value',
    section({ type: 'overflow', options: [option(text(76))] }),
  ],
  [
    'an initial option that is not among the options',
    'initial option(s) must match one of the options @/0/accessory',
    select({ options: options(2), initial_option: option('o9') }),
  ],
  [
    'an overflow menu with six options',
    '@/0/accessory/options',
    section({ type: 'overflow', options: options(6) }),
  ],
  ['an input', 'unsupported type @/0/type', input({ type: 'plain_text_input' })],
  ['51 blocks', '@', ...many(51, divider)],
  [
    'two blocks with the same id',
    '`block_id` already exists: "a" @/1',
    ...many(2, { type: 'divider', block_id: 'a' }),
  ],
  [
    'two elements with the same id in a block',
    '`action_id` already exists in the block: "a" @/0/elements/1',
    actions(...many(2, button({ action_id: 'a' }))),
  ],
  [
    'response_url_enabled outside of a modal',
    'response_url_enabled is only allowed in input blocks of modals @/0/elements/0',
    actions({ type: 'conversations_select', response_url_enabled: true }),
  ],
])('rejects %s', (_name, error, ...blocks) => {
  expect(checkMessageBlocks(blocks, noFileError)).toEqual(
    rejection('invalid_blocks', error, '/blocks'),
  )
})

/** @param expected the last words of the reason, if they are ours, and after `@` its JSON pointer below the root */
function rejection(error: string, expected: string, root: string): object {
  const [reason, pointer] = expected.split('@')
  const message: unknown = expect.stringContaining(
    `${reason?.trim()} [json-pointer:${root}${pointer}]`,
  )
  return { ok: false, error, messages: [message] }
}

test('accepts an action_id again in another block', () => {
  const blocks = many(2, actions(button({ action_id: 'a' })))
  expect(checkMessageBlocks(blocks, noFileError)).toMatchObject({ ok: true })
})

test('rejects blocks that are not a list', () => {
  expect(checkMessageBlocks('[]', noFileError)).toMatchObject({ error: 'invalid_blocks_format' })
})

test('rejects a slack_file that can’t be shown, and says where it is', () => {
  const blocks = [section(), image({ slack_file: { id: 'F0123ABCDE' } })]
  expect(checkMessageBlocks(blocks, () => 'invalid slack file')).toEqual(
    rejection('invalid_blocks', 'invalid slack file @/1/slack_file', '/blocks'),
  )
})

test.each<[string, object]>([
  [
    'every input',
    modal({
      blocks: [
        input({ type: 'plain_text_input', placeholder: plain(150), initial_value: text(3000) }),
        input({ type: 'url_text_input', placeholder: plain(150), initial_value: text(3000) }),
        input({ type: 'file_input', filetypes: ['png', 'jpg'], max_files: 10 }),
        input({ type: 'checkboxes', options: options(10), initial_options: options(2) }),
        input({ type: 'radio_buttons', options: options(10) }),
        input({ type: 'multi_static_select', options: options(100), initial_options: options(2) }),
        input({ type: 'conversations_select', response_url_enabled: true }),
      ],
    }),
  ],
  ['100 blocks', modal({ blocks: many(100, divider) })],
  ['the longest private_metadata', modal({ private_metadata: text(3000) })],
])('accepts a view with %s', (_name, view) => {
  expect(checkView(view, 'modal', noFileError)).toEqual({ ok: true, value: view })
})

test.each<[string, error: string, view: object]>([
  ['no title', '@/title', { ...modal(), title: undefined }],
  ['too long a title', '@/title/text', modal({ title: plain(25) })],
  [
    'inputs without a submit button',
    'missing required field: submit @',
    { ...modal({ blocks: [input({ type: 'plain_text_input' })] }), submit: undefined },
  ],
  ['101 blocks', '@/blocks', modal({ blocks: many(101, divider) })],
  ['too long a private_metadata', '@/private_metadata', modal({ private_metadata: text(3001) })],
  ['another surface', '@/type', { type: 'home', blocks: [] }],
  [
    'an unknown input',
    'unsupported type @/blocks/0/element/type',
    modal({ blocks: [input({ type: 'button', text: plain() })] }),
  ],
  [
    'an empty initial value',
    '@/blocks/0/element/initial_value',
    modal({ blocks: [input({ type: 'url_text_input', initial_value: '' })] }),
  ],
  [
    'too large a max_files',
    '@/blocks/0/element/max_files',
    modal({ blocks: [input({ type: 'file_input', max_files: 11 })] }),
  ],
  [
    'two elements with focus_on_load',
    'only one element may have focus_on_load @/blocks/1/element',
    modal({ blocks: many(2, input({ type: 'plain_text_input', focus_on_load: true })) }),
  ],
])('rejects a view with %s', (_name, error, view) => {
  expect(checkView(view, 'modal', noFileError)).toEqual(
    rejection('invalid_arguments', error, '/view'),
  )
})

test('rejects a file input in the Home tab', () => {
  const home = { type: 'home', blocks: [input({ type: 'file_input' })] }
  expect(checkView(home, 'home', noFileError)).toEqual(
    rejection('invalid_arguments', 'unsupported type: file_input @/blocks/0/element/type', '/view'),
  )
})

test('rejects a view of more than 250 KB', () => {
  const blocks = many(90, { type: 'section', text: mrkdwn(3000) })
  expect(checkView(modal({ blocks }), 'modal', noFileError)).toMatchObject({
    error: 'view_too_large',
  })
})
