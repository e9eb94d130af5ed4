import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { qrPng, qrSvg, type QrStyle } from './qr-code.ts'

const CACHE_BYTES = 8_000_000
const MAX_WAITING = 200

/** Draws one image at a time. An image takes about 2 ms, but anyone can request hundreds at once. */
export function createQrImages({ cacheBytes = CACHE_BYTES, maxWaiting = MAX_WAITING } = {}) {
  const cache = new LRUCache<string, Buffer>({
    maxSize: cacheBytes,
    sizeCalculation: (image, key) => image.length + key.length + 1,
  })
  const waiting = new Map<string, Promise<Buffer>>()
  let last: Promise<unknown> = Promise.resolve()

  return {
    /** @returns undefined if too many images are waiting to be drawn */
    async draw(format: 'png' | 'svg', text: string, style: QrStyle): Promise<Buffer | undefined> {
      const key = JSON.stringify([format, text, style.color, style.size, style.margin])
      const existing = cache.get(key) ?? waiting.get(key)
      if (existing) return existing
      if (waiting.size >= maxWaiting) return undefined
      const image = last.then(async () => {
        // Lets other requests run between two images.
        await setImmediate()
        const drawn = format === 'png' ? await qrPng(text, style) : Buffer.from(qrSvg(text, style))
        cache.set(key, drawn)
        return drawn
      })
      waiting.set(key, image)
      const stopWaiting = (): boolean => waiting.delete(key)
      last = image.then(stopWaiting, stopWaiting)
      return image
    },
  }
}
