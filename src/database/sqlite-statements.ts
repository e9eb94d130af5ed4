import { LRUCache } from 'lru-cache'
import type { QueryResult } from 'kysely'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** How many prepared statements are kept. Limited, because SQL varies with the length of lists. */
const MAX_PREPARED = 200

/** A statement, as one thread sends it to another. */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** Whether it belongs to a transaction that has begun. */
  inTransaction?: boolean
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

  /** @throws if the statement's transaction has ended, so that no half of it is committed */
  execute<R>({ sql, parameters, inTransaction = false }: Statement): QueryResult<R> {
    if (inTransaction && !this.#sqlite.isTransaction) {
      if (sql === 'rollback') return { rows: [] }
      throw new Error('an error has ended the transaction')
    }
    const { statement, returnsRows } = this.#prepared.memo(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as R[] }
    return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] }
  }

  close(): void {
    this.#prepared.clear()
    this.#sqlite.close()
  }
}
