import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createQrImages } from '../../src/qr/qr-code.ts'

const URLS = Array.from({ length: 40 }, (_, at) => `https://go.example.com/${at}`)

test('draws an image once, even if it is requested again meanwhile', async () => {
  const images = createQrImages()
  const request = () => images.draw('png', 'https://go.example.com/a', { color: '#1f4f46' })
  const [first, second] = await Promise.all([request(), request()])
  expect(second).toBe(first)
  expect(await request()).toBe(first)
  for (const style of [{ color: '#000000' }, { color: '#1f4f46', size: 300 }]) {
    expect(await images.draw('png', 'https://go.example.com/a', style)).not.toEqual(first)
  }
  const svg = await images.draw('svg', 'https://go.example.com/a', { color: '#1f4f46' })
  expect(String(svg)).toMatch(/^<svg/)
})

test('keeps a bounded number of bytes', async () => {
  const images = createQrImages({ cacheBytes: 10_000 })
  const first = await images.draw('png', 'https://go.example.com/a', {})
  for (const url of URLS) await images.draw('png', url, {})
  const again = await images.draw('png', 'https://go.example.com/a', {})
  expect(again).toEqual(first)
  expect(again).not.toBe(first)
})

test('lets other work run between two images', async () => {
  const images = createQrImages()
  let drawn = 0
  const urls = URLS.slice(0, 12)
  const all = urls.map(async (url) => {
    await images.draw('png', url, { size: 2_000 })
    drawn++
  })
  const seen: number[] = []
  while (drawn < urls.length) {
    await turn()
    seen.push(drawn)
  }
  await Promise.all(all)
  // No turn of the event loop finished more than one image.
  expect(seen.filter((count, at) => count - (seen[at - 1] ?? 0) > 1)).toEqual([])
})

test('refuses images if too many wait, and draws again afterwards', async () => {
  const images = createQrImages({ maxWaiting: 3 })
  const requested = URLS.map((url) => images.draw('svg', url, {}))
  const drawn = await Promise.all(requested)
  expect(drawn.map((image) => image !== undefined)).toEqual(URLS.map((_, at) => at < 3))
  expect(await images.draw('svg', URLS.at(-1) ?? '', {})).toBeDefined()
})

test('goes on after a text that is too long', async () => {
  const images = createQrImages()
  const tooLong = images.draw('png', 'x'.repeat(2_332), {})
  const next = images.draw('png', 'https://go.example.com/a', {})
  await expect(tooLong).rejects.toThrow(/too big/i)
  expect(await next).toBeDefined()
})
