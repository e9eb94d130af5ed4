import { expect, test } from 'vitest'
import { checkMessageBlocks } from '../../../src/playground/block-kit/check.ts'
import {
  shown,
  text,
  plain,
  mrkdwn,
  option,
  options,
  section,
  actions,
  button,
  input,
} from '../../support/block-kit.ts'

function messagesOf(verdict: ReturnType<typeof checkMessageBlocks>): unknown {
  return verdict.ok ? 'taken' : verdict.messages
}

/** A menu that fits each type which has no options of its own. */
const OTHER_MENUS = [
  { type: 'conversations_select', filter: { include: ['public'] } },
  { type: 'multi_conversations_select', max_selected_items: 2 },
  { type: 'channels_select' },
  { type: 'users_select', initial_user: 'U1' },
  { type: 'multi_users_select' },
  { type: 'datepicker', initial_date: '2026-11-21' },
  { type: 'timepicker', initial_time: '08:30' },
]

test.each<[string, object[]]>([
  ['a section with text at its limit', [{ type: 'section', text: mrkdwn(3000) }]],
  ['ten fields', [{ type: 'section', fields: Array(10).fill(mrkdwn(2000)) }]],
  ['a header at its limit', [{ type: 'header', text: plain(150) }]],
  [
    'a context of text and picture',
    [
      {
        type: 'context',
        elements: [mrkdwn(), { type: 'image', image_url: 'https://e.com/a.png', alt_text: 'a' }],
      },
    ],
  ],
  [
    'a picture with a title',
    [{ type: 'image', slack_file: { id: 'F0123ABCDE' }, alt_text: 'a', title: plain() }],
  ],
  ['25 buttons', [actions(...Array.from({ length: 25 }, () => button()))]],
  [
    'a button with everything',
    [
      actions(
        button({
          action_id: 'a',
          value: text(2000),
          url: 'https://example.com',
          style: 'danger',
          confirm: { title: plain(100), text: mrkdwn(300), confirm: plain(30), deny: plain(30) },
        }),
      ),
    ],
  ],
  ['an overflow menu of five', [section({ type: 'overflow', options: options(5) })]],
  ['a select of 100', [section({ type: 'static_select', options: options(100) })]],
  ['every other menu', [actions(...OTHER_MENUS)]],
  [
    'rich text',
    [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'see ', style: { bold: true } },
              { type: 'link', url: 'https://example.com' },
            ],
          },
        ],
      },
    ],
  ],
  ['50 blocks', Array.from({ length: 50 }, () => ({ type: 'divider' }))],
])('%s is taken', (_name, blocks) => {
  expect(messagesOf(checkMessageBlocks(blocks, shown))).toBe('taken')
})

test.each<[string, object[], string[]]>([
  [
    'an unknown block',
    [{ type: 'marquee' }],
    ['unsupported type: marquee [json-pointer:/blocks/0/type]'],
  ],
  ['a block without a type', [{}], ['missing required field: type [json-pointer:/blocks/0]']],
  [
    'a field that Slack does not know',
    [{ type: 'divider', colour: 'red' }],
    ['invalid additional property: colour [json-pointer:/blocks/0]'],
  ],
  [
    'a section without anything',
    [{ type: 'section' }],
    ['must define either `text` or `fields` [json-pointer:/blocks/0]'],
  ],
  [
    'empty text',
    [{ type: 'section', text: mrkdwn(0) }],
    ['must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
  ],
  [
    'text that is too long',
    [{ type: 'section', text: mrkdwn(3001) }],
    ['must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
  ],
  [
    'a text that is no object',
    [{ type: 'section', text: 'hello' }],
    ['must provide an object [json-pointer:/blocks/0/text]'],
  ],
  [
    'eleven fields',
    [{ type: 'section', fields: Array(11).fill(mrkdwn()) }],
    ['no more than 10 items allowed [json-pointer:/blocks/0/fields]'],
  ],
  [
    'mrkdwn in a header',
    [{ type: 'header', text: mrkdwn() }],
    ['must be a valid enum value [json-pointer:/blocks/0/text/type]'],
  ],
  [
    'mrkdwn on a button',
    [actions({ type: 'button', text: mrkdwn() })],
    ['must be a valid enum value [json-pointer:/blocks/0/elements/0/text/type]'],
  ],
  [
    'a long button',
    [actions(button({ text: plain(76) }))],
    ['must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]'],
  ],
  [
    'a button that leads to a script',
    [actions(button({ url: 'javascript:alert(1)' }))],
    ['must be a valid URL [json-pointer:/blocks/0/elements/0/url]'],
  ],
  ['no buttons', [actions()], ['no fewer than 1 items allowed [json-pointer:/blocks/0/elements]']],
  [
    '26 buttons',
    [actions(...Array.from({ length: 26 }, () => button()))],
    ['no more than 25 items allowed [json-pointer:/blocks/0/elements]'],
  ],
  [
    'a picture without alt_text',
    [{ type: 'image', image_url: 'https://example.com/a.png' }],
    ['missing required field: alt_text [json-pointer:/blocks/0]'],
  ],
  [
    'a picture from nowhere',
    [{ type: 'image', alt_text: 'a' }],
    ['must define either `image_url` or `slack_file` [json-pointer:/blocks/0]'],
  ],
  [
    'a picture that only this machine reaches',
    [{ type: 'image', alt_text: 'a', image_url: 'http://127.0.0.1:3000/qr/x.png' }],
    ['downloading image failed [json-pointer:/blocks/0/image_url]'],
  ],
  [
    'a picture from a data URL',
    [{ type: 'image', alt_text: 'a', image_url: 'data:image/png;base64,AA' }],
    ['must be a valid URL [json-pointer:/blocks/0/image_url]'],
  ],
  [
    '101 options',
    [section({ type: 'static_select', options: options(101) })],
    ['no more than 100 items allowed [json-pointer:/blocks/0/accessory/options]'],
  ],
  [
    'a long option',
    [section({ type: 'static_select', options: [option('o', 76)] })],
    ['must be less than 76 characters [json-pointer:/blocks/0/accessory/options/0/text/text]'],
  ],
  [
    'a long value of an option',
    [section({ type: 'overflow', options: [option(text(76))] })],
    ['must be less than 76 characters [json-pointer:/blocks/0/accessory/options/0/value]'],
  ],
  [
    'an initial option that is not offered',
    [section({ type: 'static_select', options: options(2), initial_option: option('o9') })],
    ['initial option(s) must match one of the options [json-pointer:/blocks/0/accessory]'],
  ],
  [
    'six choices in an overflow menu',
    [section({ type: 'overflow', options: options(6) })],
    ['no more than 5 items allowed [json-pointer:/blocks/0/accessory/options]'],
  ],
  [
    'an input',
    [input({ type: 'plain_text_input' })],
    ['unsupported type: input [json-pointer:/blocks/0/type]'],
  ],
  [
    '51 blocks',
    Array.from({ length: 51 }, () => ({ type: 'divider' })),
    ['no more than 50 items allowed [json-pointer:/blocks]'],
  ],
  [
    'two blocks of one id',
    [
      { type: 'divider', block_id: 'a' },
      { type: 'divider', block_id: 'a' },
    ],
    ['`block_id` already exists: "a" [json-pointer:/blocks/1]'],
  ],
  [
    'two actions of one id in a block',
    [actions(button({ action_id: 'a' }), button({ action_id: 'a' }))],
    ['`action_id` already exists in the block: "a" [json-pointer:/blocks/0/elements/1]'],
  ],
  [
    'response_url_enabled',
    [actions({ type: 'channels_select', response_url_enabled: true })],
    [
      'response_url_enabled is only allowed in input blocks of modals [json-pointer:/blocks/0/elements/0]',
    ],
  ],
])('%s is refused', (_name, blocks, messages) => {
  expect(checkMessageBlocks(blocks, shown)).toEqual({
    ok: false,
    error: 'invalid_blocks',
    messages: messages.map((message) => `[ERROR] ${message}`),
  })
})

test('blocks that are no list are refused as such', () => {
  expect(checkMessageBlocks('[]', shown)).toMatchObject({ error: 'invalid_blocks_format' })
})

test('a slack_file that can’t be shown is refused at its place', () => {
  const picture = { type: 'image', slack_file: { id: 'F0123ABCDE' }, alt_text: 'a' }
  expect(checkMessageBlocks([section(), picture], () => 'invalid slack file')).toEqual({
    ok: false,
    error: 'invalid_blocks',
    messages: ['[ERROR] invalid slack file [json-pointer:/blocks/1/slack_file]'],
  })
})
