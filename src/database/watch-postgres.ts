import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { LinkWatcher } from './watch-sqlite.ts'
import { isTooManyConnections } from './postgres-errors.ts'

/** What the trigger of link_history notifies (migrations/001-baseline.ts). */
const CHANNEL = 'link_changed'

/** How often we ask whether the connection still works, and for how long we wait, in milliseconds. */
const [ASK_EVERY_MS, ANSWER_MS] = [1_000, 2_000]

/** How long to wait before we connect again, in milliseconds. */
const RETRY_MS = 250

/**
 * Reports links that any process changes in a PostgreSQL database, through a connection of its own. If it breaks,
 * it is made again, and every link counts as changed.
 *
 * @param isReachable whether this process's other connections work
 */
export function watchPostgres(
  url: string,
  watcher: LinkWatcher,
  isReachable: () => Promise<boolean>,
): { close(): Promise<void> } {
  const closing = new AbortController()
  const pause = (ms: number, signal = closing.signal): Promise<void> =>
    sleep(ms, undefined, { signal, ref: false })
  let isLost = false

  /** @throws as soon as the connection is known to be broken, or the server doesn't let us listen */
  async function listen(): Promise<never> {
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
      if (payload && !closing.signal.aborted) watcher.changed([payload])
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      watcher.missed()
      isLost = false
      for (;;) {
        await pause(ASK_EVERY_MS, AbortSignal.any([ended.signal, closing.signal]))
        await client.query('select 1')
      }
    } finally {
      client.end().catch(() => undefined)
    }
  }

  async function waitAfter(error: unknown): Promise<void> {
    if (closing.signal.aborted) return
    if (!isLost) watcher.lost(error)
    isLost = true
    // The server may have no connection left for us, while others change links through theirs.
    if (isTooManyConnections(error) && (await isReachable())) watcher.missed()
    await pause(RETRY_MS).catch(() => undefined)
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) await listen().catch(waitAfter)
  }

  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}
