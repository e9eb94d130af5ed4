import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Config } from '../src/config/config.ts'
import { COPIED_NAMES } from '../src/database/copy/tables.ts'
import { openDatabase } from '../src/database/database.ts'
import { runAdmin } from '../src/service/admin/run-admin.ts'
import { TEAM } from '../src/simulator/workspace/seeds.ts'
import { start, type Running } from '../src/start.ts'
import { checkEncrypted } from '../src/workspaces/encrypted-data.ts'
import { parseKeys } from '../src/workspaces/encryption-keys.ts'
import { createInstallations } from '../src/workspaces/installations.ts'
import { createKeyring } from '../src/workspaces/keyring.ts'
import { createSettingsStore } from '../src/workspaces/settings.ts'
import { testConfig } from './support/app.ts'
import { signedIn, signInCommand, type DashboardBrowser } from './support/dashboard.ts'
import { PNG } from './support/images.ts'
import { createPostgresDatabase, postgresSkipped } from './support/postgres.ts'
import { call, callLink, getList, postForm } from './support/service-calls.ts'
import { makeTempDir } from './support/temp-dir.ts'
import { texts } from './support/texts.ts'
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  startSimulatedWorkspace,
  type TestWorkspace,
} from './support/workspace.ts'

// Everything starts twice.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 180_000 })

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const INSTALLATION = {
  team: { id: 'T0OTHER', name: 'Other' },
  user: { id: 'U0OTHER' },
  bot: { token: 'xoxb-other', scopes: ['commands'], id: 'B0OTHER', userId: 'U0BOT' },
}

/*
 * An installation in which everything was used once, on SQLite. Then it moves to PostgreSQL, and each test asks
 * whether something still works there.
 */
describe.skipIf(postgresSkipped)('an installation that moved from SQLite to PostgreSQL', () => {
  let directory: Awaited<ReturnType<typeof makeTempDir>>
  let slack: TestWorkspace
  let config: Config
  let postgresUrl: string
  let running: Running
  let browser: DashboardBrowser
  const service = { baseUrl: '', apiKey: '' }
  let before: Awaited<ReturnType<typeof observe>>
  let idempotent: { fields: Record<string, string>; text: string }
  let copied: Record<string, unknown>

  async function startOn(databaseUrl: string, keys?: Buffer[]): Promise<void> {
    running = await start(
      { ...config, databaseUrl, encryptionKeys: keys },
      pino({ level: 'silent' }),
    )
    slack.connectApp(`${running.appUrl}/slack/events`)
    service.baseUrl = config.servicePublicUrl
  }

  async function admin(args: string[], databaseUrl: string): Promise<Record<string, unknown>> {
    const [out, err] = [[] as string[], [] as string[]]
    const code = await runAdmin([...args, '--json'], {
      databaseUrl,
      publicUrl: config.servicePublicUrl,
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      checkEncrypted: (db, path) => checkEncrypted(db, { path, configured: undefined }),
    })
    if (code !== 0) throw new Error([...out, ...err].join(''))
    return JSON.parse(out.join('')) as Record<string, unknown>
  }

  const visit = (path: string) => call(`${config.servicePublicUrl}${path}`)

  /** What people see of the links that were made on SQLite. */
  async function observe() {
    const paths = ['/spring', '/summer', '/old-name', '/new-name', '/gone', '/nowhere']
    const redirects = await Promise.all(
      paths.map(async (path) => {
        const { status, headers } = await call(`${config.servicePublicUrl}${path}?`, {
          method: 'HEAD',
        })
        return [path, status, headers.get('location')]
      }),
    )
    const { body: list } = await getList(service, 'sort_by=created_at&order=asc')
    const found = await browser.get('/dashboard?q=spring+sale')
    return {
      redirects,
      list,
      links: /href="(\/dashboard\/links\/[\da-f-]{36})"/.exec(found.text)?.[1],
      statuses: [found.status, (await browser.get('/dashboard/keys')).status],
    }
  }

  async function typeAndSee(text: string, expected: string): Promise<void> {
    await slack.ana.types(text, { in: 'general' })
    await slack.until(() => texts(slack.ana.newest('general')).includes(expected))
  }

  beforeAll(async () => {
    directory = await makeTempDir()
    slack = await startSimulatedWorkspace()
    config = {
      ...(await testConfig(directory.path)),
      slack: {
        mode: 'http',
        signingSecret: SIGNING_SECRET,
        botToken: BOT_TOKEN,
        apiUrl: slack.apiUrl,
      },
    }
    await startOn(config.databaseUrl)
    await slack.ana.opensHome()
    const options = 'title="Spring sale" color=#1f4f46 utm_source=newsletter expires=30d'
    await typeAndSee(`/shorten https://example.com/spring spring ${options}`, '/spring')
    await typeAndSee('/shorten https://example.com/summer summer qr=off', '/summer')

    const { databaseUrl } = config
    await admin(['orgs', 'add', 'Acme'], databaseUrl)
    await admin(['domains', 'add', 'links.example.com', '--org', 'Acme'], databaseUrl)
    const { key } = await admin(['keys', 'create', '--org', 'Acme'], databaseUrl)
    service.apiKey = String(key)
    const make = async (page: string, fields: Record<string, string | Blob>) => {
      const response = await postForm(service, {
        ...{ destination_url: `https://example.com/${page}`, domain: 'default', ...fields },
      })
      expect(response).toMatchObject({ status: 200 })
      const { data } = response.body as { data: { shortlink: { name: string } } }
      return data.shortlink.name
    }
    const image = new File([PNG], 'card.png', { type: 'image/png' })
    const renamed = await make('renamed', {
      ...{ back_half: 'old-name', title: 'Grüße 😀 \\ "quoted"', preview_image: image },
      ...{ is_custom_preview: 'true', preview_title: 'A card' },
    })
    const edited = await callLink(service, 'PATCH', renamed, { fields: { back_half: 'new-name' } })
    expect(edited.status).toBe(200)
    const gone = await make('gone', { back_half: 'gone' })
    expect((await callLink(service, 'DELETE', gone)).status).toBeLessThan(300)
    idempotent = {
      fields: { destination_url: 'https://example.com/once', domain: 'default' },
      text: '',
    }
    idempotent.text = (await postForm(service, idempotent.fields, { 'idempotency-key': 'k1' })).text
    const headers = { 'user-agent': BROWSER, referer: 'https://news.example.com/' }
    for (let at = 0; at < 3; at++) {
      await call(`${config.servicePublicUrl}/spring`, { headers })
    }

    await signInCommand({ baseUrl: service.baseUrl, databaseUrl }, 'password', Date.now)
    browser = await signedIn({ baseUrl: service.baseUrl, databaseUrl })
    before = await observe()
    await running.stop()

    const database = await openDatabase(databaseUrl)
    const keys = parseKeys(await readFile(join(directory.path, 'encryption.keys'), 'utf8'))
    await createInstallations({ database, keyring: createKeyring(keys) }).save(INSTALLATION)
    const settings = createSettingsStore({ database })
    await settings.update(TEAM.id, slack.ana.id, (current) => ({
      ...current,
      mayShorten: 'not_guests',
    }))
    for (const table of COPIED_NAMES) {
      const row = await database.db.selectFrom(table).selectAll().executeTakeFirst()
      expect({ table, isEmpty: row === undefined }).toEqual({ table, isEmpty: false })
    }
    await database.close()

    postgresUrl = await createPostgresDatabase()
    copied = await admin(['migrate-database', databaseUrl], postgresUrl)
    await startOn(postgresUrl, keys)
  })
  afterAll(async () => {
    await running.stop()
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
    expect(before.links).toBeTruthy()
    expect(await observe()).toEqual(before)
  })

  test('shows the link’s clicks, its history and its preview image as before', async () => {
    const page = await browser.get(before.links ?? '')
    expect(page.text).toContain('news.example.com')
    const card = await call(`${config.servicePublicUrl}/new-name`, {
      headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' },
    })
    const image = /property="og:image" content="([^"]+)"/.exec(card.text)?.[1] ?? ''
    expect((await visit(new URL(image).pathname)).status).toBe(200)
  })

  test('replays the answer to a create that was sent before, by its Idempotency-Key', async () => {
    const again = await postForm(service, idempotent.fields, { 'idempotency-key': 'k1' })
    expect(again.text).toBe(idempotent.text)
  })

  test('lets Slack users go on with the workspace’s own key, their links and new links', async () => {
    await typeAndSee('/shorten list', 'Spring sale')
    await typeAndSee('/shorten https://example.com/autumn autumn', '/autumn')
    expect((await visit('/autumn')).headers.get('location')).toBe('https://example.com/autumn')
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
    const { body } = await getList(service, '')
    const { data } = body as { data: { shortlinks: { name: string }[] } }
    const [link] = data.shortlinks
    const changed = await callLink(service, 'PATCH', link?.name ?? '', {
      fields: { title: 'A title of PostgreSQL’s time' },
    })
    expect(changed.status).toBe(200)
    expect((await browser.get('/dashboard?q=postgresql')).text).toContain('PostgreSQL’s time')
  })
})
