import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { COPIED_NAMES } from '../src/database/copy/copy-database.ts'
import { openDatabase } from '../src/database/database.ts'
import { runAdmin } from '../src/service/admin/run-admin.ts'
import { WORKFLOW_STEP } from '../src/slack/ids.ts'
import { checkEncrypted } from '../src/workspaces/encrypted-data.ts'
import { createPostgresDatabase, postgresSkipped } from './support/postgres.ts'
import {
  releasedInstallation,
  restoreReleased,
  startReleased,
  type RunningReleased,
} from './support/released.ts'
import { callLink, getList, postForm } from './support/service-calls.ts'
import { makeTempDir } from './support/temp-dir.ts'
import { texts } from './support/texts.ts'
import { startSimulatedWorkspace, type TestWorkspace } from './support/workspace.ts'

// Everything starts twice.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 180_000 })

/*
 * An installation in which everything was used, on SQLite. Then it moves to PostgreSQL, and each test asks whether
 * something still works there.
 */
describe.skipIf(postgresSkipped)('an installation that moved from SQLite to PostgreSQL', () => {
  const installation = releasedInstallation('sqlite')
  let directory: Awaited<ReturnType<typeof makeTempDir>>
  let slack: TestWorkspace
  let postgresUrl: string
  let released: RunningReleased
  let before: Awaited<ReturnType<typeof observe>>
  let copied: Record<string, unknown>

  const startOn = (url: string) =>
    startReleased(installation, url, { slack, directory: directory.path })
  const acme = () => ({
    baseUrl: released.running.serviceUrl,
    apiKey: installation.keys.acme,
  })

  /** What people see of the links that were made on SQLite. */
  async function observe() {
    const paths = ['/spring', '/summer', '/old-name', '/new-name', '/gone', '/nowhere']
    const redirects = await Promise.all(
      paths.map(async (path) => {
        const { status, headers } = await released.visit(path, 'Googlebot/2.1')
        return [path, status, headers.get('location')]
      }),
    )
    const { body: list } = await getList(acme(), 'sort_by=created_at&order=asc')
    const found = await released.browser.get('/dashboard?q=spring+sale')
    return {
      redirects,
      list,
      link: /href="(\/dashboard\/links\/[\da-f-]{36})"/.exec(found.text)?.[1],
      statuses: [found.status, (await released.browser.get('/dashboard/keys')).status],
    }
  }

  async function typeAndSee(text: string, expected: string): Promise<void> {
    await slack.ana.types(text, { in: 'general' })
    await slack.until(() => texts(slack.ana.newest('general')).includes(expected))
  }

  beforeAll(async () => {
    directory = await makeTempDir()
    slack = await startSimulatedWorkspace()
    const sqliteUrl = await restoreReleased('sqlite', directory.path)
    await writeFile(join(directory.path, 'encryption.keys'), installation.encryptionKey)
    released = await startOn(sqliteUrl)
    await typeAndSee('/shorten https://example.com/winter winter', '/winter')
    const step = await slack.ana.runsStep(WORKFLOW_STEP, {
      destination_url: 'https://example.com/step',
    })
    await slack.until(() => slack.ana.stepRun(step)?.outcome?.ok)
    before = await observe()
    await released.stop()
    const database = await openDatabase(sqliteUrl)
    for (const table of COPIED_NAMES) {
      const row = await database.db.selectFrom(table).selectAll().executeTakeFirst()
      expect({ table, isEmpty: row === undefined }).toEqual({ table, isEmpty: false })
    }
    await database.close()

    postgresUrl = await createPostgresDatabase()
    const output: string[] = []
    const code = await runAdmin(['migrate-database', sqliteUrl, '--json'], {
      databaseUrl: postgresUrl,
      publicUrl: 'https://go.example.com',
      out: (text) => output.push(text),
      err: () => undefined,
      checkEncrypted: (db, path) => checkEncrypted(db, { path, configured: undefined }),
    })
    expect(code).toBe(0)
    copied = JSON.parse(output.join('')) as Record<string, unknown>
    released = await startOn(postgresUrl)
  })
  afterAll(async () => {
    await released.stop()
    await slack.close()
    await directory.remove()
  })

  test('reports what was copied, and that the encryption key still fits', () => {
    expect(copied).toMatchObject({
      ...{ tables: COPIED_NAMES.length, equal: 'yes', differences: [] },
      ...{ encrypted: 2, unreadable: 0 },
    })
  })

  test('redirects, lists, searches and keeps the dashboard’s session as before', async () => {
    expect(before.redirects).toEqual([
      ['/spring', 302, 'https://example.com/spring?utm_source=newsletter'],
      ['/summer', 302, 'https://example.com/summer'],
      ['/old-name', 302, 'https://example.com/renamed'],
      ['/new-name', 302, 'https://example.com/renamed'],
      ['/gone', 410, null],
      ['/nowhere', 404, null],
    ])
    expect(before.link).toBeTruthy()
    expect(await observe()).toEqual(before)
  })

  test('shows the link’s clicks, its history and its preview image as before', async () => {
    const page = await released.browser.get(before.link ?? '')
    expect(page.text).toContain('news.example.com')
    const card = await released.visit('/new-name', 'Slackbot-LinkExpanding 1.0')
    const image = /property="og:image" content="([^"]+)"/.exec(card.text)?.[1] ?? ''
    expect((await released.visit(new URL(image).pathname)).status).toBe(200)
  })

  test('replays the answer to a create that was sent before, by its Idempotency-Key', async () => {
    const { fields, text } = installation.idempotent
    const again = await postForm(acme(), fields, { 'idempotency-key': 'k1' })
    expect(again.text).toBe(text)
  })

  test('lets Slack users go on with the workspace’s own key, their links and new links', async () => {
    await typeAndSee('/shorten list', 'Spring sale')
    await typeAndSee('/shorten https://example.com/next next', '/next')
    expect((await released.visit('/next')).headers.get('location')).toBe('https://example.com/next')
    const database = await openDatabase(postgresUrl)
    const keys = await database.db
      .selectFrom('api_keys')
      .select('name')
      .where('name', 'like', 'Backhalf app%')
      .execute()
    await database.close()
    expect(keys).toHaveLength(1)
  })

  test('finds new links by search, and numbers new changes after the copied ones', async () => {
    const { body } = await getList(acme(), '')
    const { data } = body as { data: { shortlinks: { name: string }[] } }
    const [link] = data.shortlinks
    const changed = await callLink(acme(), 'PATCH', link?.name ?? '', {
      fields: { title: 'A title of PostgreSQL’s time' },
    })
    expect(changed.status).toBe(200)
    expect((await released.browser.get('/dashboard?q=postgresql')).text).toContain(
      'PostgreSQL’s time',
    )
  })
})
