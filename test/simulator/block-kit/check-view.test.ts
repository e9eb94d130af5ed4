import { expect, test } from 'vitest'
import { checkView } from '../../../src/simulator/block-kit/check.ts'
import { noFileError, text, plain, mrkdwn, options, input, modal } from '../../support/block-kit.ts'

function messagesOf(result: ReturnType<typeof checkView>): unknown {
  return result.ok ? 'accepted' : result.messages
}

test.each<[string, object]>([
  [
    'every text input',
    modal({
      blocks: ['plain_text_input', 'url_text_input', 'email_text_input'].map((type) =>
        input({ type, placeholder: plain(150), initial_value: text(3000) }),
      ),
    }),
  ],
  [
    'other inputs',
    modal({
      blocks: [
        input({ type: 'number_input', is_decimal_allowed: false, min_value: '-1' }),
        input({ type: 'file_input', filetypes: ['png', 'jpg'], max_files: 10 }),
        input({ type: 'checkboxes', options: options(10), initial_options: options(2) }),
        input({ type: 'radio_buttons', options: options(10) }),
        input({ type: 'conversations_select', response_url_enabled: true }),
      ],
    }),
  ],
  ['100 blocks', modal({ blocks: Array.from({ length: 100 }, () => ({ type: 'divider' })) })],
  ['the longest private_metadata', modal({ private_metadata: text(3000) })],
])('accepts %s', (_name, view) => {
  expect(messagesOf(checkView(view, 'modal', noFileError))).toBe('accepted')
})

test.each<[string, object, string[]]>([
  [
    'a modal without a title',
    { ...modal(), title: undefined },
    ['missing required field: title [json-pointer:/view]'],
  ],
  [
    'too long a title',
    modal({ title: plain(25) }),
    ['must be less than 25 characters [json-pointer:/view/title/text]'],
  ],
  [
    'inputs without a submit button',
    { ...modal({ blocks: [input({ type: 'plain_text_input' })] }), submit: undefined },
    ['missing required field: submit [json-pointer:/view]'],
  ],
  [
    '101 blocks',
    modal({ blocks: Array.from({ length: 101 }, () => ({ type: 'divider' })) }),
    ['no more than 100 items allowed [json-pointer:/view/blocks]'],
  ],
  [
    'too long a private_metadata',
    modal({ private_metadata: text(3001) }),
    ['must be less than 3001 characters [json-pointer:/view/private_metadata]'],
  ],
  [
    'a view for another surface',
    { type: 'home', blocks: [] },
    ['must be a valid enum value [json-pointer:/view/type]'],
  ],
  [
    'an unknown input',
    modal({ blocks: [input({ type: 'button', text: plain() })] }),
    ['unsupported type: button [json-pointer:/view/blocks/0/element/type]'],
  ],
  [
    'an empty initial value',
    modal({ blocks: [input({ type: 'url_text_input', initial_value: '' })] }),
    ['must be more than 0 characters [json-pointer:/view/blocks/0/element/initial_value]'],
  ],
  [
    'too large a max_files',
    modal({ blocks: [input({ type: 'file_input', max_files: 11 })] }),
    ['must not be greater than 10 [json-pointer:/view/blocks/0/element/max_files]'],
  ],
  [
    'two elements with focus_on_load',
    modal({
      blocks: [1, 2].map(() => input({ type: 'plain_text_input', focus_on_load: true })),
    }),
    ['only one element may have focus_on_load [json-pointer:/view/blocks/1/element]'],
  ],
])('rejects %s', (_name, view, messages) => {
  expect(checkView(view, 'modal', noFileError)).toEqual({
    ok: false,
    error: 'invalid_arguments',
    messages: messages.map((message) => `[ERROR] ${message}`),
  })
})

test('rejects a file input in the Home tab', () => {
  const home = { type: 'home', blocks: [input({ type: 'file_input' })] }
  expect(checkView(home, 'home', noFileError)).toMatchObject({
    messages: ['[ERROR] unsupported type: file_input [json-pointer:/view/blocks/0/element/type]'],
  })
})

test('rejects a view of more than 250 KB', () => {
  const blocks = Array.from({ length: 90 }, () => ({ type: 'section', text: mrkdwn(3000) }))
  expect(checkView(modal({ blocks }), 'modal', noFileError)).toMatchObject({
    error: 'view_too_large',
  })
})
