import { request } from 'undici'
import { describe, expect, vi } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { runAdmin } from '../../src/service/admin/run-admin.ts'
import { addClicks } from '../../src/service/store/clicks.ts'
import { createAddresses } from '../../src/service/store/addresses.ts'
import { readReport } from '../../src/service/store/report.ts'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../support/postgres.ts'
import { addLinks, addOwners, insert, linkRow } from '../support/rows.ts'
import { rowsOf } from '../support/database-contents.ts'
import { startService } from '../support/service.ts'

vi.setConfig({ testTimeout: 120_000 })

const { test, at } = withDirectory()

const NOW = Date.parse('2027-03-01T12:00:00Z')

/** Runs a command as a shell would: with what is piped into it, and with both outputs. */
async function run(databaseUrl: string, argv: string[], input = '') {
  let [out, err] = ['', '']
  const code = await runAdmin([...argv, '--json'], {
    databaseUrl,
    publicUrl: 'http://127.0.0.1:3001',
    now: () => NOW,
    out: (text) => (out += text),
    err: (text) => (err += text),
    async *lines() {
      yield* input.split('\n')
    },
  })
  return { code, out, err }
}

async function move(from: string, to: string): Promise<string> {
  const { code, out, err } = await run(from, ['export-workspace', 'moved'])
  expect({ code, err: JSON.parse(err) as unknown }).toMatchObject({ code: 0, err: { id: 'moved' } })
  const imported = await run(to, ['import-workspace'], `\n> backhalf@1.0.0 admin\n\n${out}`)
  expect(imported).toMatchObject({ code: 0, err: '' })
  return out
}

/** Opens a database, and closes it again. */
async function using<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(url)
  return work(database).finally(() => database.close())
}

/** Adds an owner with every kind of row that can move, and others that don't. */
async function fill(url: string, id: string): Promise<void> {
  await using(url, async (database) => {
    const owner = { id, kind: 'organization', name: id, external_id: `T-${id}` } as const
    await insert(database, 'owners', { ...owner, created_at: 5, max_links: 70 })
    const domain = { id: `${id}-domain`, domain_name: `${id}.example`, owner_id: id, created_at: 1 }
    await insert(database, 'domains', { ...domain, home_url: 'https://home.example/' })
    const onDomain = { owner_id: id, domain_id: domain.id, hostname: domain.domain_name }
    const link = (name: string, values: object = {}) =>
      linkRow(`${id}-${name}`, { ...onDomain, back_half: name, ...values })
    const link_id = `${id}-one`
    const change = { link_id, made_by: `${id}-key`, person_id: 'T1/U1', person_name: 'Ana' }
    await addLinks(
      database,
      link('deleted', { deleted_at: 9, destination_url: '', revision: 2 }),
      link('one', {
        title: 'Größe "1" \\ 😀',
        tags: 'Größe,print',
        utm_analytics_enabled: 1,
        utm_source: 'news',
        expires_at: 99_999_999_999_999,
        revision: 7,
        made_by: `${id}-key`,
        person_id: 'T1/U1',
        person_name: 'Ana',
        preview_image_type: 'image/png',
      }),
      ...Array.from({ length: 250 }, (_, number) => link(`many-${number}`)),
    )
    await addLinks(database, link('earlier', { alias_of: link_id, deleted_at: 8 }))
    const key = { id: `${id}-key`, owner_id: id, name: 'Website', hash: `secret ${id}` }
    const rights = { permissions: 'all', scopes: '[]' } as const
    await insert(database, 'api_keys', { ...key, ...rights, prefix: 'sk', created_at: 1 })
    const print = { owner_id: id, tags: 'Größe,print', key: 'print', name: 'print' }
    await insert(database, 'tag_sets', print, { ...print, key: 'größe', name: 'Größe' })
    await insert(database, 'preview_images', { link_id, bytes: new Uint8Array([0, 255, 127]) })
    const changes = '{"destination_url":["https://old.example/","https://example.com/"]}'
    await insert(database, 'link_history', ...[1, 2].map((at) => ({ ...change, at, changes })))
    await database.db.deleteFrom('link_destinations').where('link_id', '=', link_id).execute()
    const destination = { destination_url: 'https://old.example/', revision: 3, ended_at: 1 }
    await insert(database, 'link_destinations', { ...change, ...destination })
    await insert(database, 'destination_problems', {
      link_id: `${id}-many-1`,
      destination_hash: `${id}-many-1`,
      status: 'dead',
      reason: '404',
      failures: 3,
      failed_at: 1,
      check_at: 2,
    })
    const request = { api_key_id: key.id, idempotency_key: 'k', request_hash: '', answer: '{}' }
    await insert(database, 'idempotent_answers', { ...request, created_at: 1 })
    const clicks = ['one', 'many-1', 'many-249'].flatMap((name, number) =>
      ['2027-01-01', '2027-02-01'].map((day) => ({
        link_id: `${id}-${name}`,
        day,
        people: number + 3,
        bots: 1,
        hosts: new Map([['news.example', 2]]),
      })),
    )
    await database.write(addClicks(clicks))
  })
}

/** What a move changes, or doesn't move. */
const NOT_MOVED = [
  ...['segment_id', 'search_text', 'sort_title', 'segments.id', 'link_history.id'],
  ...['api_keys.hash', 'api_keys.revoked_at'],
]

/** The rows that belong to an owner, without what a move changes. */
async function ownRows(url: string, id: string): Promise<Record<string, unknown[]>> {
  const all = await rowsOf(url)
  const own = [...all].map(([table, rows]) => {
    const ofOwner = rows.filter((row) =>
      Object.values(row).some((value) => String(value).startsWith(id)),
    )
    return [table, ofOwner] as const
  })
  const segments = new Map(own).get('segments')?.map((row) => row['id'])
  const sums = all.get('segment_clicks')?.filter((row) => segments?.includes(row['segment_id']))
  const moved = own.filter(
    ([table, rows]) =>
      rows.length > 0 && table !== 'idempotent_answers' && !table.startsWith('search'),
  )
  const withoutChanges = (table: string, row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => !NOT_MOVED.includes(name) && !NOT_MOVED.includes(`${table}.${name}`))
        .map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value]),
    )
  return {
    ...Object.fromEntries(
      moved.map(([table, rows]) => [table, rows.map((row) => withoutChanges(table, row))]),
    ),
    sums: (sums ?? []).map(({ day, people }) => `${String(day)}:${String(people)}`).sort(),
  }
}

/** What the owner's report by source says. */
const report = (url: string) =>
  using(url, (database) =>
    readReport(
      { ...database, addresses: createAddresses('http://127.0.0.1:3001') },
      { ownerId: 'moved' },
      { from: '2027-01-01', to: '2027-03-01', group_by: 'utm_source', limit: 10 },
    ),
  )

async function newSqlite(name: string): Promise<string> {
  const url = `file:${at(name)}`
  await using(url, async () => undefined)
  return url
}

describe.skipIf(postgresSkipped)('a move of an owner', () => {
  test('from SQLite to PostgreSQL and back keeps every row, and leaves others alone', async () => {
    const [first, last] = [await newSqlite('first.db'), await newSqlite('last.db')]
    const postgres = await createPostgresDatabase(MIGRATED)
    for (const url of [first, postgres, last]) await fill(url, 'other')
    await fill(first, 'moved')
    const before = await ownRows(first, 'moved')
    expect(Object.keys(before).sort()).toEqual(
      [
        ...['api_keys', 'click_totals', 'clicks', 'destination_problems', 'domains', 'link_counts'],
        ...['link_destinations', 'link_history', 'links', 'owners', 'preview_images'],
        ...['referrers', 'segments', 'sums', 'tag_sets'],
      ].sort(),
    )
    const others = await ownRows(last, 'other')
    const file = await move(first, postgres)
    expect(file).not.toContain('secret')
    await move(postgres, last)
    for (const url of [postgres, last]) {
      expect(await ownRows(url, 'moved')).toEqual(before)
      expect(await ownRows(url, 'other')).toEqual(others)
      expect(await report(url)).toEqual(await report(first))
      const [key] =
        (await rowsOf(url)).get('api_keys')?.filter(({ id }) => id === 'moved-key') ?? []
      expect(key).toMatchObject({ hash: 'moved moved-key', revoked_at: NOW })
    }
  })

  test('serves the links, and counts their clicks, at the other installation', async () => {
    const first = await newSqlite('first.db')
    await fill(first, 'moved')
    const postgres = await createPostgresDatabase(MIGRATED)
    const service = await startService({ databaseUrl: postgres })
    try {
      await move(first, postgres)
      const get = (path: string) =>
        request(service.baseUrl + path, { headers: { host: 'moved.example' } })
      for (const path of ['/one', '/earlier']) {
        const { headers } = await get(path)
        expect(headers['location'], path).toBe('https://example.com/moved-one?utm_source=news')
      }
      expect((await get('/deleted')).statusCode).toBe(410)
      // New rows get numbers after those of the imported ones.
      await using(postgres, ({ write }) =>
        write(addClicks([{ link_id: 'moved-many-2', day: '2027-03-01', people: 1, bots: 0 }])),
      )
      expect((await report(postgres)).total_people).toBe((await report(first)).total_people + 1)
    } finally {
      await service.close()
    }
  })
})

describe('an import is refused', () => {
  async function exported(): Promise<string> {
    const url = await newSqlite('first.db')
    await fill(url, 'moved')
    return (await run(url, ['export-workspace', 'moved'])).out
  }

  test('if the owner exists', async () => {
    const file = await exported()
    const before = await ownRows(`file:${at('first.db')}`, 'moved')
    const { code, out, err } = await run(`file:${at('first.db')}`, ['import-workspace'], file)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('This database already has the workspace. Nothing was imported.')
    expect(await ownRows(`file:${at('first.db')}`, 'moved')).toEqual(before)
  })

  test('if a short URL or a hostname is taken, or the file is not whole', async () => {
    const file = await exported()
    const target = await newSqlite('target.db')
    const attempt = async (text: string) => (await run(target, ['import-workspace'], text)).err
    const lines = file.trimEnd().split('\n')
    expect(await attempt(lines.slice(0, -1).join('\n'))).toContain('not a complete export')
    expect(await attempt('')).toContain('not a complete export')
    expect(await attempt(file.replace('"Ana"', '"Eve"'))).toContain('differ from the file: link')
    expect(await attempt(file.replace('"001-baseline",', ''))).toContain('another version')
    await using(target, async (database) => {
      await addOwners(database, 'acme')
      await addLinks(database, linkRow('x', { hostname: 'moved.example', back_half: 'many-7' }))
    })
    expect(await attempt(file)).toContain(
      'This database already has the ID or short URL of links in the file (1).',
    )
    const domain = { id: 'd', domain_name: 'moved.example', owner_id: 'acme', created_at: 0 }
    await using(target, (database) => insert(database, 'domains', domain))
    expect(await attempt(file)).toContain('moved.example belongs to another workspace')
    expect(Object.keys(await ownRows(target, 'moved'))).toEqual(['domains', 'links', 'sums'])
  })
})
