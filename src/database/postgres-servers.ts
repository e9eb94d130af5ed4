import pg from 'pg'
import { postgresUrls } from './database-url.ts'

// pg-pool's message if all connections are in use.
const POOL_IS_FULL = 'timeout exceeded when trying to connect'

/**
 * Finds the server in DATABASE_URL that accepts writes, as libpq does with `target_session_attrs=read-write`. All pools
 * share this, because a pool that only reads would not notice a failover.
 */
export class PostgresServers {
  readonly #urls: readonly string[]
  #currentIndex = 0
  // Connections that were opened after the last one broke. Older ones might lead to a server that doesn't write.
  readonly #trusted = new Set<pg.ClientBase>()
  readonly Client: new (config?: pg.ClientConfig) => pg.Client

  constructor(url: string) {
    this.#urls = postgresUrls(url)
    const currentUrl = () => this.#urls[this.#currentIndex]
    this.Client = class extends pg.Client {
      constructor(config: pg.ClientConfig = {}) {
        super({ ...config, connectionString: currentUrl() })
      }
    }
  }

  /** Prepares a new connection. @throws if its server is read-only, and DATABASE_URL has others */
  async prepare(client: pg.ClientBase, settings: string): Promise<void> {
    await client.query(settings)
    if (this.#urls.length > 1 && (await isReadOnly(client))) {
      throw new Error('no server in DATABASE_URL accepts writes')
    }
    this.#trusted.add(client)
    client.once('end', () => this.#trusted.delete(client))
  }

  /** Takes a trusted connection from a pool, or opens one. Tries each server. @throws the error of the first server */
  async connect(pool: pg.Pool): Promise<pg.PoolClient> {
    const failures: unknown[] = []
    for (;;) {
      const triedIndex = this.#currentIndex
      try {
        const client = await pool.connect()
        if (this.#trusted.has(client)) return client
        client.release(true) // Closes it, so that the pool opens a new one.
      } catch (error) {
        failures.push(error)
        // Another server would not help a full pool.
        const isFull = error instanceof Error && error.message === POOL_IS_FULL
        if (isFull || failures.length === this.#urls.length) throw failures[0]
        // Another request that failed might already have moved on.
        if (this.#currentIndex === triedIndex) this.#moveOn()
      }
    }
  }

  isTrusted(client: pg.ClientBase): boolean {
    return this.#trusted.has(client)
  }

  /** Gives up a broken connection, and all older ones. The next connection is opened to another server. */
  distrust(client: pg.ClientBase): void {
    if (!this.#trusted.has(client)) return
    this.#trusted.clear()
    // The server isn't asked for its role, because a former primary still says that it accepts writes.
    this.#moveOn()
  }

  #moveOn(): void {
    this.#currentIndex = (this.#currentIndex + 1) % this.#urls.length
  }
}

async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is: string }>(
    `select current_setting('transaction_read_only') as is`,
  )
  return rows[0]?.is === 'on'
}

const ROLE_TIMEOUT_MS = 2_000

export function readRoles(url: string) {
  const limits = { connectionTimeoutMillis: ROLE_TIMEOUT_MS, query_timeout: ROLE_TIMEOUT_MS }
  const readRole = async (connectionString: string) => {
    const client = new pg.Client({ connectionString, ...limits })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return { url: connectionString, isReplica: await isReadOnly(client) }
    } catch (error) {
      return { url: connectionString, error }
    } finally {
      client.end().catch(() => undefined)
    }
  }
  return Promise.all(postgresUrls(url).map(readRole))
}
