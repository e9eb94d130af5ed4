import { randomUUID } from 'node:crypto'
import { CREATE_PATH } from '../../src/contract/endpoints.ts'
import type { Database } from '../../src/database/database.ts'

/** Programs that create links at the same time, and repeat each create until it is acknowledged. */
export interface Writers {
  /** The short URL of each acknowledged destination. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** How many answers there were of each status; `none` if the connection broke. */
  readonly statuses: ReadonlyMap<string, number>
  /** Waits until so many more links are acknowledged, or none are made anymore. */
  advance(count: number): Promise<void>
  /** Stops creating links. Resolves when every create is acknowledged. */
  stop(): Promise<void>
  /** The same, without repeating a create that was not acknowledged. */
  giveUp(): Promise<void>
}

/** How long a writer waits before it repeats a create, in milliseconds. */
const REPEAT_AFTER_MS = 20

/** How long a writer waits for an answer, in milliseconds. */
const TIMEOUT_MS = 30_000

/** @param name part of each destination, because each destination gets one link */
export function startWriters(
  count: number,
  baseUrl: string,
  apiKey: string,
  name = 'written',
): Writers {
  const acknowledged = new Map<string, string>()
  const statuses = new Map<string, number>()
  let [stopped, givenUp] = [false, false]
  let made = 0

  /** @returns the short URL; undefined without a success */
  async function tryCreate(destination: string, key: string): Promise<string | undefined> {
    const body = new FormData()
    body.set('destination_url', destination)
    body.set('domain', 'default')
    const headers = { 'x-api-key': apiKey, 'idempotency-key': key }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const response = await fetch(baseUrl + CREATE_PATH, { method: 'POST', headers, body, signal })
      const text = await response.text()
      increment(statuses, String(response.status))
      if (response.status !== 200) return undefined
      const { data } = JSON.parse(text) as { data: { shortlink: { shortlink_url: string } } }
      return data.shortlink.shortlink_url
    } catch {
      increment(statuses, 'none')
      return undefined
    }
  }

  async function write(): Promise<void> {
    while (!stopped) {
      const destination = `https://example.com/${name}/${(made += 1)}`
      const key = randomUUID()
      let url = await tryCreate(destination, key)
      while (url === undefined && !givenUp) {
        await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS))
        url = await tryCreate(destination, key)
      }
      if (url !== undefined) acknowledged.set(destination, url)
    }
  }

  const writers = Array.from({ length: count }, write)
  return {
    acknowledged,
    statuses,
    async advance(more) {
      const target = acknowledged.size + more
      while (!stopped && acknowledged.size < target)
        await new Promise((resolve) => setTimeout(resolve, 5))
    },
    async stop() {
      stopped = true
      await Promise.all(writers)
    },
    async giveUp() {
      stopped = givenUp = true
      await Promise.all(writers)
    },
  }
}

/** Compares what was acknowledged with what is stored. */
export async function findLosses(
  { db }: Database,
  acknowledged: ReadonlyMap<string, string>,
): Promise<{ lost: number; twice: number }> {
  const rows = await db
    .selectFrom('links')
    .select(['destination_url', 'back_half'])
    .where('deleted_at', 'is', null)
    .execute()
  const stored = new Map<string, string[]>()
  for (const { destination_url: destination, back_half: backHalf } of rows) {
    stored.set(destination, [...(stored.get(destination) ?? []), backHalf])
  }
  const isStored = ([destination, url]: [string, string]): boolean =>
    stored.get(destination)?.includes(new URL(url).pathname.slice(1)) === true
  return {
    lost: [...acknowledged].filter((one) => !isStored(one)).length,
    twice: [...stored.values()].filter((backHalves) => backHalves.length > 1).length,
  }
}

export function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
