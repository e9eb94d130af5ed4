import { describe, expect, test } from 'vitest'
import { idempotencyKey } from '../../../src/slack/shorten/shortener.ts'

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
