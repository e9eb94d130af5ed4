import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { postgresBinaries } from '../support/postgres-server.ts'
import { makeTempDir } from '../support/temp-dir.ts'

const run = (program: string, args: string[]) =>
  promisify(execFile)(join(postgresBinaries ?? '', program), args)

describe.skipIf(postgresSkipped)('a database on PostgreSQL', () => {
  let url: string
  let directory: Awaited<ReturnType<typeof makeTempDir>>
  beforeEach(async () => {
    directory = await makeTempDir()
    url = await createPostgresDatabase()
    const database = await openDatabase(url)
    await database.close()
    await withClient(url, (client) =>
      client.query(`insert into owners (id, kind, name, created_at) values ('o', 'account', 'Ana', 0);
        insert into links (id, owner_id, domain_id, hostname, back_half, destination_url, destination_hash,
          utm_analytics_enabled, is_custom_preview, qr_code_enabled, created_at, updated_at)
        values ('l', 'o', 'default', '', 'spring', 'https://example.com/', 'h', 0, 0, 0, 0, 0)`),
    )
  })
  afterEach(() => directory.remove())

  test('can be restored from a backup of pg_dump', async () => {
    const file = join(directory.path, 'backup.dump')
    await run('pg_dump', ['--format=custom', `--file=${file}`, url])
    const target = await createPostgresDatabase()
    await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${target}`, file])
    expect(await indexes(target)).toEqual(await indexes(url))
  })

  test('can be analyzed with the empty search path that autovacuum uses', async () => {
    await withClient(url, async (client) => {
      await client.query(`set search_path = ''`)
      await client.query('analyze public.links')
    })
  })
})

async function indexes(url: string): Promise<unknown[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `select indexname from pg_indexes where schemaname = 'public' order by indexname`,
    )
    expect(rows.length).toBeGreaterThan(20)
    return rows as unknown[]
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
