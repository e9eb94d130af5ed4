import { cp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { runAdmin } from '../../../src/service/admin/run-admin.ts'
import { getList, postForm } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'
import { makeTempDir } from '../../support/temp-dir.ts'

let directory: Awaited<ReturnType<typeof makeTempDir>>
beforeEach(async () => {
  directory = await makeTempDir()
})
afterEach(() => directory.remove())

const at = (name: string) => join(directory.path, name)

async function admin(databaseUrl: string, ...argv: string[]) {
  const output: string[] = []
  const code = await runAdmin(argv, {
    databaseUrl,
    publicUrl: 'https://go.example.com',
    out: (text) => output.push(text),
    now: () => Date.parse('2027-03-01T12:00:00.000Z'),
  })
  return { code, text: output.join('') }
}

const create = (service: Parameters<typeof postForm>[0], page: string) =>
  postForm(service, { destination_url: `https://example.com/${page}`, domain: 'default' })

async function destinations(service: Parameters<typeof getList>[0]) {
  const { body } = await getList(service, 'order=asc')
  const { shortlinks } = (body as { data: { shortlinks: { destination_url: string }[] } }).data
  return shortlinks.map(({ destination_url: url }) => url)
}

test('creates a backup while links are created, and restores it', async () => {
  const service = await startService()
  await create(service, 'before')
  const writes = Array.from({ length: 50 }, (_, at) => create(service, `meanwhile/${at}`))
  const result = await admin(service.databaseUrl, 'backup', at('copy.db'), '--json')
  await Promise.all(writes)
  expect(result).toEqual({ code: 0, text: `${JSON.stringify({ file: at('copy.db') }, null, 2)}\n` })
  expect((await stat(at('copy.db'))).mode & 0o777).toBe(0o600)
  expect(await readdir(directory.path)).toEqual(['copy.db'])

  const { code } = await admin(`file:${at('restored.db')}`, 'restore', at('copy.db'))
  expect(code).toBe(0)
  const restored = await startService({ databaseUrl: `file:${at('restored.db')}` })
  const links = await destinations({ ...restored, apiKey: service.apiKey })
  expect(links[0]).toBe('https://example.com/before')
  await restored.close()
  await service.close()
})

test('keeps the earlier database', async () => {
  const url = `file:${at('now.db')}`
  const service = await startService({ databaseUrl: url })
  await create(service, 'one')
  await admin(url, 'backup', at('copy.db'))
  await create(service, 'two')
  await service.close()

  const { code, text } = await admin(url, 'restore', at('copy.db'), '--json')
  const earlier = at('now.db.2027-03-01T12-00-00.000Z')
  expect({ code, report: JSON.parse(text) as unknown }).toEqual({
    code: 0,
    report: { database: at('now.db'), earlier_database: earlier },
  })
  const restored = await startService({ databaseUrl: url })
  expect(await destinations({ ...restored, apiKey: service.apiKey })).toEqual([
    'https://example.com/one',
  ])
  await restored.close()
  const before = await startService({ databaseUrl: `file:${earlier}` })
  expect(await destinations({ ...before, apiKey: service.apiKey })).toHaveLength(2)
  await before.close()
})

test('finishes a backup during constant writes', async () => {
  const url = `file:${at('now.db')}`
  await (await openDatabase(url)).close()
  const writer = new DatabaseSync(at('now.db'), { timeout: 1_000 })
  writer.exec('create table much (bytes blob); insert into much values (zeroblob(20000000))')
  const writing = setInterval(() => writer.exec('insert into much values (1)'), 1)
  const result = await Promise.race([admin(url, 'backup', at('copy.db')), sleep(20_000)])
  clearInterval(writing)
  writer.close()
  expect(result).toMatchObject({ code: 0 })
})

test('restores a copy of the file and its write-ahead log', async () => {
  const service = await startService({ databaseUrl: `file:${at('copy.db')}` })
  await create(service, 'in-the-log')
  await cp(at('copy.db'), at('old.db'))
  await cp(at('copy.db-wal'), at('old.db-wal'))
  await service.close()
  expect((await admin(`file:${at('now.db')}`, 'restore', at('old.db'))).code).toBe(0)
  const restored = await startService({ databaseUrl: `file:${at('now.db')}` })
  expect(await destinations({ ...restored, apiKey: service.apiKey })).toEqual([
    'https://example.com/in-the-log',
  ])
  await restored.close()
})

test('keeps a damaged database under another name', async () => {
  const url = `file:${at('now.db')}`
  const service = await startService({ databaseUrl: url })
  await create(service, 'one')
  await admin(url, 'backup', at('copy.db'))
  await service.close()
  await writeFile(at('now.db'), 'damaged'.repeat(1_000))

  expect((await admin(url, 'restore', at('copy.db'))).code).toBe(0)
  expect((await readdir(directory.path)).sort()).toEqual([
    'copy.db',
    'now.db',
    'now.db.2027-03-01T12-00-00.000Z',
  ])
  const restored = await startService({ databaseUrl: url })
  expect(await destinations({ ...restored, apiKey: service.apiKey })).toEqual([
    'https://example.com/one',
  ])
  await restored.close()
})

test('ignores a write-ahead log that an earlier database left behind', async () => {
  const url = `file:${at('now.db')}`
  const service = await startService({ databaseUrl: url })
  await create(service, 'one')
  await admin(url, 'backup', at('copy.db'))
  await create(service, 'two')
  await cp(at('now.db-wal'), at('log'))
  await service.close()
  await rm(at('now.db'))
  await rename(at('log'), at('now.db-wal'))

  expect((await admin(url, 'restore', at('copy.db'))).code).toBe(0)
  const restored = await startService({ databaseUrl: url })
  expect(await destinations({ ...restored, apiKey: service.apiKey })).toEqual([
    'https://example.com/one',
  ])
  await restored.close()
})

test('restores nothing while the service runs', async () => {
  const service = await startService()
  await create(service, 'one')
  await admin(service.databaseUrl, 'backup', at('copy.db'))
  await create(service, 'two')
  expect(await admin(service.databaseUrl, 'restore', at('copy.db'))).toEqual({
    code: 1,
    text: 'The database is in use. Stop Backhalf first.\n',
  })
  expect(await destinations(service)).toHaveLength(2)
  await service.close()
})

test('does not overwrite an existing file', async () => {
  const service = await startService()
  await writeFile(at('copy.db'), 'precious')
  expect(await admin(service.databaseUrl, 'backup', at('copy.db'))).toEqual({
    code: 1,
    text: `The file already exists: ${at('copy.db')}\n`,
  })
  await service.close()
})

test.each([
  ['that is not a database', (path: string) => writeFile(path, 'not a database')],
  ['that is missing', () => Promise.resolve()],
  [
    'of something else',
    (path: string) => {
      const other = new DatabaseSync(path)
      other.exec('create table t (x)')
      other.close()
      return Promise.resolve()
    },
  ],
])('rejects a backup %s and keeps the database', async (_what, make) => {
  const service = await startService()
  await make(at('copy.db'))
  expect(await admin(service.databaseUrl, 'restore', at('copy.db'))).toEqual({
    code: 1,
    text: `The file is not a backup, or it is damaged: ${at('copy.db')}\n`,
  })
  await service.close()
})

test('names the tools for PostgreSQL', async () => {
  expect(await admin('postgres://nobody@127.0.0.1:1/none', 'backup', at('copy.db'))).toEqual({
    code: 1,
    text: 'This command is for SQLite. For PostgreSQL, use pg_dump and pg_restore.\n',
  })
})
