import { Kysely, type Dialect } from 'kysely'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { MIGRATION_NAMES } from '../../src/database/migrations.ts'
import { postgresDialect } from '../../src/database/postgres.ts'
import { sqliteDialect } from '../../src/database/sqlite.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { makeTempDir } from '../support/temp-dir.ts'

/** The newest step of version 0.1.0. The rows below have its columns. */
const RELEASED = '004-link-service'

const NOW = Date.UTC(2026, 10, 1)
const DAY_MS = 24 * 60 * 60 * 1000
const LINKS = 250

/** How a link's row was written. Later steps may add columns and rewrite destinations. */
function link(at: number) {
  const withPreview = at % 10 === 0
  return {
    id: `019b2c4e-0000-7000-8000-${String(at).padStart(12, '0')}`,
    owner_id: at % 2 === 0 ? 'acme' : 'ana',
    domain_id: at % 5 === 0 ? 'links' : 'default',
    hostname: at % 5 === 0 ? 'links.example.com' : '',
    back_half: `link-${at}`,
    destination_url: `https://example.com/pages/${at}${at % 7 === 0 ? '?q=größe und preis' : ''}`,
    destination_hash: String(at).padStart(64, '0'),
    title: at % 3 === 0 ? null : `Spring sale, part ${at}`,
    utm_analytics_enabled: Number(at % 4 === 0),
    utm_source: at % 4 === 0 ? 'newsletter' : null,
    utm_medium: null,
    utm_campaign: null,
    utm_term: null,
    utm_content: null,
    utm_id: null,
    is_custom_preview: Number(withPreview),
    preview_title: withPreview ? 'Spring' : null,
    preview_description: null,
    preview_image_type: withPreview ? 'image/png' : null,
    qr_code_enabled: 1,
    qr_code_color: '#1f4f46',
    created_at: NOW + at,
    updated_at: NOW + at,
  }
}

const links = Array.from({ length: LINKS }, (_, at) => link(at))

/** Rows of every table that are realistic for a small installation, by table and in the order of insertion. */
const ROWS: Record<string, Record<string, unknown>[]> = {
  owners: [
    {
      ...{ id: 'acme', kind: 'organization', name: 'Acme', external_id: 'T0ACME' },
      ...{ created_at: NOW, max_links: 1_000 },
    },
    {
      ...{ id: 'ana', kind: 'account', name: 'Ana', external_id: null },
      ...{ created_at: NOW, max_links: null },
    },
  ],
  domains: [{ id: 'links', domain_name: 'links.example.com', owner_id: null, created_at: NOW }],
  api_keys: ['acme', 'ana'].map((owner) => ({
    ...{ id: `key-${owner}`, owner_id: owner, name: 'Website', description: null },
    ...{ hash: owner.padEnd(64, '0'), prefix: 'bh_abcdef', permissions: 'all', scopes: '[]' },
    ...{ domain_ids: null, created_at: NOW, revoked_at: null },
    ...{ expires_at: null, last_used_at: NOW, requests_per_minute: null },
  })),
  links,
  preview_images: links
    .filter(({ is_custom_preview: flag }) => flag === 1)
    .map(({ id }) => ({ link_id: id, bytes: Buffer.alloc(2_000, 7) })),
  clicks: links.flatMap(({ id }, at) =>
    [0, 1, 2].map((day) => ({
      link_id: id,
      day: new Date(NOW + day * DAY_MS).toISOString().slice(0, 10),
      people: at,
      bots: 1,
    })),
  ),
  click_totals: links.map(({ id }, at) => ({ link_id: id, people: 3 * at })),
  dashboard_passwords: [{ id: 'administrator', hash: 'scrypt$…', failures: 1, locked_until: 0 }],
  dashboard_tokens: [{ hash: '0'.repeat(64), kind: 'session', expires_at: NOW + DAY_MS }],
  idempotent_answers: [
    {
      ...{ api_key_id: 'key-acme', idempotency_key: 'one', request_hash: '1'.repeat(64) },
      ...{ answer: '{"data":{}}', created_at: NOW },
    },
  ],
  installations: [
    {
      ...{ workspace_id: 'T0ACME', sealed: Buffer.alloc(500, 1) },
      ...{ installed_by: 'U0ANA', installed_at: NOW },
    },
  ],
  workspace_connections: [
    {
      ...{ workspace_id: 'T0ACME', sealed: Buffer.alloc(300, 2) },
      ...{ connected_by: null, connected_at: NOW },
    },
  ],
  workspace_settings: [
    { workspace_id: 'T0ACME', settings: '{}', updated_by: 'U0ANA', updated_at: NOW },
  ],
  recent_utm: [{ workspace_id: 'T0ACME', user_id: 'U0ANA', utm: '{}', used_at: NOW }],
  made_links: links.slice(0, 50).map(({ back_half, destination_url, title }) => ({
    ...{ workspace_id: 'T0ACME', short_url: `go.example.com/${back_half}`, destination_url, title },
    ...{ preview_title: null, preview_description: null, preview_image_url: null },
    ...{ made_by: 'U0ANA', made_at: NOW },
  })),
}

describe('a filled database of version 0.1.0 is upgraded to the newest schema', () => {
  test('on SQLite', async () => {
    const directory = await makeTempDir()
    onTestFinished(() => directory.remove())
    const path = join(directory.path, 'a.db')
    await checkUpgrade(() => sqliteDialect(path, { timeoutMs: 5_000 }), 'blob', `file:${path}`)
  })

  test.skipIf(postgresSkipped)('on PostgreSQL', async () => {
    const url = await createPostgresDatabase()
    const limits = { maxConnections: 1, connectMs: 5_000, statementMs: 0, lifetimeS: 0 }
    await checkUpgrade(() => postgresDialect(url, limits), 'bytea', url)
  })
})

async function checkUpgrade(
  dialect: () => Dialect,
  bytes: 'blob' | 'bytea',
  url: string,
): Promise<void> {
  await migrate(dialect(), bytes, RELEASED)
  const old = new Kysely<Record<string, Record<string, unknown>>>({ dialect: dialect() })
  for (const [table, rows] of Object.entries(ROWS)) {
    for (let at = 0; at < rows.length; at += 50) {
      await old
        .insertInto(table)
        .values(rows.slice(at, at + 50))
        .execute()
    }
  }
  await old.destroy()

  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  const { db } = database
  const steps = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  expect(steps.map(({ name }) => name)).toEqual(MIGRATION_NAMES)

  for (const [table, rows] of Object.entries(ROWS)) {
    const { count } = await db
      .selectFrom(table as 'links')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const existing = table === 'domains' ? 1 : 0 // The built-in record.
    expect({ table, count }).toEqual({ table, count: rows.length + existing })
  }
  const stored = await db.selectFrom('links').selectAll().orderBy('id').execute()
  const kept = stored.map(({ id, back_half, title, created_at }) => ({
    ...{ id, back_half, title, created_at },
  }))
  expect(kept).toEqual(
    links.map(({ id, back_half, title, created_at }) => ({ id, back_half, title, created_at })),
  )
  expect(
    await db.selectFrom('click_totals').selectAll().orderBy('link_id').execute(),
  ).toMatchObject(ROWS['click_totals'] ?? [])
}
