import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PoolMetrics } from '../metrics/database-metrics.ts'
import { measure } from './measure.ts'
import { toConnectError, toPostgresFailure } from './postgres-errors.ts'
import { PostgresServers } from './postgres-servers.ts'

// PostgreSQL's type id of `int8`, which pg returns as text by default.
const INT8 = 20

interface PostgresLimits {
  maxConnections: number
  connectMs: number
  /** How long a statement can take; 0: as long as it needs. */
  statementMs: number
}

/** For migrations, copies and building indexes, which take as long as they need. */
export const PATIENT: PostgresLimits = { maxConnections: 1, connectMs: 5_000, statementMs: 0 }

// The server ends a statement that takes too long. If its answer takes this much longer, we give up the connection.
const ANSWER_MS = 1_000

// The server ends a transaction that waits this long for our next statement.
const IDLE_TRANSACTION_MS = 10_000
const IDLE_CONNECTION_MS = 10_000

// The server's name might lead to another server after a failover, so each connection is replaced after 30 s.
const LIFETIME_S = 30

const CLOSE_MS = 500

/**
 * Kysely's PostgresDialect, with integers as numbers, because our times and counts are below 2^53. While the server
 * restarts, hangs or has no free connection, queries fail with DatabaseUnavailableError within seconds.
 */
export function postgresDialect(
  url: string,
  limits: PostgresLimits,
  metrics?: PoolMetrics,
  servers = new PostgresServers(url),
): PostgresDialect {
  const pool = createPool(servers, limits)
  metrics?.watchUsage(() => {
    const { totalCount, idleCount: idle, waitingCount: waiting } = pool
    return { waiting, connections: { inUse: totalCount - idle, idle, max: limits.maxConnections } }
  })
  return new PostgresDialect({
    pool: {
      options: pool.options,
      connect: () => measure(metrics, 'connect', connect(servers, pool)),
      async end() {
        await Promise.race([pool.end(), sleep(CLOSE_MS, undefined, { ref: false })])
      },
    },
  })
}

function createPool(
  servers: PostgresServers,
  { maxConnections, connectMs, statementMs }: PostgresLimits,
) {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  const pool = new pg.Pool({
    Client: servers.Client,
    fallback_application_name: 'backhalf',
    types,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    // A server that hangs doesn't end statements, so pg gives up the connection.
    ...(statementMs > 0 && { query_timeout: statementMs + ANSWER_MS }),
    // These settings are sent after connecting, because poolers such as PgBouncer reject them as options.
    verify(client, done) {
      const settings = `set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`
      servers.prepare(client, settings).then(() => done(), done)
    },
    keepAlive: true,
    maxLifetimeSeconds: LIFETIME_S,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    allowExitOnIdle: true,
  })
  // Without these listeners, a broken connection would end the process. They need to do nothing, because the pool drops
  // a broken idle connection itself, and the query on a connection in use fails.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

async function connect(servers: PostgresServers, pool: pg.Pool): Promise<PostgresPoolClient> {
  try {
    return withOurErrors(await servers.connect(pool), servers)
  } catch (error) {
    throw toConnectError(error)
  }
}

// A connection whose errors are ours (toPostgresFailure). It is closed if it is broken or the server doesn't answer.
function withOurErrors(client: pg.PoolClient, servers: PostgresServers): PostgresPoolClient {
  let inTransaction = false
  let wasBroken = false

  async function query(sql: string, parameters: readonly unknown[]) {
    try {
      const result = await client.query(sql, [...parameters])
      if (/^(?:begin|start transaction)\b/.test(sql)) inTransaction = true
      return result
    } catch (cause) {
      const isCommit = sql === 'commit' || (!inTransaction && !isRead(sql))
      const { error, isBroken } = toPostgresFailure(cause, isCommit)
      if (isBroken && !wasBroken) {
        wasBroken = true
        servers.distrust(client)
        // Tells the server to end a statement that still runs.
        client.end().catch(() => undefined)
      }
      // The server rolls back when a connection is lost. Kysely would report this error instead of the first one.
      if (isBroken && sql === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
      throw error
    }
  }

  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || !servers.isTrusted(client)),
  }
}

function isRead(sql: string): boolean {
  return /^\s*(?:select|with)\b/i.test(sql) && !/\b(?:insert|update|delete)\b/i.test(sql)
}
