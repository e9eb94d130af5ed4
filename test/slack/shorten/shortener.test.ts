import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/client/errors.ts'
import type { CreateRequest } from '../../../src/contract/link-requests.ts'
import type { Shortlink } from '../../../src/contract/shortlink.ts'
import { DuplicateError } from '../../../src/slack/shorten/duplicate/duplicate-error.ts'
import { createShortener, idempotencyKey } from '../../../src/slack/shorten/shortener.ts'
import type { Settings } from '../../../src/workspaces/settings.ts'
import { fakeCaller, fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'

const CALLER = fakeCaller()
const TARGET = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/1' }
const IMAGE = { filename: 'card.png', bytes: Uint8Array.of(1, 2, 3) }
const EXISTING = {
  name: 'lnk_0',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/existing',
}

const conflict = (shortlink: Shortlink): ApiError =>
  new ApiError({
    status: 409,
    message: 'Conflict.',
    code: 'DUPLICATE_DESTINATION_URL',
    details: { shortlink },
    fieldMessages: {},
  })

/** A shortener whose link service creates every link, or fails every create with `error`. */
function setUp({ settings = {}, error }: { settings?: Partial<Settings>; error?: Error } = {}) {
  const created: { request: CreateRequest; key: string }[] = []
  const recorded: unknown[][] = []
  const domains = [{ name: 'dom_1', domain_name: 'go.example.com' }]
  const platform = fakePlatform(
    {
      linkService: {
        ...NO_LINK_SERVICE,
        connection: async () => ({ apiKey: 'key', source: 'connected', domains }),
        async create(_workspace, request, key) {
          created.push({ request, key })
          if (error) throw error
          const { destination_url, title } = request
          const shortlink_url = 'https://go.example.com/new'
          return { name: 'lnk_1', destination_url, shortlink_url, ...(title && { title }) }
        },
        list: () => Promise.reject(new Error('nothing is listed here')),
      },
    },
    settings,
  )
  const shortener = createShortener(platform, {
    linkRecord: {
      add: async (...link) => void recorded.push(link),
      whoMade: async () => ({ by: 'U_BEN', at: 5 }),
      isKnown: async () => false,
      follow: async () => undefined,
      remove: async () => undefined,
    },
    previewImages: { fetch: async () => IMAGE },
  })
  return { shortener, created, recorded, sent: platform.sent }
}

describe('shorten', () => {
  test('completes the draft from the settings, creates the link and records it', async () => {
    const settings = {
      qr: { enabled: true, color: '#1F4F46' },
      templates: [{ name: 'News', values: { utm_source: 'News', utm_medium: 'email' } }],
      naming: { lowerCase: true, spaces: '-' as const, sources: ['news'], mediums: [] },
    }
    const { shortener, created, recorded } = setUp({ settings })
    const draft = { destination_url: 'example.com/page', title: 'Spring', template: 'news' }
    const link = await shortener.shorten(CALLER, draft, 'V1')

    const request = {
      destination_url: 'https://example.com/page',
      domain: 'dom_1',
      title: 'Spring',
      utm_analytics_enabled: true,
      utm_source: 'news',
      utm_medium: 'email',
      qr_code_enabled: true,
      qr_code_color: '#1F4F46',
    }
    expect(created).toEqual([{ request, key: idempotencyKey('V1', request) }])
    const shortlink = {
      name: 'lnk_1',
      destination_url: 'https://example.com/page',
      shortlink_url: 'https://go.example.com/new',
      title: 'Spring',
    }
    const utm = { utm_source: 'news', utm_medium: 'email' }
    const changeable = { name: 'lnk_1' }
    expect(link).toEqual({ shortlink, utm, qrColor: '#1F4F46', changeable })
    expect(recorded).toEqual([[CALLER, shortlink, request, utm]])
  })

  test('returns a black QR code by default, and none if the user wants none', async () => {
    const { shortener } = setUp()
    const draft = { destination_url: 'https://example.com/page' }
    expect(await shortener.shorten(CALLER, draft, 'V1')).toMatchObject({ qrColor: '#000000' })
    const without = { ...draft, qr_code_enabled: false, qr_code_color: '#102030' }
    expect(await shortener.shorten(CALLER, without, 'V1')).not.toHaveProperty('qrColor')
  })

  test('sends the preview image that the user uploaded', async () => {
    const { shortener, created } = setUp()
    const preview_image = { id: 'F1', name: 'card.png' }
    const draft = { destination_url: 'https://example.com/page', preview_image }
    await shortener.shorten(CALLER, draft, 'V1')
    expect(created[0]?.request).toMatchObject({ is_custom_preview: true, preview_image: IMAGE })
  })

  test('sends nothing if the draft has issues', async () => {
    const invalid = setUp()
    const draft = { destination_url: 'nonsense' }
    await expect(invalid.shortener.shorten(CALLER, draft, 'V1')).rejects.toThrow(
      '“nonsense” isn’t a link. Write it like https://example.com/page.',
    )
    expect(invalid.created).toEqual([])
  })

  test('throws the existing link of a duplicate, with the QR code that the user wanted', async () => {
    const cause = conflict(EXISTING)
    const { shortener, recorded } = setUp({ error: cause })
    const draft = { destination_url: EXISTING.destination_url, qr_code_color: '#102030' }
    const error: unknown = await shortener.shorten(CALLER, draft, 'V1').catch((err: unknown) => err)
    expect(error).toBeInstanceOf(DuplicateError)
    expect(error).toMatchObject({
      link: { shortlink: EXISTING, utm: {}, qrColor: '#102030' },
      madeBy: { by: 'U_BEN', at: 5 },
      issues: [
        {
          field: 'destination_url',
          message: 'This destination already has a short link: https://go.example.com/existing',
        },
      ],
      cause,
    })
    expect(recorded).toEqual([])
  })

  test('throws any other error of the link service as it is', async () => {
    const error = new ApiError({ status: 403, message: 'No.', fieldMessages: {} })
    const { shortener, recorded } = setUp({ error })
    const draft = { destination_url: 'https://example.com/page' }
    await expect(shortener.shorten(CALLER, draft, 'V1')).rejects.toBe(error)
    expect(recorded).toEqual([])
  })
})

describe('deliver', () => {
  const link = {
    shortlink: {
      destination_url: 'https://example.com/page',
      shortlink_url: 'https://go.example.com/new',
    },
    utm: {},
    qrColor: '#102030',
  }

  /** The types of the message's blocks, and its buttons. */
  const shown = ({ sent }: ReturnType<typeof setUp>) =>
    sent[0]?.message.blocks.map((block) =>
      block.type === 'actions'
        ? block.elements.map((element) => 'text' in element && element.text.text)
        : block.type,
    )

  test('sends the link with its QR picture and a button to share it', async () => {
    const delivered = setUp()
    await delivered.shortener.deliver(CALLER, TARGET, link)
    expect(delivered.sent).toMatchObject([
      { target: TARGET, message: { text: 'Your short link: https://go.example.com/new' } },
    ])
    expect(shown(delivered)).toEqual(['section', 'context', 'image', ['Share in channel']])
  })

  test('sends no picture of a link without a QR code', async () => {
    const delivered = setUp()
    const { qrColor: _none, ...plain } = link
    await delivered.shortener.deliver(CALLER, TARGET, plain)
    expect(shown(delivered)).toEqual(['section', 'context', ['Share in channel']])
  })

  test.each([
    ['in a direct message', { userId: 'U_ANA' }],
    ['to everyone', { ...TARGET, inChannel: true }],
  ])('has no button to share a link that is sent %s', async (_where, target) => {
    const delivered = setUp()
    await delivered.shortener.deliver(CALLER, target, link)
    expect(shown(delivered)).toEqual(['section', 'context', 'image'])
  })
})

describe('idempotencyKey', () => {
  const request = { destination_url: 'https://example.com', domain: 'dom_1' }
  const image = (byte: number) => ({ filename: 'a.png', bytes: Uint8Array.of(byte) })

  test('is the same if Slack delivers the same request twice', () => {
    expect(idempotencyKey('V1', { ...request })).toBe(idempotencyKey('V1', { ...request }))
    expect(idempotencyKey('V1', { ...request, preview_image: image(1) })).toBe(
      idempotencyKey('V1', { ...request, preview_image: image(1) }),
    )
  })

  test('differs for another view, another field and another image', () => {
    const keys = [
      idempotencyKey('V1', request),
      idempotencyKey('V2', request),
      idempotencyKey('V1', { ...request, back_half: 'x' }),
      idempotencyKey('V1', { ...request, preview_image: image(1) }),
      idempotencyKey('V1', { ...request, preview_image: image(2) }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})
