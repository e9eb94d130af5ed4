import type { QueryResult } from 'kysely'
import type { DatabaseMetrics } from '../metrics/database-metrics.ts'
import { createGroupCommit } from './group-commit.ts'
import { measure } from './measure.ts'
import type { Statement } from './sqlite-connection.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { createSqliteThread, type Threads } from './sqlite-thread.ts'
import type { Committed, SentWrite, WriterRequest } from './sqlite-writer-thread.ts'
import type { RunWrite } from './write.ts'

const SCRIPT = new URL('../writer-thread.ts', import.meta.url)

/** Writes to SQLite in a thread, because each commit waits for the disk. Writes that arrive together share a commit. */
export function createSqliteWriter(
  file: SqliteFile,
  timeoutMs: number,
  metrics: DatabaseMetrics | undefined,
  threads?: Threads,
) {
  const thread = createSqliteThread<WriterRequest>({
    script: SCRIPT,
    data: { path: file.path, timeoutMs },
    writes: true,
    threads,
    check: () => file.check(),
  })
  const pool = metrics?.pool('main')
  const commits = createGroupCommit<SentWrite | Statement>(async (writes) => {
    const { results, beginSeconds, commitSeconds } = (await thread.ask(writes)) as Committed
    pool?.observeDuration('begin', beginSeconds)
    pool?.observeDuration('commit', commitSeconds)
    metrics?.observeCommit(writes.length)
    return results
  })
  pool?.watchUsage(() => ({ waiting: commits.queued() }))

  const write: RunWrite = ({ run, args }, ownerId) =>
    measure(pool, 'write', commits.write({ name: run.name, args }, ownerId))
  return {
    write,
    // Statements are measured with Kysely's other queries.
    execute: <R>(statement: Statement) => commits.write<QueryResult<R>>(statement),
    /** Empties SQLite's log, which still holds deleted data. If a thread is reading, later writes overwrite it. */
    async emptyLog(): Promise<void> {
      await thread.ask('empty the log')
    },
    async close(): Promise<void> {
      await commits.close()
      await file.closeWith(() => thread.close())
    },
  }
}
