import { expect, test } from 'vitest'
import { button, context, section } from '../../../src/slack/block-kit/elements.ts'
import { linkCreatedMessage } from '../../../src/slack/shorten/deliver-link.ts'

const created = {
  name: 'lnk_1',
  title: 'Spring <!channel>',
  destination_url: 'https://example.com/some/long/page',
  shortlink_url: 'https://go.example.com/spring',
  is_custom_preview: true,
  utm: { utm_source: 'newsletter', utm_medium: 'email' },
  qrColor: '#1F4F46',
}

test('shows the link, its destination, the choices, the QR code and a button to share it', () => {
  const picture = { image_url: 'https://app.example.com/qr/x.png' }
  const value =
    '["https://go.example.com/spring","example.com","Spring <!channel>","#1F4F46","lnk_1"]'
  const accessibility_label = 'Copy: go.example.com/spring'
  expect(linkCreatedMessage(created, { picture, shareable: true })).toEqual({
    text: 'Your short link: https://go.example.com/spring',
    blocks: [
      section(
        '*Spring &lt;!channel&gt;*\n:link: *<https://go.example.com/spring|https://go.example.com/spring>*\nleads to <https://example.com/some/long/page|example.com/some/long/page>',
      ),
      context(
        'Domain *go.example.com*  ·  UTM source *newsletter*, medium *email*  ·  with a custom preview  ·  QR code in #1F4F46',
      ),
      { type: 'image', alt_text: 'QR code for https://go.example.com/spring', ...picture },
      {
        type: 'actions',
        block_id: 'link:0:made',
        elements: [
          button('Share in channel', 'share_link', { value }),
          button('Copy…', 'copy_link', { value, accessibility_label }),
        ],
      },
    ],
  })
})

test('has a button for a missing QR code, and no button to share in a direct message', () => {
  const { qrColor: _none, ...plain } = created
  for (const link of [created, plain]) {
    const { blocks } = linkCreatedMessage(link, { shareable: false })
    expect(blocks.map(({ type }) => type)).toEqual(['section', 'context', 'actions'])
    expect(blocks[2]).toMatchObject({
      elements: [{ action_id: 'copy_link' }, { action_id: 'show_qr' }],
    })
  }
})

test('says what was done with the link, to screen readers too', () => {
  const notice = { text: '*Turned off.*', undo: '["lnk_1","https://go.example.com/spring","1"]' }
  const { text, blocks } = linkCreatedMessage(
    { ...created, state: 'off' },
    { picture: 'follows', shareable: true, notice },
  )
  expect(text).toBe('*Turned off.*\nYour short link: https://go.example.com/spring')
  const undo = button('Undo', 'undo_turn_off', { value: notice.undo })
  expect(blocks[2]).toEqual(section('*Turned off.*', undo, 'link:1:made'))
  expect(JSON.stringify(blocks)).not.toContain('share_link')
})

test('has no buttons if the short URL leaves no room in their values', () => {
  const shortlink_url = `https://go.example.com/${'x'.repeat(2000)}`
  const { blocks } = linkCreatedMessage({ ...created, shortlink_url }, { shareable: true })
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'context'])
})
