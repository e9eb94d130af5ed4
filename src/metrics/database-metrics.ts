import { ANY, type Definitions } from './definitions.ts'

export type DatabaseWork = 'connect' | 'begin' | 'read' | 'write' | 'commit' | 'rollback'

export type Pool = 'main' | 'long_reads'

interface PoolUsage {
  waiting: number
  connections?: { inUse: number; idle: number; max: number }
}

export interface PoolMetrics {
  observeDuration: (work: DatabaseWork, seconds: number) => void
  countUnavailable: () => void
  watchUsage: (readUsage: () => PoolUsage) => void
}

export interface DatabaseMetrics {
  pool: (pool: Pool) => PoolMetrics
  /** Each scrape calls the functions. A gauge is missing from the scrape if its function returns undefined or NaN. */
  watchStorage: (read: Record<StorageGauge, () => Promise<number | undefined>>) => void
  observeCommit: (writes: number) => void
}

/** From 0.1 ms, because SQLite reads a link in microseconds, to 5 s, because a commit waits for the disk. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

const STORAGE = {
  data_free_bytes:
    'Free bytes on the disk that holds the database or, with PostgreSQL, the working directory.',
  data_size_bytes: 'Total bytes of the disk that data_free_bytes describes.',
  last_backup_timestamp_seconds: 'When the last backup succeeded, in seconds since 1970.',
  backup_failures: 'How many backups in a row have failed.',
  backfills_pending: 'Back-fills and indexes that an upgrade has not finished yet.',
}

type StorageGauge = keyof typeof STORAGE

export function databaseMetrics({ counter, histogram, gauge }: Definitions): DatabaseMetrics {
  const durations = histogram(
    'backhalf_database_duration_seconds',
    'How long the database took. On SQLite, a write includes the wait for earlier writes.',
    BUCKETS,
    { pool: ANY, work: ANY },
  )
  const unavailable = counter(
    'backhalf_database_unavailable_total',
    'Queries that failed because the database is unreachable, overloaded, locked, full or read-only.',
    { pool: ['main', 'long_reads'] },
  )
  const batches = histogram(
    'backhalf_database_commit_writes',
    'How many writes share a commit.',
    [1, 2, 5, 10, 20, 50, 100],
  )

  const usageReaders = new Map<Pool, () => PoolUsage>()
  const readPools = () => [...usageReaders].map(([pool, readUsage]) => ({ pool, ...readUsage() }))
  const readConnections = () =>
    readPools().flatMap(({ pool, connections }) => (connections ? [{ pool, ...connections }] : []))
  gauge(
    'backhalf_database_waiting',
    'Queries that wait for a connection or, on SQLite, for their turn.',
    ['pool'],
    () => readPools().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  )
  gauge('backhalf_database_connections', 'Open connections to PostgreSQL.', ['pool', 'state'], () =>
    readConnections().flatMap(({ pool, inUse, idle }) => [
      { labels: { pool, state: 'in_use' }, value: inUse },
      { labels: { pool, state: 'idle' }, value: idle },
    ]),
  )
  gauge(
    'backhalf_database_connections_max',
    'How many connections to PostgreSQL can be open.',
    ['pool'],
    () => readConnections().map(({ pool, max }) => ({ labels: { pool }, value: max })),
  )

  return {
    pool: (pool) => ({
      observeDuration: (work, seconds) => durations.observe({ pool, work }, seconds),
      countUnavailable: () => unavailable.inc({ pool }),
      watchUsage: (readUsage) => void usageReaders.set(pool, readUsage),
    }),
    watchStorage(read) {
      for (const [name, help] of Object.entries(STORAGE)) {
        gauge(`backhalf_${name}`, help, [], async () => {
          const value = await read[name as StorageGauge]()
          return value === undefined || Number.isNaN(value) ? [] : value
        })
      }
    },
    observeCommit: (writes) => batches.observe({}, writes),
  }
}
