import { expect, test, vi } from 'vitest'
import { deliverLink } from '../../../src/slack/shorten/deliver-link.ts'
import { idempotencyKey, recordLink } from '../../../src/slack/shorten/shorten-link.ts'
import type { CreatedLinks } from '../../../src/workspaces/created-links.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'
import type { ShortenPlatform } from '../../../src/slack/links/links.ts'

const CALLER = fakeCaller()
const LINK = {
  name: 'lnk_1',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/x',
}
const REQUEST = { destination_url: 'https://example.com/page', domain: 'dom_1' }

test('the idempotency key differs for another view, another field and another image only', () => {
  const image = (byte: number) => ({ filename: 'a.png', bytes: Uint8Array.of(byte) })
  const keys = () => [
    idempotencyKey('V1', { ...REQUEST }),
    idempotencyKey('V2', REQUEST),
    idempotencyKey('V1', { ...REQUEST, back_half: 'x' }),
    idempotencyKey('V1', { ...REQUEST, preview_image: image(1) }),
    idempotencyKey('V1', { ...REQUEST, preview_image: image(2) }),
  ]
  expect(new Set(keys()).size).toBe(5)
  expect(keys()).toEqual(keys())
})

test('sends only the link if a bug keeps its message from being built', async () => {
  const platform = fakePlatform()
  platform.replies.sendWithPicture = () => Promise.reject(new TypeError('x is not a function'))
  await deliverLink(platform, CALLER, { userId: 'U1' }, LINK)
  expect(platform.sent.map(({ message }) => message.text).join()).toContain(LINK.shortlink_url)
})

/** A platform with these stores. */
function platformWith(createdLinks: Partial<CreatedLinks>, save = vi.fn()) {
  const stores = { createdLinks: createdLinks as CreatedLinks, recentUtm: { read: vi.fn(), save } }
  const { logged, ...platform } = fakePlatform()
  return { platform: { ...platform, ...stores } as unknown as ShortenPlatform, logged }
}

test('records from the request what the service’s response leaves out', async () => {
  const add = vi.fn<CreatedLinks['add']>(async () => undefined)
  const { platform } = platformWith({ add })
  const preview = { is_custom_preview: true, preview_title: 'Card', preview_description: 'Words' }
  await recordLink(platform, CALLER, LINK, { ...REQUEST, ...preview, title: 'Spring' }, {})
  const withoutPreview = { ...LINK, ...preview, is_custom_preview: false }
  await recordLink(platform, CALLER, withoutPreview, REQUEST, {})
  expect(add.mock.calls).toMatchObject([
    ['T_ONE', { title: 'Spring', ...preview }],
    ['T_ONE', { is_custom_preview: false }],
  ])
})

test('logs failures to record a link, and throws none', async () => {
  const broken = () => Promise.reject(new Error('disk full'))
  const { platform, logged } = platformWith({ add: broken }, vi.fn(broken))
  await recordLink(platform, CALLER, LINK, REQUEST, { utm_source: 'poster' })
  await platform.tasks.drained()
  expect(logged).toEqual([
    expect.stringContaining('a new link could not be recorded'),
    expect.stringContaining('the UTM values of a new link could not be stored'),
  ])
})
