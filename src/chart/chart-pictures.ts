import { LRUCache } from 'lru-cache'
import type { Piscina } from 'piscina'

export interface ChartPictures {
  draw: (svg: string) => Promise<Uint8Array>
  close: () => Promise<void>
}

const CACHE_BYTES = 4_000_000
const TIMEOUT_MS = 5_000

/** How long the thread waits for the next chart before it ends. A running thread takes 30 MB of memory. */
const IDLE_MS = 30_000

/** Turns charts from SVG into PNG, which Slack can show. Uses a thread, because one chart takes about 50 ms. */
export function createChartPictures({
  maxWaiting = 30,
  timeout = () => AbortSignal.timeout(TIMEOUT_MS),
} = {}): ChartPictures {
  const closed = new AbortController()
  let pool: Promise<Piscina<string, Uint8Array>> | undefined
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (png, svg) => png.length + svg.length,
    async fetchMethod(svg) {
      const signal = AbortSignal.any([timeout(), closed.signal])
      try {
        const threads = await (pool ??= createPool())
        // Piscina’s maxQueue doesn’t count tasks that have a signal.
        if (threads.queueSize >= maxWaiting) throw new Error('too many charts wait')
        return await threads.run(svg, { signal })
      } catch (cause) {
        throw new Error('the chart can’t be drawn', { cause })
      }
    },
  })

  return {
    draw: (svg) => cache.forceFetch(svg),
    async close() {
      closed.abort()
      await (await pool)?.destroy()
    },
  }
}

async function createPool(): Promise<Piscina<string, Uint8Array>> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: new URL('./chart-pictures-worker.ts', import.meta.url).href,
    name: 'drawPicture',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  })
}
