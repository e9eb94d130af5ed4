import { expect, test } from 'vitest'
import { idempotencyKey } from '../../src/slack/idempotency-key.ts'

const request = { destination_url: 'https://example.com', domain: 'dom_1' }
const image = (byte: number) => ({ filename: 'a.png', bytes: Uint8Array.of(byte) })

test('the same delivery of the same request has the same key', () => {
  expect(idempotencyKey('V1', { ...request })).toBe(idempotencyKey('V1', { ...request }))
  expect(idempotencyKey('V1', { ...request, preview_image: image(1) })).toBe(
    idempotencyKey('V1', { ...request, preview_image: image(1) }),
  )
})

test('another delivery, another field or another image has another', () => {
  const keys = [
    idempotencyKey('V1', request),
    idempotencyKey('V2', request),
    idempotencyKey('V1', { ...request, back_half: 'x' }),
    idempotencyKey('V1', { ...request, preview_image: image(1) }),
    idempotencyKey('V1', { ...request, preview_image: image(2) }),
  ]
  expect(new Set(keys).size).toBe(keys.length)
})
