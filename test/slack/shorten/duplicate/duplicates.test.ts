import { expect, test } from 'vitest'
import {
  duplicateMessage,
  duplicateModal,
} from '../../../../src/slack/shorten/duplicate/duplicates.ts'

const link = {
  title: 'Spring <!channel>',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/spring',
  qrColor: '#1F4F46',
}
const creator = { record: { createdBy: 'U1', created_at: '2026-11-20T00:00:00.000Z' } }
const picture = { image_url: 'https://app.example.com/qr/x.png' }

const first = {
  type: 'section',
  text: { type: 'mrkdwn', text: 'This destination already has a short link:' },
}
const section = {
  type: 'section',
  text: {
    type: 'mrkdwn',
    text: '*Spring &lt;!channel&gt;*\n:link: *<https://go.example.com/spring|https://go.example.com/spring>*\nleads to <https://example.com/page|example.com/page>',
  },
}
const createdByBen = {
  type: 'context',
  elements: [{ type: 'mrkdwn', text: 'Created by <@U1> <!date^1795132800^{ago}|2026-11-20>' }],
}
const image = {
  type: 'image',
  alt_text: 'QR code for https://go.example.com/spring',
  image_url: 'https://app.example.com/qr/x.png',
}
const button = (text: string, action_id: string, value: string, more = {}) => ({
  type: 'button',
  text: { type: 'plain_text', text, emoji: true },
  action_id,
  value,
  ...more,
})

test('the message shows the link, who created it, its QR code, and buttons', () => {
  expect(
    duplicateMessage({ link, ...creator, unusedBackHalf: undefined }, picture, {
      command: 'example.com/page',
    }),
  ).toEqual({
    text: 'This destination already has a short link: https://go.example.com/spring',
    blocks: [
      first,
      section,
      createdByBen,
      image,
      {
        type: 'actions',
        block_id: 'link:0:made',
        elements: [
          button(
            'Use this link',
            'use_existing_link',
            '["https://go.example.com/spring","example.com","Spring <!channel>","#1F4F46",""]',
            { style: 'primary' },
          ),
          button('Change something', 'change_shorten_command', 'example.com/page'),
        ],
      },
    ],
  })
})

test('the modal can be submitted to use the link, or closed to change something', () => {
  expect(duplicateModal({ link, ...creator, unusedBackHalf: 'mine' }, 'sealed', true)).toEqual({
    type: 'modal',
    callback_id: 'already_shortened',
    private_metadata: 'sealed',
    title: { type: 'plain_text', text: 'Link already exists', emoji: true },
    submit: { type: 'plain_text', text: 'Use this link', emoji: true },
    close: { type: 'plain_text', text: 'Change something', emoji: true },
    blocks: [
      first,
      section,
      { type: 'section', text: { type: 'mrkdwn', text: 'The back-half “mine” was not used.' } },
      createdByBen,
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: '*Use this link* posts it as a reply to the message, where everyone sees it.',
          },
        ],
      },
    ],
  })
})
