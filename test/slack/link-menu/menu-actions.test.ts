import { expect, test } from 'vitest'
import { copyableModal, refToShare, shareForm } from '../../../src/slack/link-menu/index.ts'

const LINK = {
  name: 'lnk_1',
  shortlink_url: 'https://go.example.com/x',
  destination_url: 'https://example.com/page',
}

test('a link is shared with its QR code if it was made with one', () => {
  const ref = { shortUrl: LINK.shortlink_url, destination: LINK.destination_url }
  expect(refToShare({ ...LINK, qr_code_enabled: true }, '#1F4F46')).toEqual({
    ...ref,
    qrColor: '#1F4F46',
  })
  expect(refToShare({ ...LINK, qr_code_enabled: false }, '#1F4F46')).toEqual(ref)
})

test('explains that a link is too long to be shared from a modal', () => {
  const shortUrl = `https://go.example.com/${'x'.repeat(2_000)}`
  expect(() => shareForm({ shortUrl, destination: LINK.destination_url })).toThrow(
    'This link is too long to be shared from here.',
  )
})

test('a link can be copied alone, and with its title and destination', () => {
  const ref = {
    shortUrl: 'https://go.example.com/x?a&b',
    title: 'Spring',
    destination: 'https://example.com/',
  }
  const code = (text: string) => ({
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
  })
  const context = (text: string) => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] })
  const blocks = [
    context('The short link:'),
    code('https://go.example.com/x?a&b'),
    context('With its title and destination:'),
    code('Spring\nhttps://go.example.com/x?a&b\nhttps://example.com/'),
  ]
  expect(copyableModal(ref)).toMatchObject({ title: { text: 'Copy as text' }, blocks })
})
