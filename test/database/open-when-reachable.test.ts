import { join } from 'node:path'
import { beforeEach, describe, expect } from 'vitest'
import { openWhenReachable } from '../../src/database/open-when-reachable.ts'
import { withDirectory } from '../support/fixtures.ts'
import { freePort } from '../support/free-port.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { recordingLogger } from '../support/recording-logger.ts'

const { test, directory } = withDirectory()
let logged: ReturnType<typeof recordingLogger>
let pauses: number[]
beforeEach(() => {
  logged = recordingLogger()
  pauses = []
})

/** @param during what happens during the second pause */
function open(url: string, during?: () => void) {
  const sleep = async (ms: number): Promise<void> => {
    pauses.push(ms)
    if (pauses.length === 2) during?.()
  }
  return openWhenReachable(url, { logger: logged.logger, clock: { sleep } })
}

describe.skipIf(postgresSkipped)('PostgreSQL', () => {
  test('opens the database once PostgreSQL has started', async () => {
    const proxy = await startPostgresProxy(await createPostgresDatabase())
    proxy.shut()
    const database = await open(proxy.url, proxy.open)
    await database.checkWritable()
    await database.close()
    expect(pauses).toEqual([1_000, 2_000])
    expect(logged.lines.join()).toContain('the database can’t be reached yet; trying again')
  })

  test('gives up after a minute', async () => {
    const opening = open(`postgres://backhalf:hunter2@127.0.0.1:${await freePort()}/postgres`)
    await expect(opening).rejects.toThrow('The database in DATABASE_URL can’t be opened')
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(60_000)
    const log = logged.lines.join()
    expect(log).toMatch(/The database in DATABASE_URL can’t be opened: .*ECONNREFUSED/)
    expect(log).not.toContain('hunter2')
  })

  test('gives up at once if the database does not exist', async () => {
    const opening = open((await createPostgresDatabase()).replace(/[^/]+$/, 'unknown'))
    await expect(opening).rejects.toThrow('database "unknown" does not exist')
    expect(pauses).toEqual([])
  })
})

test('gives up at once if a SQLite file can’t be opened', async () => {
  const opening = open(`file:${join(directory.path, 'missing', 'nested')}/`)
  await expect(opening).rejects.toThrow('The database in DATABASE_URL can’t be opened')
  expect(pauses).toEqual([])
})
