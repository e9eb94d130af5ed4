import { expect, test } from 'vitest'
import { checkMessageBlocks } from '../../../src/simulator/block-kit/check.ts'
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
} from '../../support/block-kit.ts'

function messagesOf(result: ReturnType<typeof checkMessageBlocks>): unknown {
  return result.ok ? 'accepted' : result.messages
}

/** A valid menu of each type that has no options. */
const OTHER_MENUS = [
  { type: 'conversations_select', filter: { include: ['public'] } },
  { type: 'multi_conversations_select', max_selected_items: 2 },
  { type: 'channels_select' },
  { type: 'users_select', initial_user: 'U1' },
  { type: 'multi_users_select' },
  { type: 'datepicker', initial_date: '2026-11-21' },
  { type: 'timepicker', initial_time: '08:30' },
  { type: 'datetimepicker', initial_date_time: 1_798_135_200 },
]

test.each<[string, object[]]>([
  ['a section with the longest text', [{ type: 'section', text: mrkdwn(3000) }]],
  ['ten fields', [{ type: 'section', fields: Array(10).fill(mrkdwn(2000)) }]],
  ['the longest header', [{ type: 'header', text: plain(150) }]],
  [
    'a context with a text and an image',
    [
      {
        type: 'context',
        elements: [mrkdwn(), { type: 'image', image_url: 'https://e.com/a.png', alt_text: 'a' }],
      },
    ],
  ],
  [
    'an image with a title',
    [{ type: 'image', slack_file: { id: 'F0123ABCDE' }, alt_text: 'a', title: plain() }],
  ],
  ['25 buttons', [actions(...Array.from({ length: 25 }, () => button()))]],
  [
    'a button with all fields',
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
  ['an overflow menu with five options', [section({ type: 'overflow', options: options(5) })]],
  ['a select with 100 options', [section({ type: 'static_select', options: options(100) })]],
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
])('accepts %s', (_name, blocks) => {
  expect(messagesOf(checkMessageBlocks(blocks, noFileError))).toBe('accepted')
})

test.each<[string, object[], string[]]>([
  [
    'an unknown block',
    [{ type: 'marquee' }],
    ['unsupported type: marquee [json-pointer:/blocks/0/type]'],
  ],
  ['a block without a type', [{}], ['missing required field: type [json-pointer:/blocks/0]']],
  [
    'an unknown field',
    [{ type: 'divider', shade: 'red' }],
    ['invalid additional property: shade [json-pointer:/blocks/0]'],
  ],
  [
    'an empty section',
    [{ type: 'section' }],
    ['must define either `text` or `fields` [json-pointer:/blocks/0]'],
  ],
  [
    'empty text',
    [{ type: 'section', text: mrkdwn(0) }],
    ['must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
  ],
  [
    'too long a text',
    [{ type: 'section', text: mrkdwn(3001) }],
    ['must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
  ],
  [
    'a text that is not an object',
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
    'a button with too long a text',
    [actions(button({ text: plain(76) }))],
    ['must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]'],
  ],
  [
    'a button with a script as its URL',
    [actions(button({ url: 'javascript:alert(1)' }))],
    ['must be a valid URL [json-pointer:/blocks/0/elements/0/url]'],
  ],
  [
    'an actions block without elements',
    [actions()],
    ['no fewer than 1 items allowed [json-pointer:/blocks/0/elements]'],
  ],
  [
    '26 buttons',
    [actions(...Array.from({ length: 26 }, () => button()))],
    ['no more than 25 items allowed [json-pointer:/blocks/0/elements]'],
  ],
  [
    'an image without alt_text',
    [{ type: 'image', image_url: 'https://example.com/a.png' }],
    ['missing required field: alt_text [json-pointer:/blocks/0]'],
  ],
  [
    'an image without a source',
    [{ type: 'image', alt_text: 'a' }],
    ['must define either `image_url` or `slack_file` [json-pointer:/blocks/0]'],
  ],
  [
    'an image that only this machine can load',
    [{ type: 'image', alt_text: 'a', image_url: 'http://127.0.0.1:3000/qr/x.png' }],
    ['downloading image failed [json-pointer:/blocks/0/image_url]'],
  ],
  [
    'an image from a data URL',
    [{ type: 'image', alt_text: 'a', image_url: 'data:image/png;base64,AA' }],
    ['must be a valid URL [json-pointer:/blocks/0/image_url]'],
  ],
  [
    '101 options',
    [section({ type: 'static_select', options: options(101) })],
    ['no more than 100 items allowed [json-pointer:/blocks/0/accessory/options]'],
  ],
  [
    'too long an option',
    [section({ type: 'static_select', options: [option('o', 76)] })],
    ['must be less than 76 characters [json-pointer:/blocks/0/accessory/options/0/text/text]'],
  ],
  [
    'too long an option value',
    [section({ type: 'overflow', options: [option(text(76))] })],
    ['must be less than 76 characters [json-pointer:/blocks/0/accessory/options/0/value]'],
  ],
  [
    'an initial option that is not among the options',
    [section({ type: 'static_select', options: options(2), initial_option: option('o9') })],
    ['initial option(s) must match one of the options [json-pointer:/blocks/0/accessory]'],
  ],
  [
    'an overflow menu with six options',
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
    'two blocks with the same id',
    [
      { type: 'divider', block_id: 'a' },
      { type: 'divider', block_id: 'a' },
    ],
    ['`block_id` already exists: "a" [json-pointer:/blocks/1]'],
  ],
  [
    'two elements with the same id in a block',
    [actions(button({ action_id: 'a' }), button({ action_id: 'a' }))],
    ['`action_id` already exists in the block: "a" [json-pointer:/blocks/0/elements/1]'],
  ],
  [
    'response_url_enabled outside of a modal',
    [actions({ type: 'channels_select', response_url_enabled: true })],
    [
      'response_url_enabled is only allowed in input blocks of modals [json-pointer:/blocks/0/elements/0]',
    ],
  ],
])('rejects %s', (_name, blocks, messages) => {
  expect(checkMessageBlocks(blocks, noFileError)).toEqual({
    ok: false,
    error: 'invalid_blocks',
    messages: messages.map((message) => `[ERROR] ${message}`),
  })
})

test('rejects blocks that are not a list', () => {
  expect(checkMessageBlocks('[]', noFileError)).toMatchObject({ error: 'invalid_blocks_format' })
})

test('rejects a slack_file that can’t be shown, and says where it is', () => {
  const image = { type: 'image', slack_file: { id: 'F0123ABCDE' }, alt_text: 'a' }
  expect(checkMessageBlocks([section(), image], () => 'invalid slack file')).toEqual({
    ok: false,
    error: 'invalid_blocks',
    messages: ['[ERROR] invalid slack file [json-pointer:/blocks/1/slack_file]'],
  })
})

test('accepts an image on this machine only if Slack reaches this machine, and never one in its network', () => {
  const image = (host: string) => [
    { type: 'image', alt_text: 'a', image_url: `http://${host}:3000/card.png` },
  ]
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    expect(checkMessageBlocks(image(host), noFileError, [], true)).toMatchObject({ ok: true })
    expect(checkMessageBlocks(image(host), noFileError, [])).toMatchObject({ ok: false })
  }
  expect(checkMessageBlocks(image('10.0.0.1'), noFileError, [], true)).toMatchObject({ ok: false })
})
