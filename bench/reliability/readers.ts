import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/database/database.ts'

/** Visitors who open one link again and again. */
export type Readers = Awaited<ReturnType<typeof startReaders>>

/** How often each opens it, and how long the redirect can take, in milliseconds. */
const [EVERY_MS, TIMEOUT_MS] = [50, 5_000]

/** How long until the last clicks are written, in milliseconds. */
const CLICKS_MS = 3_000

/** Without a browser's name, clicks would not be those of people. */
const headers = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

/** Returns once every process has the link in its memory. */
export async function startReaders(count: number, url: string) {
  let [redirects, failed, stopped] = [0, 0, false]

  async function read(): Promise<void> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const response = await fetch(url, { redirect: 'manual', headers, signal })
      await response.arrayBuffer()
      if (response.status === 302) redirects += 1
      else failed += 1
    } catch {
      failed += 1
    }
  }

  for (let asked = 0; asked < 10; asked++) await read()
  const readers = Array.from({ length: count }, async () => {
    while (!stopped) {
      await read()
      await pause(EVERY_MS)
    }
  })
  return {
    failed: () => failed,
    forget: () => void (failed = 0),
    /** @returns how many redirects there were, and how many of them the service counted */
    async stop({ db }: Database): Promise<{ redirects: number; counted: number }> {
      stopped = true
      await Promise.all(readers)
      await pause(CLICKS_MS)
      const backHalf = new URL(url).pathname.slice(1)
      const rows = await db
        .selectFrom('clicks')
        .innerJoin('links', 'links.id', 'clicks.link_id')
        .where('links.back_half', '=', backHalf)
        .select(['people', 'bots'])
        .execute()
      const counted = rows.reduce((sum, { people, bots }) => sum + people + bots, 0)
      return { redirects, counted }
    },
  }
}
