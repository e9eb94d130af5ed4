import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type Dialect,
  type QueryResult,
} from 'kysely'

/** What Kysely's queries of a SQLite file run on. */
export interface SqliteExecutor {
  execute<R>(query: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>>
  /** Absent if there are no transactions of this kind. */
  transact?(step: 'begin immediate' | 'commit' | 'rollback'): void | Promise<void>
  close(): void | Promise<void>
}

/** Kysely's dialect of SQLite. @param open called by the first query */
export function sqliteDialectOf(open: () => SqliteExecutor | Promise<SqliteExecutor>): Dialect {
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver() {
      let executor: SqliteExecutor | undefined
      const transact = async (step: 'begin immediate' | 'commit' | 'rollback'): Promise<void> => {
        if (!executor?.transact) throw new Error('a transaction must be a write (write.ts)')
        await executor.transact(step)
      }
      return {
        async init() {
          executor = await open()
        },
        acquireConnection: async () => ({
          async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
            if (!executor) throw new Error('the database is not open')
            return executor.execute<R>(query)
          },
          streamQuery() {
            throw new Error('queries of SQLite can’t be streamed')
          },
        }),
        // One that only later starts to write could fail at that moment.
        beginTransaction: () => transact('begin immediate'),
        commitTransaction: () => transact('commit'),
        rollbackTransaction: () => transact('rollback'),
        releaseConnection: async () => undefined,
        async destroy() {
          await executor?.close()
        },
      }
    },
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** Queries of SQLite wait for each other where they run. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /**
   * Makes Kysely migrate inside a transaction, which SQLite supports. The transaction also serves as
   * the lock between processes that start at once, because Kysely has no lock of its own on SQLite.
   */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
