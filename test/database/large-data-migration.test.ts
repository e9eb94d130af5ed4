import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { postgresDialect } from '../../src/database/postgres.ts'
import type { Schema } from '../../src/database/schema.ts'
import { sqliteDialect } from '../../src/database/sqlite.ts'
import { createAddresses } from '../../src/service/store/addresses.ts'
import { searchLinks } from '../../src/service/store/link-search.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { makeTempDir } from '../support/temp-dir.ts'

/** More than the migration rewrites at once. */
const LINKS = 2_500

const LIMITS = { maxConnections: 1, connectMs: 5_000, statementMs: 0, lifetimeS: 0 }

/** Fills a database as version 004 left it. */
async function fillVersion4(url: string): Promise<void> {
  const dialect = () =>
    url.startsWith('file:')
      ? sqliteDialect(url.slice('file:'.length), { timeoutMs: 5_000 })
      : postgresDialect(url, LIMITS)
  await migrate(dialect(), url.startsWith('file:') ? 'blob' : 'bytea', '004-link-service')
  const db = new Kysely<Schema>({ dialect: dialect() })
  await sql`insert into owners (id, kind, name, created_at) values ('one', 'organization', 'One', 1)`.execute(
    db,
  )
  for (const [id, name, rate] of [
    ['app', 'Backhalf app (made by itself)', null],
    ['own', 'Backhalf app (made by itself)', 5],
    ['other', 'Website', null],
  ] as const) {
    await sql`insert into api_keys
      (id, owner_id, name, hash, prefix, permissions, scopes, created_at, requests_per_minute)
      values (${id}, 'one', ${name}, ${id}, 'bh_', 'all', '[]', 1, ${rate})`.execute(db)
  }
  const values = Array.from({ length: LINKS }, (_, at) => {
    const id = String(at).padStart(5, '0')
    const destination =
      at % 2 ? `https://example.com/${at}?a=b%20c&d` : `HTTPS://Example.com/ü ${at}`
    return sql`(${id}, 'one', 'default', '', ${id}, ${destination}, ${id}, 0, 0, 0, 1, 1)`
  })
  for (let at = 0; at < LINKS; at += 500) {
    await sql`insert into links (id, owner_id, domain_id, hostname, back_half, destination_url,
      destination_hash, utm_analytics_enabled, is_custom_preview, qr_code_enabled, created_at, updated_at)
      values ${sql.join(values.slice(at, at + 500))}`.execute(db)
  }
  await sql`insert into click_totals (link_id, people) values ('00007', 9)`.execute(db)
  await db.destroy()
}

async function sqliteUrl(): Promise<string> {
  const directory = await makeTempDir()
  onTestFinished(() => directory.remove())
  return `file:${join(directory.path, 'old.db')}`
}

describe.each([
  ['on SQLite', sqliteUrl, false],
  ['on PostgreSQL', createPostgresDatabase, postgresSkipped],
] as const)('%s', (_name, createUrl, skipped) => {
  test.skipIf(skipped)(
    'a filled database of version 004 is made ready for large data',
    async () => {
      const url = await createUrl()
      await fillVersion4(url)
      const database = await openDatabase(url)
      onTestFinished(() => database.close())
      const { db } = database
      const links = await db.selectFrom('links').select('destination_url').orderBy('id').execute()
      expect(links).toHaveLength(LINKS)
      expect(links[0]?.destination_url).toBe('https://example.com/%C3%BC%200')
      expect(links[2_499]?.destination_url).toBe('https://example.com/2499?a=b%20c&d')
      expect(await db.selectFrom('link_counts').selectAll().execute()).toEqual([
        { owner_id: 'one', domain_id: 'default', links: LINKS },
      ])
      const keys = await db
        .selectFrom('api_keys')
        .select(['id', 'requests_per_minute as rate'])
        .orderBy('id')
        .execute()
      expect(keys).toEqual([
        { id: 'app', rate: 0 },
        { id: 'other', rate: null },
        { id: 'own', rate: 5 },
      ])
      const context = {
        ...database,
        addresses: createAddresses('https://go.example.com'),
        now: Date.now,
      }
      const clicked = await searchLinks(context, { text: '', sort: 'clicks', page: 1 })
      expect(clicked).toMatchObject({ total: LINKS, pages: 100 })
      expect(clicked.links[0]).toMatchObject({ id: '00007', people: 9 })
      expect(clicked.links).toHaveLength(25)
      const found = await searchLinks(context, { text: '%C3%BC%202400', sort: 'newest', page: 1 })
      expect(found.links.map(({ id }) => id)).toEqual(['02400'])
    },
  )
})

test.skipIf(postgresSkipped)(
  'says what to do if the extension pg_trgm can’t be created',
  async () => {
    const url = new URL(await createPostgresDatabase())
    const admin = new pg.Client(url.href)
    await admin.connect()
    onTestFinished(() => admin.end())
    const role = `limited_${url.pathname.slice(-12)}`
    await admin.query(`create role ${role} login; grant create, usage on schema public to ${role}`)
    url.username = role
    await expect(openDatabase(url.href)).rejects.toThrow(
      /needs PostgreSQL’s extension pg_trgm.*permission denied.*CREATE EXTENSION pg_trgm/,
    )
    await admin.query('create extension pg_trgm')
    await (await openDatabase(url.href)).close()
  },
)
