import { beforeAll, describe } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { isFullRun } from './full-run.ts'
import { newDatabaseUrl } from './new-database.ts'
import { openDatabase } from './open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from './postgres.ts'
import { makeTempDir } from './temp-dir.ts'

/** A fresh, migrated database for the tests of one file. */
export interface TestDatabase {
  readonly database: Database
  /** To open it a second time, as another process would. */
  readonly url: string
}

/** Opens a new SQLite database. Closing it deletes it. */
export async function openTempDatabase(): Promise<Database> {
  const directory = await makeTempDir()
  const url = await newDatabaseUrl(directory.path)
  const database = await openDatabase(url)
  return {
    ...database,
    async close() {
      await database.close()
      await directory.remove()
    },
  }
}

type DeclareTests = (test: TestDatabase) => void

/**
 * Declares the same tests for SQLite and, if the server is installed, for PostgreSQL. Use it if the SQL or the code differs
 * between them, and `describeOnDatabase` otherwise.
 */
export function describeOnEveryDatabase(declareTests: DeclareTests): void {
  describeOnSqlite(declareTests)
  describeOnPostgres(declareTests)
}

/** Declares tests for SQLite, and in a full run also for PostgreSQL. */
export function describeOnDatabase(declareTests: DeclareTests): void {
  describeOnSqlite(declareTests)
  if (isFullRun) describeOnPostgres(declareTests)
}

function describeOnSqlite(declareTests: DeclareTests): void {
  describe('on SQLite', () => {
    let directory: Awaited<ReturnType<typeof makeTempDir>>
    beforeAll(async () => {
      directory = await makeTempDir()
      return () => directory.remove()
    })
    declareOn(declareTests, () => newDatabaseUrl(directory.path))
  })
}

function describeOnPostgres(declareTests: DeclareTests): void {
  describe.skipIf(postgresSkipped)('on PostgreSQL', () => {
    declareOn(declareTests, () => createPostgresDatabase(MIGRATED))
  })
}

function declareOn(declareTests: DeclareTests, createUrl: () => Promise<string>): void {
  let opened: TestDatabase
  beforeAll(async () => {
    const url = await createUrl()
    const database = await openDatabase(url)
    opened = { url, database }
    return () => database.close()
  })
  declareTests({
    get database() {
      return opened.database
    },
    get url() {
      return opened.url
    },
  })
}
