import type { DatabaseMetrics, DatabaseWork, Pool, PoolUsage } from './metrics.ts'
import type { Histogram, Reading, Registry } from './registry.ts'

/** SQLite reads a link in some microseconds. A commit waits for the disk. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** At most 100 writes share a transaction. */
const BATCH_BOUNDS = [1, 2, 5, 10, 20, 50, 100]

export function createDatabaseMetrics(registry: Registry): DatabaseMetrics {
  const durations = registry.histogram(
    {
      name: 'backhalf_database_duration_seconds',
      help: 'How long the database took. On SQLite, begin and write contain the wait for earlier writes.',
      labels: ['pool', 'work'],
    },
    BOUNDS,
  )
  const failures = registry.counter({
    name: 'backhalf_database_unavailable_total',
    help: 'Queries that failed because the database is unreachable, overloaded, locked, full or read-only.',
    labels: ['pool'],
  })
  const batches = registry.histogram(
    {
      name: 'backhalf_database_commit_writes',
      help: 'How many creates and changes share a commit.',
    },
    BATCH_BOUNDS,
  )({})

  const watched = new Map<Pool, () => PoolUsage>()
  const readPools = <L extends string>(read: (pool: Pool, usage: PoolUsage) => Reading<L>[]) =>
    [...watched].flatMap(([pool, usage]) => read(pool, usage()))
  registry.gauge(
    {
      name: 'backhalf_database_waiting',
      help: 'Queries that wait for a connection. On SQLite, they wait for their turn.',
      labels: ['pool'],
    },
    () => readPools((pool, { waiting }) => [{ labels: { pool }, value: waiting }]),
  )
  registry.gauge(
    {
      name: 'backhalf_database_connections',
      help: 'Open connections to PostgreSQL.',
      labels: ['pool', 'state'],
    },
    () =>
      readPools((pool, { connections }) =>
        connections
          ? [
              { labels: { pool, state: 'in_use' }, value: connections.inUse },
              { labels: { pool, state: 'idle' }, value: connections.idle },
            ]
          : [],
      ),
  )
  registry.gauge(
    {
      name: 'backhalf_database_connections_max',
      help: 'How many connections to PostgreSQL may be open.',
      labels: ['pool'],
    },
    () =>
      readPools((pool, { connections }) =>
        connections ? [{ labels: { pool }, value: connections.max }] : [],
      ),
  )

  return {
    pool(pool) {
      const failed = failures({ pool })
      const times: Partial<Record<DatabaseWork, Histogram>> = {}
      return {
        worked: (work, seconds) => (times[work] ??= durations({ pool, work })).observe(seconds),
        unavailable() {
          failed.value++
        },
        watch: (read) => void watched.set(pool, read),
      }
    },
    committed: (writes) => batches.observe(writes),
  }
}
