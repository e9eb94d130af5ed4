import { expect, test } from 'vitest'
import type { LinkDetails } from '../../../src/client/link-client.ts'
import { shownLinkOf } from '../../../src/slack/block-kit/shown-link.ts'
import { shareForm } from '../../../src/slack/link-menu/index.ts'

const LINK = {
  name: 'lnk_1',
  shortlink_url: 'https://go.example.com/x',
  destination_url: 'https://example.com/page',
}

test('a link is shared with its QR code if it was made with one', () => {
  const colorOf = (link: Partial<LinkDetails>) =>
    shownLinkOf({ ...LINK, ...link }, 0, '#1F4F46').qrColor
  expect(colorOf({ qr_code_enabled: true })).toBe('#1F4F46')
  expect(colorOf({ qr_code_enabled: true, qr_code_color: '#102030' })).toBe('#102030')
  expect(colorOf({ qr_code_enabled: false })).toBeUndefined()
})

test('explains that a link is too long to be shared from a modal', () => {
  const shortlink_url = `https://go.example.com/${'x'.repeat(2_000)}`
  expect(() => shareForm({ ...LINK, shortlink_url })).toThrow(
    'This link is too long to be shared from here.',
  )
})
