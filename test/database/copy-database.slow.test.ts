import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, vi } from 'vitest'
import { COPIED_NAMES, copyDatabase } from '../../src/database/copy/copy-database.ts'
import { CopyError } from '../../src/database/errors.ts'
import { migrate } from '../../src/database/migrations.ts'
import { PATIENT, postgresDialect } from '../../src/database/postgres.ts'
import { sqliteDialect } from '../../src/database/sqlite.ts'
import { adminJson } from '../support/admin.ts'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { queryPostgres } from '../support/postgres-server.ts'
import { runMain } from '../support/program.ts'

const LINKS = 2_500

vi.setConfig({ testTimeout: 60_000 })

const { test, directory, at } = withDirectory()

describe.skipIf(postgresSkipped)('a copy of a SQLite database to PostgreSQL', () => {
  let from: string
  let to: string
  const report = (): void => undefined
  let filled: Buffer | undefined

  beforeEach(async () => {
    from = at('from.db')
    to = await createPostgresDatabase()
  })

  /** Fills the SQLite database with links. Each tenth is deleted, and one is an earlier short URL of the next one. */
  async function fill(): Promise<void> {
    if (filled) return writeFile(from, filled)
    await (await openDatabase(`file:${from}`)).close()
    changeSource(`
      insert into owners (id, kind, name, created_at) values ('acme', 'organization', 'Acme', 0);
      with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${LINKS})
      insert into links (id, owner_id, domain_id, hostname, back_half, destination_url, destination_hash, title,
        utm_analytics_enabled, is_custom_preview, qr_code_enabled, created_at, updated_at, deleted_at)
      select printf('%08d', i), 'acme', 'default', '', 'b' || i, 'https://example.com/' || i, 'hash ' || i,
        'Größe "' || i || '" \\ 😀' || char(10) || '<script>', 0, 0, 1, i, i, iif(i % 10 = 0, i, null)
      from numbers;
      update links set alias_of = '00000011' where id = '00000010';
      update links set tags = 'Größe,نو' where id = '00000001';
      insert into tag_sets values ('acme', 'Größe,نو', 'größe', 'Größe'), ('acme', 'Größe,نو', 'نو', 'نو');
      update click_totals set people = 7 where link_id = '00000001';
      insert into preview_images values ('00000001', x'00ff7f'), ('00000002', x'');
      insert into link_history (id, link_id, at, made_by, changes) values (41, '00000001', 1, 'dashboard', '{"title":["a","\\u0000"]}');
      insert into segments values (41, 'acme', 'default', '', '', '', '', '', null);
      pragma wal_checkpoint(truncate)`)
    filled = await readFile(from)
  }

  const query = (sql: string) => queryPostgres(to, sql)

  const changeSource = (sql: string): void => {
    using sqlite = new DatabaseSync(from)
    sqlite.exec(sql)
  }

  const tables = () =>
    query(`select tablename from pg_tables where schemaname = 'public' order by 1`)

  test('covers every table and every column of the schema', async () => {
    await migrate(sqliteDialect(from, { timeoutMs: 5_000 }))
    await migrate(postgresDialect(to, PATIENT))
    const inPostgres = await query(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    )
    const names = [...COPIED_NAMES, 'kysely_migration'].sort()
    expect(inPostgres.map(({ name }) => name)).toEqual(names)
    using sqlite = new DatabaseSync(from)
    const inSqlite = sqlite.prepare(`select name from sqlite_schema where type = 'table'`).all()
    // The search index of SQLite is in tables of its own.
    const copied = inSqlite.filter(({ name }) => !/^(?:search_|kysely_|sqlite_)/.test(String(name)))
    expect(copied.map(({ name }) => name).sort()).toEqual(COPIED_NAMES.toSorted())
    expect(await query('select sequencename as name from pg_sequences order by 1')).toEqual([
      { name: 'link_history_id_seq' },
      { name: 'segments_id_seq' },
    ])
  })

  test('has the same rows, indexes and counts, and new rows get new ids', async () => {
    await fill()
    const lines: string[] = []
    let write: unknown
    const outcome = await copyDatabase(from, to, (line) => {
      lines.push(line)
      try {
        changeSource(`update owners set name = 'changed'`)
      } catch (error) {
        write = (error as Error).message
      }
    })
    expect(outcome).toMatchObject({ tables: COPIED_NAMES.length })
    expect(write).toBe('database is locked')
    expect(lines).toContain('copying links: 2,500 rows')
    expect(
      await query(`select (select links from link_counts)::int as counted,
        (select people from click_totals where link_id = '00000001')::int as people,
        (select alias_of from links where id = '00000010') as alias`),
    ).toEqual([{ counted: 2_250, people: 7, alias: '00000011' }])
    const [added] = await query(
      `insert into link_history (link_id, at, made_by, changes) values ('00000001', 2, 'x', '{}') returning id::int`,
    )
    const [segment] = await query(
      `insert into segments select nextval('segments_id_seq'), owner_id, domain_id, '', '', '', '', '', 'key'
       from segments returning id::int`,
    )
    expect([added, segment]).toEqual([{ id: 42 }, { id: 42 }])
    await expect(copyDatabase(from, to, report)).rejects.toThrow(
      /^The PostgreSQL database is not empty. It has tables: .+\. Create an empty database for Backhalf\.$/,
    )
    const indexes = `select indexname from pg_indexes where schemaname = 'public' order by 1`
    const afterCopy = await query(indexes)
    to = await createPostgresDatabase()
    await migrate(postgresDialect(to, PATIENT))
    expect(afterCopy).toEqual(await query(indexes))
  })

  test('is not committed if a row arrives changed', async () => {
    await fill()
    changeSource(`update links set title = x'41' where id = '00000005'`) // Bytes in a column of texts.
    await expect(copyDatabase(from, to, report)).rejects.toThrow('of the copy differ: links')
    expect(await tables()).toEqual([])
  })

  test('leaves an empty database if it is killed, and can be copied again', async () => {
    await fill()
    const args = ['admin', 'migrate-database', `file:${from}`]
    const child = runMain(args, { cwd: directory.path, env: { DATABASE_URL: to } })
    const exited = once(child, 'exit')
    for await (const text of child.stderr) if (String(text).includes('click_totals')) break
    child.kill('SIGKILL')
    await exited
    await copyDatabase(from, to, report)
    expect(await query('select count(*)::int as links from links')).toEqual([{ links: LINKS }])
  })

  test('is refused while another process uses the SQLite database', async () => {
    const database = await openDatabase(`file:${from}`)
    await expect(copyDatabase(from, to, report)).rejects.toThrow('Stop every process of Backhalf')
    await database.close()
  })

  test('is refused if the SQLite file is missing, of another version, or not ours', async () => {
    await expect(copyDatabase(from, to, report)).rejects.toThrow('There is no database at')
    await migrate(sqliteDialect(from, { timeoutMs: 5_000 }))
    changeSource('delete from kysely_migration')
    await expect(copyDatabase(from, to, report)).rejects.toThrow('Start this version with it once')
    changeSource(`insert into kysely_migration values ('999-future', '2030')`)
    await expect(copyDatabase(from, to, report)).rejects.toThrow('A newer version of Backhalf')
    changeSource('drop table kysely_migration')
    await expect(copyDatabase(from, to, report)).rejects.toThrow('not a database of Backhalf')
  })

  test('is refused if PostgreSQL can’t store a character', async () => {
    await fill()
    changeSource(`update links set title = 'a' || char(0) || 'b' where id = '00000002'`)
    await expect(copyDatabase(from, to, report)).rejects.toThrow(
      new CopyError(
        'Nothing was copied, because links can’t be: unsupported Unicode escape sequence (\\u0000 cannot be converted to text.)',
      ),
    )
    expect(await tables()).toEqual([])
  })
})

test.each([
  'postgres://user:hunter2@127.0.0.1:1/db',
  'postgres://user:hunter2@[bad/db',
  'mysql://user:hunter2@127.0.0.1/db',
])('a copy never prints the password of %s', async (url) => {
  const sqlite = `file:${at('from.db')}`
  await migrate(sqliteDialect(at('from.db'), { timeoutMs: 5_000 }))
  for (const args of [
    [sqlite, url],
    [url, sqlite],
    [sqlite, url, url],
  ]) {
    const failed = adminJson({ databaseUrl: 'file:nothing.db' }, 'migrate-database', ...args)
    await expect(failed).rejects.toThrow(/^(?![^]*hunter2)/)
  }
})
