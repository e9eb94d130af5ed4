import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'

/** Draws charts as PNG pictures in a thread: one takes about 50 ms. */
export interface ChartPictures {
  /**
   * Draws an SVG (clicks-chart.ts), or returns the picture that was drawn before.
   *
   * @throws Error if it can't be drawn, takes too long, or if too many wait
   */
  draw(svg: string): Promise<Uint8Array>
  close(): Promise<void>
}

/** The drawn pictures in memory, in bytes. One has about 30 KB. */
const CACHE_BYTES = 4_000_000

const LIMITS = {
  /** How long a picture may take, including its wait for earlier ones, in milliseconds. */
  timeoutMs: 5_000,
  /** How many pictures are drawn or wait at most. */
  maxWaiting: 30,
  /** The thread ends if it draws nothing for so long, because it takes 30 MB of memory. */
  idleMs: 30_000,
}

interface Waiting {
  svg: string
  resolve: (png: Uint8Array) => void
  reject: (error: Error) => void
}

export function createChartPictures({
  timeoutMs = LIMITS.timeoutMs,
  maxWaiting = LIMITS.maxWaiting,
  idleMs = LIMITS.idleMs,
}: Partial<typeof LIMITS> = {}): ChartPictures {
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (png, svg) => png.length + svg.length,
  })
  const drawings = new Map<string, Promise<Uint8Array>>()
  let queue: Waiting[] = []
  let running: Waiting | undefined
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let closed = false

  function startWorker(): Worker {
    const started = new Worker(new URL('./chart-pictures-worker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    started.unref()
    started.on('message', (png: Uint8Array) => {
      if (started === worker) end(({ resolve }) => resolve(png))
    })
    started.on('error', (cause) => {
      if (started !== worker) return
      worker = undefined
      end(({ reject }) => reject(new Error('the chart can’t be drawn', { cause })))
    })
    return started
  }

  async function stopWorker(): Promise<void> {
    const stopped = worker
    worker = undefined
    await stopped?.terminate()
  }

  /** Ends the drawing that runs, and begins the next one. */
  function end(settle: (ended: Waiting) => void): void {
    const ended = running
    running = undefined
    if (ended) settle(ended)
    next()
  }

  function next(): void {
    if (running || closed) return
    clearTimeout(idle)
    running = queue.shift()
    if (running) {
      worker ??= startWorker()
      worker.postMessage(running.svg)
    } else {
      idle = setTimeout(() => void stopWorker(), idleMs)
      idle.unref()
    }
  }

  async function drawInThread(svg: string): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const drawing: Waiting = { svg, resolve, reject }
    const timer = setTimeout(() => {
      reject(new Error('the chart took too long'))
      queue = queue.filter((waiting) => waiting !== drawing)
      if (running !== drawing) return
      void stopWorker()
      end(() => undefined)
    }, timeoutMs)
    queue.push(drawing)
    next()
    return promise.finally(() => clearTimeout(timer))
  }

  return {
    async draw(svg) {
      const known = cache.get(svg) ?? drawings.get(svg)
      if (known) return known
      if (closed) throw new Error('no more charts are drawn')
      if (drawings.size >= maxWaiting) throw new Error('too many charts at once')
      const drawing = drawInThread(svg).finally(() => drawings.delete(svg))
      drawings.set(svg, drawing)
      const png = await drawing
      cache.set(svg, png)
      return png
    },
    async close() {
      closed = true
      clearTimeout(idle)
      const waiting = [...queue, ...(running ? [running] : [])]
      queue = []
      running = undefined
      for (const { reject } of waiting) reject(new Error('no more charts are drawn'))
      await stopWorker()
    },
  }
}
