import { expect, test } from 'vitest'
import {
  alreadyShortened,
  alreadyShortenedModal,
} from '../../../../src/slack/blocks/already-shortened.ts'

const existing = {
  shortlink: {
    title: 'Spring <!channel>',
    destination_url: 'https://example.com/page',
    shortlink_url: 'https://go.example.com/spring',
  },
  utm: {},
  qrColor: '#1F4F46',
}
const made = { by: 'U1', at: Date.UTC(2026, 10, 20) }
const picture = { image_url: 'https://app.example.com/qr/x.png' }

const first = {
  type: 'section',
  text: { type: 'mrkdwn', text: 'This link is shortened already:' },
}
const section = {
  type: 'section',
  text: {
    type: 'mrkdwn',
    text: '*Spring &lt;!channel&gt;*\n:link: *<https://go.example.com/spring|https://go.example.com/spring>*\nleads to <https://example.com/page|example.com/page>',
  },
}
const madeBy = {
  type: 'context',
  elements: [{ type: 'mrkdwn', text: 'Made by <@U1> <!date^1795132800^{ago}|2026-11-20>' }],
}
const image = {
  type: 'image',
  alt_text: 'QR code that leads to https://go.example.com/spring',
  image_url: 'https://app.example.com/qr/x.png',
}
const button = (text: string, action_id: string, value: string, more = {}) => ({
  type: 'button',
  text: { type: 'plain_text', text, emoji: true },
  action_id,
  value,
  ...more,
})

test('in a message: the link, who made it, its QR code, and what can be done', () => {
  expect(alreadyShortened({ existing, made, picture }, { command: 'example.com/page' })).toEqual({
    text: 'Already shortened: https://go.example.com/spring',
    blocks: [
      first,
      section,
      madeBy,
      image,
      {
        type: 'actions',
        elements: [
          button(
            'Use this link',
            'use_existing_link',
            '["https://go.example.com/spring","https://example.com/page","Spring <!channel>","#1F4F46"]',
            { style: 'primary' },
          ),
          button('Change something', 'change_shorten_command', 'example.com/page'),
        ],
      },
    ],
  })
})

test('a short URL that leaves no room in a button costs the button, not the answer', () => {
  const shortlink = {
    ...existing.shortlink,
    shortlink_url: `https://go.example.com/${'x'.repeat(2000)}`,
  }
  const { blocks } = alreadyShortened(
    { existing: { ...existing, shortlink } },
    { typed: '/shorten `example.com`' },
  )
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'section', 'context', 'rich_text'])
  expect(blocks[3]).toMatchObject({
    elements: [{ elements: [{ type: 'text', text: '/shorten `example.com`' }] }],
  })
})

test('in a form: to be used by submitting it, or to be changed', () => {
  const modal = {
    existing,
    made,
    destination: 'example.com/page',
    viewKey: 'V1:1',
    answersInThread: true,
    metadata: 'sealed',
  }
  expect(alreadyShortenedModal(modal)).toEqual({
    type: 'modal',
    callback_id: 'already_shortened',
    external_id: 'V1:1',
    private_metadata: 'sealed',
    title: { type: 'plain_text', text: 'Already shortened', emoji: true },
    submit: { type: 'plain_text', text: 'Use this link', emoji: true },
    close: { type: 'plain_text', text: 'Close', emoji: true },
    blocks: [
      first,
      section,
      madeBy,
      {
        type: 'actions',
        elements: [button('Change something', 'change_shorten_form', 'example.com/page')],
      },
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: '*Use this link* posts it as a reply to the message, where everybody sees it.',
          },
        ],
      },
    ],
  })
})
