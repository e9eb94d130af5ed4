import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type Driver,
} from 'kysely'

/** Kysely's dialect of SQLite with our own driver. */
export function sqliteDialectOf(createDriver: () => Driver): Dialect {
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createDriver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** Our drivers decide which queries wait for each other. */
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
