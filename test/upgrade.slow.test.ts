import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { COPIED_NAMES } from '../src/database/copy/copy-database.ts'
import { openExistingDatabase } from '../src/database/existing-database.ts'
import { continueWalk, recordCheck } from '../src/service/store/destination-problems.ts'
import { runBackfills } from '../src/service/store/backfills.ts'
import { recordBackup } from '../src/database/backup.ts'
import { MIGRATION_NAMES } from '../src/database/migrations.ts'
import { runAdmin } from '../src/service/admin/run-admin.ts'
import { checkEncrypted } from '../src/workspaces/encrypted-data.ts'
import { rowsOf, schemaOf } from './support/database-contents.ts'
import { openDatabase } from './support/open-database.ts'
import { createPostgresDatabase, postgresSkipped } from './support/postgres.ts'
import { restoreReleased, startReleased } from './support/released.ts'
import { releasedInstallation } from './support/released-fixtures.ts'
import { insert } from './support/rows.ts'
import { callLink, getList, postForm } from './support/service-calls.ts'
import { makeTempDir } from './support/temp-dir.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

/** Kysely's tables, the search index, and what the app's processes told each other. */
const NOT_KEPT = /^(?:kysely_|searched_links|link_marks$|link_text|deliveries$|home_tabs$)/

describe.each([
  { kind: 'sqlite', now: 'SQLite', skipped: false },
  { kind: 'postgres', now: 'PostgreSQL', skipped: postgresSkipped },
  { kind: 'sqlite', now: 'PostgreSQL', skipped: postgresSkipped },
] as const)('a filled database of version 1.0.0 on $kind', ({ kind, now, skipped }) => {
  const moves = kind === 'sqlite' && now === 'PostgreSQL'

  describe.skipIf(skipped)(
    moves ? 'after it was copied to PostgreSQL' : 'after the upgrade',
    () => {
      const installation = releasedInstallation(kind)
      let directory: Awaited<ReturnType<typeof makeTempDir>>
      let url: string
      beforeAll(async () => {
        directory = await makeTempDir()
        url = await restoreReleased(kind, directory.path)
        // The fixture has no change of a destination.
        const db = openExistingDatabase(url)
        const changes = '{"destination_url":["https://was.example/","https://is.example/"]}'
        const change = { link_id: installation.links.off, at: 1, made_by: 'dashboard', changes }
        await db?.insertInto('link_history').values(change).execute()
        await db?.destroy()
      })
      afterAll(() => directory.remove())

      /** Copies the database, and compares it with the copy. */
      async function hasMoved(): Promise<void> {
        await writeFile(join(directory.path, 'encryption.keys'), installation.encryptionKey)
        const database = await openDatabase(url)
        const ofApp = { workspace_id: 'T1', created_by: 'U1', created_at: 1 }
        await insert(database, 'deliveries', { id: 'd', claimed_by: 'one', alive_at: 1 })
        const owners = database.db.selectFrom('owners').select('id')
        const { id: owner_id } = await owners.executeTakeFirstOrThrow()
        await insert(database, 'tag_sets', { owner_id, tags: 'print', key: 'print', name: 'print' })
        await runBackfills(database, pino({ enabled: false }))
        await insert(database, 'backfills', { name: 'later' })
        await recordBackup(database.db, 1)
        const alert = { id: 'V1', ...ofApp, check_at: 1, alert: '{}', memory: '{}' }
        await insert(database, 'alerts', alert)
        await insert(database, 'link_approvals', {
          id: 'L1',
          workspace_id: 'T1',
          requested_by: 'U1',
          created_at: 1,
          draft: '{}',
          taken_until: 0,
        })
        const file = { run_at: 1, file_name: 'a.csv', message: '{}', state: 'running' } as const
        await insert(database, 'imports', { id: 'I1', ...ofApp, ...file })
        const row = { import_id: 'I1', number: 2, workspace_id: 'T1', draft: '{}' }
        await insert(database, 'import_rows', row)
        await continueWalk(database, 'test', 1)
        const checked = { id: 'lnk_1', destination_hash: 'hash' }
        await recordCheck(database.db, checked, { outcome: 'fails', reason: '404' }, 1)
        await database.db.updateTable('domains').set({ home_url: 'https://a.example/' }).execute()
        await database.close()
        const before = await rowsOf(url)
        const [from, output] = [url, [] as string[]]
        url = await createPostgresDatabase()
        const code = await runAdmin(['migrate-database', from, '--json'], {
          databaseUrl: url,
          publicUrl: 'https://go.example.com',
          out: (text) => output.push(text),
          err: () => undefined,
          checkEncrypted: (db, path) => checkEncrypted(db, { path, configured: undefined }),
        })
        expect(code).toBe(0)
        expect(JSON.parse(output.join(''))).toMatchObject({
          tables: COPIED_NAMES.length,
          equal: 'yes',
          encrypted: 2,
          unreadable: 0,
        })
        const after = await rowsOf(url)
        for (const table of COPIED_NAMES) {
          expect(before.get(table), table).not.toHaveLength(0)
          expect(after.get(table), table).toHaveLength(before.get(table)?.length ?? 0)
        }
      }

      async function isUpgraded(): Promise<void> {
        const before = await rowsOf(url)
        const database = await openDatabase(url)
        await runBackfills(database, pino({ enabled: false }))
        await database.close()
        const after = await rowsOf(url)
        expect(after.get('link_destinations')).toMatchObject([
          { link_id: installation.links.off, destination_url: 'https://was.example/', ended_at: 1 },
        ])
        const steps = after.get('kysely_migration')?.map(({ name }) => name)
        expect(steps?.toSorted()).toEqual(MIGRATION_NAMES)
        for (const [table, rows] of before) {
          if (NOT_KEPT.test(table)) continue
          expect(rows, table).not.toHaveLength(0)
          // Columns might be new, and the app's own keys have another name and two more permissions.
          const appKey = {
            name: 'Backhalf app (automatic key)',
            scopes: '["dashboard:sign_in","people:erase"]',
          }
          const isAppKey = (row: object) =>
            'name' in row && row.name === 'Backhalf app (made by itself)'
          const renamed = rows.map((row) => ({ ...row, ...(isAppKey(row) && appKey) }))
          expect(after.get(table), table).toMatchObject(renamed)
        }
      }

      test('has all of its rows', () => (moves ? hasMoved() : isUpgraded()))

      test('has the schema of a new database', async () => {
        const newUrl =
          now === 'SQLite' ? `file:${directory.path}/new.db` : await createPostgresDatabase()
        await (await openDatabase(newUrl)).close()
        expect(await schemaOf(url)).toEqual(await schemaOf(newUrl))
      })

      describe('and a start', () => {
        let released: Awaited<ReturnType<typeof startReleased>>
        const caller = (key: keyof typeof installation.keys) => ({
          baseUrl: released.running.serviceUrl,
          apiKey: installation.keys[key],
        })
        beforeAll(async () => {
          released = await startReleased(installation, url)
          return () => released.stop()
        })

        test.each([
          ['/spring', 302, 'https://example.com/spring?utm_source=newsletter'],
          ['/autumn', 302, 'https://example.com/autumn'],
          ['/old-name', 302, 'https://example.com/renamed'],
          ['/new-name', 302, 'https://example.com/renamed'],
          ['/later', 302, 'https://example.com/later'],
          ['/off', 410, null],
          ['/expired', 410, null],
          ['/gone', 410, null],
          ['/nowhere', 404, null],
        ])('answers %s with %i', async (path, status, location) => {
          const { headers, ...response } = await released.visit(path)
          expect([response.status, headers.get('location')]).toEqual([status, location])
        })

        test('shows the card of a link with its preview image', async () => {
          const card = await released.visit('/new-name', 'Slackbot-LinkExpanding 1.0')
          const image = /property="og:image" content="([^"]+)"/.exec(card.text)?.[1] ?? ''
          const { status, headers } = await released.visit(new URL(image).pathname)
          expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
        })

        test.each([
          ['acme', 35],
          ['ana', 10],
          ['reader', 15],
        ] as const)('lists the links of the key %s', async (key, count) => {
          const { status, body } = await getList(caller(key), 'per_page=100')
          expect(status).toBe(200)
          expect(body).toMatchObject({ data: { pagination: { total_items: count } } })
        })

        test('finds links by search, and reads, changes and deletes them', async () => {
          const search = (text: string) => getList(caller('acme'), `q=${encodeURIComponent(text)}`)
          const found = await search('page 29 of')
          expect(found.body).toMatchObject({
            data: { shortlinks: [{ destination_url: 'https://example.com/pages/29?q=a+b' }] },
          })
          const { off } = installation.links
          const changed = await callLink(caller('acme'), 'PATCH', off, {
            fields: { enabled: 'true', title: 'Turned on' },
          })
          expect(changed.status).toBe(200)
          expect((await search('turned on')).body).toMatchObject({
            data: { shortlinks: [{ name: off }] },
          })
          expect((await callLink(caller('acme'), 'DELETE', off)).status).toBeLessThan(300)
          expect((await search('turned on')).body).toMatchObject({ data: { shortlinks: [] } })
        })

        test('replays the response to a create with its Idempotency-Key', async () => {
          const { fields, text } = installation.idempotent
          const again = await postForm(caller('acme'), fields, { 'idempotency-key': 'k1' })
          expect(again.text).toBe(text)
        })

        test('shows the dashboard to a browser that is signed in, with clicks, hosts and history', async () => {
          const { browser } = released
          const list = await browser.get('/dashboard?q=spring+sale')
          const link = /href="(\/dashboard\/links\/[\da-f-]{36})"/.exec(list.text)?.[1] ?? ''
          expect((await browser.get(link)).text).toMatch(/news\.example\.com/)
          const { text } = await browser.get(`/dashboard/links/${installation.links.renamed}`)
          expect(text).toMatch(/old-name/)
          expect(text).toMatch(/Grüße, renamed/)
          expect((await browser.get('/dashboard/keys')).text).toMatch(/Website/)
        })

        test('lets Slack users list and create links with the stored key and settings', async () => {
          const { ana, gil } = released.slack
          await ana.asks('/shorten list', { for: 'Spring sale' })
          await ana.asks('/shorten clicks https://go.example.com/spring', { for: 'clicks' })
          const create = '/shorten https://example.com/launch launch template=Launch'
          await ana.asks(create, { for: '/launch' })
          expect((await released.visit('/launch')).headers.get('location')).toBe(
            'https://example.com/launch?utm_source=slack&utm_campaign=launch',
          )
          await gil.asks('/shorten https://example.com/x', { for: 'Guests can’t shorten' })
          await ana.opensHome()
          await ana.seesHome('Spring sale')
          const database = await openDatabase(url)
          const keys = database.db.selectFrom('api_keys').where('name', 'like', 'Backhalf app%')
          expect(await keys.select('id').execute()).toHaveLength(1) // The workspace goes on with its own.
          await database.close()
        })
      })
    },
  )
})
