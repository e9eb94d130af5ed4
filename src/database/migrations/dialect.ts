import type { ColumnDataType } from 'kysely'

export type DatabaseKind = 'sqlite' | 'postgres'

/** What a migration needs to know of the database that it runs on. */
export interface Dialect {
  kind: DatabaseKind
  /** The column type of raw bytes. */
  bytes: ColumnDataType
}
