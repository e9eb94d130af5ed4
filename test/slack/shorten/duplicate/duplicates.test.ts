import { expect, test } from 'vitest'
import { button, context, plain, section } from '../../../../src/slack/block-kit/elements.ts'
import {
  duplicateMessage,
  duplicateModal,
} from '../../../../src/slack/shorten/duplicate/duplicates.ts'

const found = {
  link: {
    title: 'Spring <!channel>',
    destination_url: 'https://example.com/page',
    shortlink_url: 'https://go.example.com/spring',
    qrColor: '#1F4F46',
  },
  record: { createdBy: 'U1', created_at: '2026-11-20T00:00:00.000Z' },
}

const first = section('This destination already has a short link:')
const shownLink = section(
  '*Spring &lt;!channel&gt;*\n:link: *<https://go.example.com/spring|https://go.example.com/spring>*\nleads to <https://example.com/page|example.com/page>',
)
const creator = context('Created by <@U1> <!date^1795132800^{ago}|2026-11-20>')

test('the message shows the link, who created it, its QR code, and buttons', () => {
  const picture = { image_url: 'https://app.example.com/qr/x.png' }
  const value = '["https://go.example.com/spring","example.com","Spring <!channel>","#1F4F46",""]'
  const command = 'example.com/page'
  expect(duplicateMessage({ ...found, unusedBackHalf: undefined }, picture, { command })).toEqual({
    text: 'This destination already has a short link: https://go.example.com/spring',
    blocks: [
      first,
      shownLink,
      creator,
      { type: 'image', alt_text: 'QR code for https://go.example.com/spring', ...picture },
      {
        type: 'actions',
        block_id: 'link:0:made',
        elements: [
          button('Use this link', 'use_existing_link', { value, style: 'primary' }),
          button('Change something', 'change_shorten_command', { value: command }),
        ],
      },
    ],
  })
})

test('the modal can be submitted to use the link, or closed to change something', () => {
  expect(duplicateModal({ ...found, unusedBackHalf: 'mine' }, 'sealed', true)).toEqual({
    type: 'modal',
    callback_id: 'already_shortened',
    private_metadata: 'sealed',
    title: plain('Link already exists', 24),
    submit: plain('Use this link', 24),
    close: plain('Change something', 24),
    blocks: [
      first,
      shownLink,
      section('The back-half “mine” was not used.'),
      creator,
      context('*Use this link* posts it as a reply to the message, where everyone sees it.'),
    ],
  })
})
