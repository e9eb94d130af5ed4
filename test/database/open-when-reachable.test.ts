import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWhenReachable } from '../../src/database/open-when-reachable.ts'
import { postgresSkipped } from '../support/postgres.ts'
import { startPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { makeTempDir } from '../support/temp-dir.ts'

let log = ''
const logger = pino({ level: 'warn' }, { write: (line) => (log += line) })
let pauses: number[] = []
beforeEach(() => {
  log = ''
  pauses = []
})

/** @param during what happens during the second pause */
const clock = (during: () => Promise<void>) => ({
  async sleep(ms: number) {
    pauses.push(ms)
    if (pauses.length === 2) await during()
  },
})
const nothing = async (): Promise<void> => undefined

describe.skipIf(postgresSkipped)('PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgresServer()
  })
  afterAll(() => server.stop())

  test('opens the database once PostgreSQL has started', async () => {
    await server.crash()
    const url = `${server.url}/postgres`
    const database = await openWhenReachable(url, { logger, clock: clock(() => server.start()) })
    await database.checkWritable()
    await database.close()
    expect(pauses).toEqual([1_000, 2_000])
    expect(log).toContain('the database can’t be reached yet; trying again')
    expect(log).toMatch(/The database in DATABASE_URL can’t be opened: .*ECONNREFUSED/)
  })

  test('gives up after a minute', async () => {
    await server.crash()
    const url = `${server.url.replace('//backhalf@', '//backhalf:hunter2@')}/postgres`
    const opening = openWhenReachable(url, { logger, clock: clock(nothing) })
    await expect(opening).rejects.toThrow('The database in DATABASE_URL can’t be opened')
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(60_000)
    expect(log).not.toContain('hunter2')
    await server.start()
  })

  test('gives up at once if the database does not exist', async () => {
    const url = `${server.url}/unknown`
    const opening = openWhenReachable(url, { logger, clock: clock(nothing) })
    await expect(opening).rejects.toThrow('database "unknown" does not exist')
    expect(pauses).toEqual([])
  })
})

test('gives up at once if a SQLite file can’t be opened', async () => {
  const directory = await makeTempDir()
  const url = `file:${join(directory.path, 'missing', 'nested')}/`
  const opening = openWhenReachable(url, { logger, clock: clock(nothing) })
  await expect(opening).rejects.toThrow('The database in DATABASE_URL can’t be opened')
  expect(pauses).toEqual([])
  await directory.remove()
})
