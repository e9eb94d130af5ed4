import { expect, test } from 'vitest'
import { readAttachments } from '../../../src/simulator/workspace/message-content.ts'

const noError = (): undefined => undefined
const section = (text: string): object => ({ type: 'section', text: { type: 'mrkdwn', text } })
const IMAGE = { type: 'image', slack_file: { id: 'F0123456789' }, alt_text: 'QR code' }

test('numbers attachments, and adds the missing ids to their blocks', () => {
  const given = [{ fallback: 'words' }, { color: '#123456', blocks: [section('words')] }]
  expect(readAttachments(given, noError)).toEqual({
    ok: true,
    value: [
      { id: 1, fallback: 'words' },
      {
        id: 2,
        color: '#123456',
        blocks: [{ ...section('words'), block_id: expect.any(String) as unknown }],
      },
    ],
  })
})

test('checks the blocks of attachments against Slack’s rules, and says where an error is', () => {
  const given = [
    { blocks: [section('')] },
    { blocks: [section('valid')] },
    { blocks: [IMAGE] },
    { blocks: 'none' },
  ]
  expect(readAttachments(given, () => 'invalid slack file')).toEqual({
    ok: false,
    error: 'invalid_attachments',
    messages: [
      '[ERROR] must be more than 0 characters [json-pointer:/attachments/0/blocks/0/text/text]',
      '[ERROR] invalid slack file [json-pointer:/attachments/2/blocks/0/slack_file]',
      '[ERROR] must provide an array',
    ],
  })
})
