import { LRUCache } from 'lru-cache'
import type { QueryResult } from 'kysely'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** How many prepared statements are kept. Limited, because SQL varies with the length of lists. */
const MAX_PREPARED = 200

/** A statement, as one thread sends it to another. */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** A connection to a SQLite file that keeps its statements prepared. */
export class Statements {
  readonly #sqlite: DatabaseSync
  readonly #prepared = new LRUCache<string, { statement: StatementSync; returnsRows: boolean }>({
    max: MAX_PREPARED,
    memoMethod: (sql) => {
      const statement = this.#sqlite.prepare(sql)
      return { statement, returnsRows: statement.columns().length > 0 }
    },
  })

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite
  }

  execute<R>({ sql, parameters }: Statement): QueryResult<R> {
    const { statement, returnsRows } = this.#prepared.memo(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as R[] }
    return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] }
  }

  /** Runs a statement without parameters. */
  run<R>(sql: string): QueryResult<R> {
    return this.execute({ sql, parameters: [] })
  }

  /** Ends a transaction, unless an error has ended it already. */
  rollBack(): void {
    if (this.#sqlite.isTransaction) this.run('rollback')
  }

  get isTransaction(): boolean {
    return this.#sqlite.isTransaction
  }

  close(): void {
    this.#prepared.clear()
    this.#sqlite.close()
  }
}
