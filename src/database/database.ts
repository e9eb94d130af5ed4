import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Kysely, sql, type Dialect } from 'kysely'
import type { DatabaseMetrics, Pool, PoolMetrics } from '../metrics/database-metrics.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { sharedFor } from '../timing/shared.ts'
import { errorMessage } from '../values/unknown-values.ts'
import { databaseKind, sqlitePath, type DatabaseKind } from './database-url.ts'
import { longReadsDialect } from './long-reads.ts'
import { measureStatement } from './measure.ts'
import { migrate, type LogStep } from './migrations.ts'
import type { Db } from './schema.ts'
import { SqliteFile } from './sqlite-file.ts'
import type { Threads } from './sqlite-thread.ts'
import { createSqliteWriter } from './sqlite-writer.ts'
import { checkIntact, sqliteDialect, sqliteMainDialect } from './sqlite.ts'
import { tryCreate } from './trial-create.ts'
import { watchLinks, type LinkWatcher } from './watch-links.ts'
import type { RunWrite } from './write.ts'

// How long SQLite waits for another process.
const WRITE_TIMEOUT_MS = 5_000
const MIGRATION_TIMEOUT_MS = 600_000

// Anyone can request the health check that calls `checkWritable`, so calls share a successful result for this time.
const WRITABLE_FOR_MS = 1_000

const POSTGRES = { connectMs: 2_000, statementMs: 4_000 }

// The connections of a process to PostgreSQL. One or two are for long reads.
const POOL_SIZE = 10
export const MIN_POOL_SIZE = 2
export const MAX_POOL_SIZE = 1_000

/** The app's and the service's open database, on SQLite or PostgreSQL. Several processes can share it. */
export interface Database extends AsyncDisposable {
  readonly kind: DatabaseKind
  readonly db: Db
  /**
   * For reads that can take long, such as searches. On SQLite, they run in a thread, so that they don't block the event
   * loop. A read throws DatabaseUnavailableError if it takes too long or if too many others wait.
   */
  readonly longReads: Db
  /**
   * Runs a write (write.ts). Writes that arrive together share a transaction, because each commit waits for the disk.
   * @param ownerId the owner whose links are written. Other processes that write this owner's links wait for the commit
   */
  write: RunWrite
  /**
   * Builds an index. On SQLite, writes wait until it is built.
   * @param on the SQL after the index's name: `on links (owner_id)`
   * @returns true if the index exists now, false if another process is building it
   */
  buildIndex(name: string, on: string): Promise<boolean>
  /** Checks that links can be created. @throws if they can't */
  checkWritable(): Promise<void>
  /** Erases deleted data that SQLite's log might still hold. */
  eraseDeleted(): Promise<void>
  /** Reports changed links within a second, whichever process has changed them, until the database is closed. */
  watchLinks(watcher: LinkWatcher): void
  close(): Promise<void>
}

export async function diskSpace(url: string) {
  // In compose.yaml, PostgreSQL's data is on the disk of the working directory.
  const folder = resolve(databaseKind(url) === 'sqlite' ? dirname(sqlitePath(url)) : '.')
  const { bavail, blocks, bsize } = await statfs(folder)
  return { folder, freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

export interface OpenOptions {
  poolSize?: number | undefined
  writeTimeoutMs?: number
  threads?: Threads | undefined
  metrics?: Pick<Metrics, 'database'> | undefined
  log?: LogStep
}

/**
 * Opens a database, and migrates it to the newest schema under a lock, so several processes can start at the same time.
 * @param options.threads start SQLite's threads. Tests reuse threads, because a new one takes 0.2 s of CPU time
 * @throws Error that says why DATABASE_URL can't be opened. Its `cause` is the database's error
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const kind = databaseKind(url)
  if (!kind) throw new Error('DATABASE_URL must be file:PATH or postgres://…')
  try {
    const metrics = options.metrics?.database(kind)
    const database = await (kind === 'sqlite'
      ? openSqlite(sqlitePath(url), metrics, options)
      : openPostgres(url, metrics, options))
    if (metrics) await watchStorage(url, database.db, metrics)
    return database
  } catch (cause) {
    const reason = errorMessage(cause)
    throw new Error(`The database in DATABASE_URL can’t be opened: ${reason}`, { cause })
  }
}

const REFRESH_EVERY_MS = 60_000

async function watchStorage(url: string, db: Db, metrics: DatabaseMetrics): Promise<void> {
  const readStored = async () => ({
    backups: await db.selectFrom('backups').selectAll().executeTakeFirst(),
    backfills: await db.selectFrom('backfills').select('name').execute(),
  })
  let latest: Awaited<ReturnType<typeof readStored>> | undefined
  const refresh = sharedFor(REFRESH_EVERY_MS, async () => (latest = await readStored()))
  await refresh()
  // Returns the latest values at once, so that metrics never wait for a connection.
  const stored = () => {
    refresh().catch(() => undefined) // The database is unavailable, which other metrics show.
    return latest
  }
  metrics.watchStorage({
    data_free_bytes: async () => (await diskSpace(url)).freeBytes,
    data_size_bytes: async () => (await diskSpace(url)).sizeBytes,
    last_backup_timestamp_seconds: async () => (stored()?.backups?.made_at ?? NaN) / 1_000,
    backup_failures: async () => stored()?.backups?.failures,
    backfills_pending: async () => stored()?.backfills.length,
  })
}

async function openSqlite(
  path: string,
  metrics: DatabaseMetrics | undefined,
  { writeTimeoutMs: timeoutMs = WRITE_TIMEOUT_MS, threads, log }: OpenOptions,
): Promise<Database> {
  await migrate(sqliteDialect(path, { timeoutMs: MIGRATION_TIMEOUT_MS }), log)
  const file = new SqliteFile(path)
  const writer = createSqliteWriter(file, timeoutMs, metrics, threads)
  const longReads = longReadsDialect(path, {
    watchUsage: metrics?.pool('long_reads').watchUsage,
    threads,
    check: () => file.checkReadable(),
  })
  const db = openKysely(sqliteMainDialect(file, writer, timeoutMs), metrics?.pool('main'))
  return connect({
    kind: 'sqlite',
    db,
    longReads: openKysely(longReads, metrics?.pool('long_reads')),
    writer,
    file,
    async buildIndex(name, on) {
      await sql.raw(`create index if not exists ${name} ${on}`).execute(db)
      return true
    },
  })
}

async function openPostgres(
  url: string,
  metrics: DatabaseMetrics | undefined,
  { poolSize = POOL_SIZE, log }: OpenOptions,
): Promise<Database> {
  // Loaded only here, because most installations use SQLite.
  const { postgresDialect, PATIENT } = await import('./postgres.ts')
  const { PostgresServers } = await import('./postgres-servers.ts')
  const { buildPostgresIndex, createPostgresWriter } = await import('./postgres-writer.ts')
  await migrate(postgresDialect(url, PATIENT), log)
  const longReadConnections = poolSize < 5 ? 1 : 2
  const servers = new PostgresServers(url)
  const openPool = (name: Pool, maxConnections: number): Db => {
    const pool = metrics?.pool(name)
    return openKysely(postgresDialect(url, { ...POSTGRES, maxConnections }, pool, servers), pool)
  }
  const db = openPool('main', poolSize - longReadConnections)
  return connect({
    kind: 'postgres',
    db,
    longReads: openPool('long_reads', longReadConnections),
    writer: createPostgresWriter(db, metrics?.observeCommit),
    buildIndex: (name, on) => buildPostgresIndex(url, name, on),
  })
}

function openKysely(dialect: Dialect, pool: PoolMetrics | undefined): Db {
  return new Kysely({ dialect, ...(pool && { log: (event) => measureStatement(event, pool) }) })
}

interface OpenedParts extends Pick<Database, 'kind' | 'db' | 'longReads' | 'buildIndex'> {
  writer: { write: RunWrite; emptyLog?(): Promise<void>; close?(): Promise<void> }
  file?: SqliteFile
}

async function connect({ writer, file, ...parts }: OpenedParts): Promise<Database> {
  const { db, longReads } = parts
  const closing = new AbortController()
  async function close(): Promise<void> {
    closing.abort()
    await longReads.destroy()
    await db.destroy()
    // The last connection that closes empties SQLite's log if it can write, so the writer closes last.
    await writer.close?.()
  }
  const database: Database = {
    ...parts,
    write: (write, ownerId) => writer.write(write, ownerId),
    checkWritable: sharedFor(WRITABLE_FOR_MS, () => writer.write(tryCreate())),
    eraseDeleted: async () => writer.emptyLog?.(),
    watchLinks: (watcher) => watchLinks(db, watcher, closing.signal, () => file?.check()),
    close,
    [Symbol.asyncDispose]: close,
  }
  try {
    // The migration has already shown that SQLite's file can be written.
    await (file ? checkIntact(db) : database.checkWritable())
    file?.remember()
    return database
  } catch (error) {
    await close()
    throw error
  }
}
