import { sql, type Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Schema } from './schema.ts'
import type { LinkWatcher } from './watch-sqlite.ts'

/** What the trigger of link_history notifies (migrations/001-baseline.ts). */
const CHANNEL = 'link_changed'

/** How often we ask whether the connection still works, and for how long we wait, in milliseconds. */
const [ASK_EVERY_MS, ANSWER_MS] = [1_000, 2_000]

/** We notify ourselves only with every fifth question, because each notification is a commit. */
const ASKS_PER_NOTIFICATION = 5

/** How long to wait before we connect again, in milliseconds. */
const RETRY_MS = 250

/** PostgreSQL accepted a notification to this process, but it didn't arrive. */
export class NotDeliveredError extends Error {
  readonly reason = 'PostgreSQL’s notifications of changed links don’t arrive.'
  readonly fix =
    'If DATABASE_URL leads to PgBouncer or another pooler, use its session mode (pool_mode = session), or connect to PostgreSQL directly.'
  override message = `${this.reason} ${this.fix}`
}

/**
 * Reports links that any process changes in a PostgreSQL database, through a connection of its own. If it breaks,
 * it is made again, and every link counts as changed.
 *
 * A connection may answer queries and still bring no notifications, for example through PgBouncer in transaction mode, or
 * to a server that a failover has replaced. So we also notify ourselves. If our notification doesn't arrive, the connection
 * counts as broken. Until one arrives, every link counts as changed several times a second.
 *
 * @param db the connections through which this process changes links
 * @param delivers called with true when our own notification has arrived, and with false when it hasn't or can't be sent
 */
export function watchPostgres(
  url: string,
  db: Kysely<Schema>,
  watcher: LinkWatcher,
  delivers?: (isDelivered: boolean) => void,
): { close(): Promise<void> } {
  const closing = new AbortController()
  const pause = (ms: number, signal = closing.signal): Promise<void> =>
    sleep(ms, undefined, { signal, ref: false })
  /** Only this process listens on it. */
  const ownChannel = `backhalf_${randomUUID()}`
  let isLost = false

  /** @returns whether PostgreSQL could be reached */
  const notifySelf = async (): Promise<boolean> =>
    sql`select pg_notify(${ownChannel}, '')`.execute(db).then(Boolean, () => false)

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
    const signal = AbortSignal.any([ended.signal, closing.signal])
    let arrive: (isDelivered: true) => void = () => undefined
    // Without a listener for errors, a broken connection would end the process.
    client.on('error', (error) => ended.abort(error))
    client.on('end', () => ended.abort(new Error('the connection was closed')))
    client.on('notification', ({ channel, payload }) => {
      if (channel === ownChannel) arrive(true)
      else if (payload && !closing.signal.aborted) watcher.changed([payload])
    })

    /** Sends no query on this connection while it waits: through PgBouncer, the answer could bring the notification. */
    async function checkDelivery(): Promise<void> {
      const { promise: arrival, resolve } = Promise.withResolvers<true>()
      arrive = resolve
      if (!(await notifySelf())) return delivers?.(false)
      for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
        if (await Promise.race([arrival, pause(RETRY_MS, signal)])) break
        if (waitedMs >= ANSWER_MS) throw new NotDeliveredError()
        watcher.missed()
      }
      delivers?.(true)
    }

    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}; listen "${ownChannel}"`)
      signal.throwIfAborted()
      watcher.missed()
      for (let asks = 0; ; asks++) {
        if (asks % ASKS_PER_NOTIFICATION === 0) await checkDelivery()
        isLost = false
        await pause(ASK_EVERY_MS, signal)
        await client.query('select 1')
      }
    } finally {
      client.end().catch(() => undefined)
    }
  }

  async function waitAfter(error: unknown): Promise<void> {
    if (closing.signal.aborted) return
    // During an outage, redirects come from memory. If our other connections still work, links may be changing.
    if (!isLost) watcher.lost(error)
    else if (await notifySelf()) watcher.missed()
    isLost = true
    delivers?.(false)
    await pause(RETRY_MS).catch(() => undefined)
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) await listen().catch(waitAfter)
  }

  void run()
  return { close: async () => closing.abort() }
}
