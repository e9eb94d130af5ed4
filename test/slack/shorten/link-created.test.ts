import { expect, test } from 'vitest'
import { linkCreatedMessage } from '../../../src/slack/shorten/link-created.ts'

const created = {
  name: 'lnk_1',
  title: 'Spring <!channel>',
  destination_url: 'https://example.com/some/long/page',
  shortlink_url: 'https://go.example.com/spring',
  is_custom_preview: true,
  utm: { utm_source: 'newsletter', utm_medium: 'email' },
  qrColor: '#1F4F46',
}
const VALUE = '["https://go.example.com/spring","","Spring <!channel>","#1F4F46","lnk_1"]'

test('shows the link, its destination, the choices, the QR code and a button to share it', () => {
  const picture = { image_url: 'https://app.example.com/qr/x.png' }
  expect(linkCreatedMessage(created, { picture, shareable: true })).toEqual({
    text: 'Your short link: https://go.example.com/spring',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*Spring &lt;!channel&gt;*\n:link: *<https://go.example.com/spring|https://go.example.com/spring>*\nleads to <https://example.com/some/long/page|example.com/some/long/page>',
        },
      },
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: 'Domain *go.example.com*  ·  UTM source *newsletter*, medium *email*  ·  with a custom preview  ·  QR code in #1F4F46',
          },
        ],
      },
      {
        type: 'image',
        alt_text: 'QR code for https://go.example.com/spring',
        image_url: 'https://app.example.com/qr/x.png',
      },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            text: { type: 'plain_text', text: 'Share in channel', emoji: true },
            action_id: 'share_link',
            value: VALUE,
          },
        ],
      },
    ],
  })
})

test('has a button for a missing picture, and no button to share in a direct message', () => {
  const { blocks } = linkCreatedMessage(created, { shareable: false })
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'context', 'actions'])
  expect(blocks[2]).toMatchObject({ elements: [{ action_id: 'show_qr', value: VALUE }] })
})

test('has neither a picture nor its button if there is no QR code', () => {
  const { qrColor: _none, ...plain } = created
  const { blocks } = linkCreatedMessage(plain, { shareable: false })
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'context'])
})

test('has no buttons if the short URL leaves no room in their values', () => {
  const shortlink_url = `https://go.example.com/${'x'.repeat(2000)}`
  const { blocks } = linkCreatedMessage({ ...created, shortlink_url }, { shareable: true })
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'context'])
})
