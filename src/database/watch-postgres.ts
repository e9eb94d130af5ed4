import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { LinkWatcher } from './link-watcher.ts'
import { isTooManyConnections } from './postgres-errors.ts'

/** What the trigger of link_history notifies (migrations/001-baseline.ts). */
const CHANNEL = 'link_changed'

/** How often we ask whether the connection still works, and for how long we wait, in milliseconds. */
const [ASK_EVERY_MS, ANSWER_MS] = [1_000, 2_000]

/** How long to wait before we connect again, in milliseconds. */
const RETRY_MS = 250

/**
 * After how many milliseconds a new connection replaces this one. PostgreSQL's “smart” shutdown waits until all of
 * them are closed.
 */
const LIFETIME_MS = 30_000

/**
 * Reports links that any process changes in a PostgreSQL database, through a connection of its own. If it breaks,
 * it is made again, and every link counts as changed.
 *
 * @param options.isReachable whether this process's other connections work
 */
export function watchPostgres(
  url: string,
  watcher: LinkWatcher,
  {
    isReachable,
    lifetimeMs = LIFETIME_MS,
  }: { isReachable: () => Promise<boolean>; lifetimeMs?: number },
): { close(): Promise<void> } {
  const closing = new AbortController()
  const { signal } = closing
  let current: Listener | undefined
  let isLost = false

  function lose(reason: unknown): void {
    current?.drop()
    current = undefined
    if (signal.aborted) return
    if (!isLost) watcher.lost(reason)
    isLost = true
  }

  /** Replaces the connection. The earlier one first reports everything that it has received. */
  async function renew(): Promise<void> {
    const next = await listen(url, watcher, signal)
    const heardAll = await current?.finish()
    if (!heardAll) watcher.missed()
    isLost = false
    current = next
  }

  /** The server may have no connection left for us, while others change links through theirs. */
  async function clearIfReachable(error: unknown): Promise<void> {
    if (isTooManyConnections(error) && (await isReachable())) watcher.missed()
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await renew()
      } catch (error) {
        if (!current || !isTooManyConnections(error)) {
          lose(error)
          await clearIfReachable(error)
          await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
          continue
        }
      }
      await current?.untilBroken(lifetimeMs).catch(lose)
    }
    current?.drop()
  }

  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}

/** A connection on which the server tells us about changed links. */
interface Listener {
  /** Waits, and throws as soon as the connection is known to be broken. */
  untilBroken(ms: number): Promise<void>
  /** Closes the connection once everything is reported. @returns whether that worked */
  finish(): Promise<boolean>
  drop(): void
}

/** @throws if the server can't be reached, or doesn't let us listen */
async function listen(url: string, watcher: LinkWatcher, closing: AbortSignal): Promise<Listener> {
  const client = new pg.Client({
    connectionString: url,
    fallback_application_name: 'backhalf',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
  })
  const ended = new AbortController()
  // Without a listener for errors, a broken connection would end the process.
  client.on('error', (error) => ended.abort(error))
  client.on('end', () => ended.abort(new Error('the connection was closed')))
  client.on('notification', ({ payload }) => {
    if (payload && !closing.aborted) watcher.changed([payload])
  })
  const drop = (): void => void client.end().catch(() => undefined)
  const signal = AbortSignal.any([ended.signal, closing])
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
  } catch (error) {
    drop()
    throw error
  }
  return {
    async untilBroken(ms) {
      for (const end = performance.now() + ms; performance.now() < end;) {
        await sleep(ASK_EVERY_MS, undefined, { signal, ref: false })
        await client.query('select 1')
      }
    },
    finish: () =>
      client
        .query('select 1')
        .then(
          () => true,
          () => false,
        )
        .finally(drop),
    drop,
  }
}
