import { ANY, type Definitions } from './definitions.ts'

export type DatabaseWork = 'connect' | 'begin' | 'read' | 'write' | 'commit' | 'rollback'

export type Pool = 'main' | 'long_reads'

interface PoolUsage {
  waiting: number
  connections?: { inUse: number; idle: number; max: number }
}

export interface PoolMetrics {
  worked: (work: DatabaseWork, seconds: number) => void
  unavailable: () => void
  watch: (read: () => PoolUsage) => void
}

export interface DatabaseMetrics {
  pool: (pool: Pool) => PoolMetrics
  watchStorage: (read: Record<keyof typeof STORAGE, () => Promise<number | undefined>>) => void
  committed: (writes: number) => void
}

/** From 0.1 ms to 5 s, because SQLite reads a link in some microseconds, but a commit waits for the disk. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

const BATCH_BUCKETS = [1, 2, 5, 10, 20, 50, 100]

const STORAGE = {
  data_free_bytes:
    'Free space of the disk with the database; of the working folder’s with PostgreSQL.',
  data_size_bytes: 'The size of that disk.',
  last_backup_timestamp_seconds: 'When the last good backup was made, in seconds since 1970.',
  backup_failures: 'How many backups in a row have failed.',
  backfills_pending: 'Back-fills and indexes of an upgrade that are not done yet.',
}

export function databaseMetrics({ counter, histogram, gauge }: Definitions): DatabaseMetrics {
  const durations = histogram(
    'backhalf_database_duration_seconds',
    'How long the database took. On SQLite, write contains the wait for earlier writes.',
    BUCKETS,
    { pool: ANY, work: ANY },
  )
  const failures = counter(
    'backhalf_database_unavailable_total',
    'Queries that failed because the database is unreachable, overloaded, locked, full or read-only.',
    { pool: ['main', 'long_reads'] },
  )
  const batches = histogram(
    'backhalf_database_commit_writes',
    'How many writes share a commit.',
    BATCH_BUCKETS,
    {},
  )

  const watched = new Map<Pool, () => PoolUsage>()
  const pools = () => [...watched].map(([pool, usage]) => ({ pool, ...usage() }))
  const postgresPools = () =>
    pools().flatMap(({ pool, connections }) => (connections ? [{ pool, ...connections }] : []))
  gauge(
    'backhalf_database_waiting',
    'Queries that wait for a connection. On SQLite, they wait for their turn.',
    ['pool'],
    () => pools().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  )
  gauge('backhalf_database_connections', 'Open connections to PostgreSQL.', ['pool', 'state'], () =>
    postgresPools().flatMap(({ pool, inUse, idle }) => [
      { labels: { pool, state: 'in_use' }, value: inUse },
      { labels: { pool, state: 'idle' }, value: idle },
    ]),
  )
  gauge(
    'backhalf_database_connections_max',
    'How many connections to PostgreSQL can be open.',
    ['pool'],
    () => postgresPools().map(({ pool, max }) => ({ labels: { pool }, value: max })),
  )

  return {
    pool: (pool) => ({
      worked: (work, seconds) => durations.observe({ pool, work }, seconds),
      unavailable: () => failures.inc({ pool }),
      watch: (read) => void watched.set(pool, read),
    }),
    watchStorage(read) {
      for (const [name, help] of Object.entries(STORAGE)) {
        gauge(`backhalf_${name}`, help, [], async () => {
          const value = await read[name as keyof typeof STORAGE]()
          return value !== undefined && !Number.isNaN(value) ? [{ labels: {}, value }] : []
        })
      }
    },
    committed: (writes) => batches.observe({}, writes),
  }
}
