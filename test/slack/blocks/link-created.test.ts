import { expect, test } from 'vitest'
import { linkCreated, linkShared, qrShown } from '../../../src/slack/blocks/link-created.ts'
import { parseLinkRef } from '../../../src/slack/input/link-ref.ts'

const created = {
  shortlink: {
    name: 'lnk_1',
    title: 'Spring <!channel>',
    destination_url: 'https://example.com/some/long/page',
    shortlink_url: 'https://go.example.com/spring',
    is_custom_preview: true,
  },
  utm: { utm_source: 'newsletter', utm_medium: 'email' },
  qrColor: '#1F4F46',
}
const VALUE =
  '["https://go.example.com/spring","https://example.com/some/long/page","Spring <!channel>","#1F4F46"]'

test('the answer shows the link, where it leads, the choices in words, the QR code and a way to share', () => {
  const picture = { image_url: 'https://app.example.com/qr/x.png' }
  expect(linkCreated(created, { picture, shareable: true })).toEqual({
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
        alt_text: 'QR code that leads to https://go.example.com/spring',
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

test('without a picture there is a button that brings it; in a direct message nothing to share', () => {
  const { blocks } = linkCreated(created, { shareable: false })
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'context', 'actions'])
  expect(blocks[2]).toMatchObject({ elements: [{ action_id: 'show_qr', value: VALUE }] })
})

test('without a QR code there is neither', () => {
  const { qrColor: _none, ...plain } = created
  const { blocks } = linkCreated(plain, { shareable: false })
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'context'])
})

test('what a button brings back is what it was made of', () => {
  expect(parseLinkRef(VALUE)).toEqual({
    shortUrl: 'https://go.example.com/spring',
    destination: 'https://example.com/some/long/page',
    title: 'Spring <!channel>',
    qrColor: '#1F4F46',
  })
  expect(() => parseLinkRef('["javascript:alert(1)","","",""]')).toThrow()
  expect(() => parseLinkRef(undefined)).toThrow()
})

test('a short URL that leaves no room in a button costs the buttons, not the answer', () => {
  const shortlink = {
    ...created.shortlink,
    shortlink_url: `https://go.example.com/${'x'.repeat(2000)}`,
  }
  const { blocks } = linkCreated({ ...created, shortlink }, { shareable: true })
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'context'])
})

test('a shared link says who shared it, to everybody', () => {
  const ref = parseLinkRef(VALUE)
  expect(linkShared(ref, { by: 'U1', picture: { slack_file: { id: 'F0000000001' } } })).toEqual({
    text: '<@U1> shared a short link: https://go.example.com/spring',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*Spring &lt;!channel&gt;*\n:link: *<https://go.example.com/spring|https://go.example.com/spring>*\nleads to <https://example.com/some/long/page|example.com/some/long/page>',
        },
      },
      {
        type: 'image',
        alt_text: 'QR code that leads to https://go.example.com/spring',
        slack_file: { id: 'F0000000001' },
      },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'Shared by <@U1>' }] },
    ],
  })
})

test('the QR code alone', () => {
  const { blocks } = qrShown(parseLinkRef(VALUE), { image_url: 'https://app.example.com/q.png' })
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'image'])
})

test('a long destination is shared whole where a button has room for it, else shown and not linked', () => {
  const shared = (length: number): string => {
    const destination = `https://example.com/${'x'.repeat(length)}`
    const shortlink = { ...created.shortlink, destination_url: destination }
    const { blocks } = linkCreated({ ...created, shortlink }, { shareable: true })
    const button = blocks.at(-1) as unknown as { elements: [{ value: string }] }
    const ref = parseLinkRef(button.elements[0].value)
    return JSON.stringify(linkShared(ref, { by: 'U1' }).blocks)
  }
  expect(shared(1_500)).toContain(`<https://example.com/${'x'.repeat(1_500)}|`)
  expect(shared(1_950)).not.toContain('<https://example.com/x')
  expect(shared(1_950)).toContain('leads to example.com/xxx')
})
