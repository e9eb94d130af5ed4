import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { postgresSkipped, startPostgres, type Postgres } from './postgres.ts'
import { makeTempDir } from './temp-dir.ts'

/** A fresh, migrated database for one file's tests. */
export interface TestDatabase {
  readonly database: Database
  /** To open it a second time, as another process would. */
  readonly url: string
}

/** Declares the same tests for SQLite and, where there is a server to start, for PostgreSQL. */
export function describeOnEveryDatabase(declareTests: (test: TestDatabase) => void): void {
  describe('on SQLite', () => {
    let directory: Awaited<ReturnType<typeof makeTempDir>>
    declareOn(declareTests, {
      async start() {
        directory = await makeTempDir()
        return `file:${join(directory.path, 'test.db')}`
      },
      stop: () => directory.remove(),
    })
  })
  describe.skipIf(postgresSkipped)('on PostgreSQL', () => {
    let postgres: Postgres
    declareOn(declareTests, {
      async start() {
        postgres = await startPostgres()
        return (await postgres.createDatabase()).url
      },
      stop: () => postgres.stop(),
    })
  })
}

function declareOn(
  declareTests: (test: TestDatabase) => void,
  server: { start(): Promise<string>; stop(): Promise<void> },
): void {
  let opened: TestDatabase
  beforeAll(async () => {
    const url = await server.start()
    opened = { url, database: await openDatabase(url) }
  })
  afterAll(async () => {
    await opened.database.close()
    await server.stop()
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
