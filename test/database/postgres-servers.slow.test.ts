import { Kysely, sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { databaseKind, postgresName, postgresUrls } from '../../src/database/database-url.ts'
import { postgresDialect } from '../../src/database/postgres.ts'
import { checkDatabaseAt } from '../../src/doctor/database-checks.ts'
import { freePort } from '../support/free-port.ts'
import { postgresSkipped } from '../support/postgres.ts'
import { startPostgresServer, type PostgresServer } from '../support/postgres-server.ts'

test('a DATABASE_URL names one server or several', () => {
  const url = 'postgres://me:a%2Cb@db1,db2:5433,[::1]/links?sslmode=disable'
  expect(postgresUrls(url)).toEqual([
    'postgres://me:a%2Cb@db1/links?sslmode=disable',
    'postgres://me:a%2Cb@db2:5433/links?sslmode=disable',
    'postgres://me:a%2Cb@[::1]/links?sslmode=disable',
  ])
  expect(databaseKind(url)).toBe('postgres')
  expect(postgresName(url)).toBe('links at db1, db2:5433, [::1]')
  expect(postgresUrls('postgres://me@/links')).toEqual(['postgres://me@/links'])
  expect(databaseKind('postgres://db1:5432,db2:none/links')).toBeUndefined()
})

describe.skipIf(postgresSkipped)('several PostgreSQL servers', () => {
  let one: PostgresServer
  let two: PostgresServer
  beforeAll(async () => {
    ;[one, two] = [await startPostgresServer(), await startPostgresServer()]
    return async () => {
      await one.stop()
      await two.stop()
    }
  })
  const host = ({ url }: PostgresServer) => new URL(url).host
  const portIn = ({ url }: PostgresServer) => Number(new URL(url).port)
  const bothUrl = () => `${one.url},${host(two)}/postgres`
  const open = (maxConnections = 1, url = bothUrl()) => {
    const limits = { maxConnections, connectMs: 10_000, statementMs: 10_000 }
    const db = new Kysely<never>({ dialect: postgresDialect(url, limits) })
    onTestFinished(() => db.destroy())
    return db
  }

  /** A read-only database behaves like a replica. */
  async function setReadOnly({ url }: PostgresServer, isReadOnly: boolean): Promise<void> {
    const db = open(1, `${url}/template1`)
    const value = sql.raw(isReadOnly ? 'on' : 'off')
    await sql`set transaction_read_only = off`.execute(db)
    await sql`alter database postgres set default_transaction_read_only = ${value}`.execute(db)
  }

  beforeEach(async () => {
    await setReadOnly(one, false)
    await setReadOnly(two, false)
  })

  const portOf = async (db: Kysely<never>): Promise<number | undefined> =>
    (await sql<{ port: number }>`select inet_server_port() as port`.execute(db)).rows[0]?.port

  test('connects to the server that accepts writes, and follows it', async () => {
    await setReadOnly(one, true)
    const db = open(4)
    expect(await portOf(db)).toBe(portIn(two))

    await one.crash()
    await two.crash()
    await expect(portOf(db)).rejects.toThrow('ECONNREFUSED')
    await one.start()
    await setReadOnly(one, false)
    expect(await portOf(db)).toBe(portIn(one))
    await two.start()
  })

  test('uses no older connection once one turns out to be read-only', async () => {
    await setReadOnly(two, true)
    const db = open(4)
    const write = () => sql`create temporary table written (at int) on commit drop`.execute(db)
    /** Four connections at once to the first server, of which each then reports read-only. */
    await Promise.all(
      Array.from({ length: 4 }, () =>
        db.connection().execute(async (connection) => {
          await sql`select pg_sleep(0.1)`.execute(connection)
          await sql`set default_transaction_read_only = on`.execute(connection)
        }),
      ),
    )
    await setReadOnly(one, true)
    await setReadOnly(two, false)
    await expect(write()).rejects.toThrow('it is read-only')
    await write()
    expect(await portOf(db)).toBe(portIn(two))
  })

  test('the doctor says which is which', async () => {
    const servers = async (of = bothUrl()) =>
      (await checkDatabaseAt(of)).find(({ name }) => name === 'Servers')
    expect(await servers()).toMatchObject({ status: 'failed' })
    await setReadOnly(one, true)
    const replica = `${host(one)} is a replica. ${host(two)} accepts writes.`
    expect(await servers()).toEqual({ name: 'Servers', status: 'ok', message: replica })
    const gone = `127.0.0.1:${await freePort()}`
    const message = `${gone} can’t be used (ECONNREFUSED). ${host(two)} accepts writes.`
    const withGone = await servers(`postgres://backhalf@${gone},${host(two)}/postgres`)
    expect(withGone).toMatchObject({ status: 'warning', message })
    expect(await servers(`${two.url}/postgres`)).toBeUndefined()
  })

  test('says that none accepts writes', async () => {
    await setReadOnly(one, true)
    await setReadOnly(two, true)
    await expect(portOf(open())).rejects.toThrow(
      'The database is not available: no server in DATABASE_URL accepts writes',
    )
  })
})
