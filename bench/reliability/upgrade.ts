import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { CREATE_PATH, LIST_PATH } from '../../src/contract/endpoints.ts'
import { freePort } from '../../test/support/free-port.ts'
import { startPostgresServer } from '../../test/support/postgres-server.ts'
import { startProgram } from '../../test/support/program.ts'
import { FIXTURES, releasedInstallation } from '../../test/support/released-fixtures.ts'
import { formatReport, type Report } from './report.ts'

/** Upgrades databases of 1.0.0 with many links while clients use the service. No request can fail or take over a second. */
export async function upgrade(links: number): Promise<Report> {
  return [...(await upgradeOn('sqlite', links)), ...(await upgradeOn('postgres', links))]
}

async function upgradeOn(kind: 'sqlite' | 'postgres', links: number): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-upgrade-'))
  const postgres = kind === 'postgres' ? await startPostgresServer() : undefined
  const database = postgres
    ? await restorePostgres(postgres.url)
    : await restoreSqlite(join(directory, 'backhalf.db'))
  for (const statement of fill(links)) await database.run(statement)
  await database.run('vacuum')
  await database.run('analyze')
  const port = await freePort()
  const [baseUrl, begun] = [`http://127.0.0.1:${port}`, performance.now()]
  const env = {
    DATABASE_URL: database.url,
    SERVICE_PORT: String(port),
    SERVICE_PUBLIC_URL: baseUrl,
  }
  const program = await startProgram('service', env, directory)
  const started = performance.now() - begun
  const clients = startClients(baseUrl, releasedInstallation(kind).keys.acme, links)
  while ((await database.run('select name from backfills limit 1')).length > 0) await sleep(500)
  const seconds = (performance.now() - begun) / 1_000
  // SQLite's search index is filled beside it.
  await sleep(5_000)
  const slowest = await clients.stop()
  await program.stop()
  await database.close()
  await postgres?.stop()
  await rm(directory, { recursive: true })
  const report: Report = [
    { name: `${kind}: milliseconds until it listens`, value: Math.round(started), allowed: 5_000 },
    { name: `${kind}: seconds of the upgrade`, value: Math.round(seconds) },
    ...Object.entries(slowest).flatMap(([name, { count, failed, ms }]) => [
      { name: `${kind}: ${name}, failed of ${count}`, value: failed, allowed: 0 },
      { name: `${kind}: ${name}, slowest in milliseconds`, value: Math.round(ms), allowed: 1_000 },
    ]),
  ]
  // PostgreSQL's part takes long.
  if (kind === 'sqlite') process.stdout.write(formatReport(report))
  return report
}

async function restorePostgres(serverUrl: string) {
  const url = `${serverUrl}/postgres`
  const client = new pg.Client(url)
  await client.connect()
  await client.query(gunzipSync(readFileSync(join(FIXTURES, 'postgres.sql.gz'))).toString('utf8'))
  await client.query('set search_path = public')
  const run = async (statement: string) => (await client.query(statement)).rows as unknown[]
  return { url, run, close: () => client.end() }
}

async function restoreSqlite(path: string) {
  await writeFile(path, gunzipSync(readFileSync(join(FIXTURES, 'sqlite.db.gz'))))
  const file = new DatabaseSync(path, { timeout: 5_000 })
  const run = async (statement: string) => file.prepare(statement).all() as unknown[]
  return { url: `file:${path}`, run, close: async () => file.close() }
}

/** A third of the links have clicks on three days. A tenth were created in Slack, and a twentieth led elsewhere before. */
function fill(links: number): string[] {
  const filled = `from links where id like '00000000-%'`
  const number = 'cast(substr(id, 25) as integer)'
  return [
    'update owners set max_links = null',
    'update api_keys set requests_per_minute = 0',
    `insert into links (id, owner_id, domain_id, hostname, back_half, destination_url, destination_hash, title,
      utm_analytics_enabled, utm_campaign, is_custom_preview, qr_code_enabled, created_at, updated_at)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${links})
    select '00000000-0000-7000-8000-' || substr(cast(1000000000000 + n as text), 2),
      (select id from owners where name = 'Acme'), 'default', '', 'p' || n,
      'https://example.com/some/long/page/' || n, 'hash ' || n, 'Page ' || n || ' about spring',
      1, 'campaign ' || n % 97, 0, 0, n, n from numbers`,
    `insert into clicks (link_id, day, people, bots)
      select id, day, 1 + ${number} % 7, 1
      from (select '2026-10-05' as day union select '2026-10-06' union select '2026-10-07') as days
      cross join links where id like '00000000-%' and ${number} % 3 = 0`,
    `update click_totals set people = (select sum(people) from clicks where clicks.link_id = click_totals.link_id)
      where link_id in (select link_id from clicks)`,
    `insert into link_history (link_id, at, made_by, changes)
      select id, 1, 'dashboard', '{"destination_url":["https://example.com/was","https://example.com/is"]}'
      ${filled} and ${number} % 20 = 0`,
    `insert into made_links (workspace_id, short_url, destination_url, made_by, made_at, link_name)
      select 'T1', 'https://go.example.com/' || back_half, destination_url, 'U' || ${number} % 50, 1, id
      ${filled} and ${number} % 10 = 0`,
  ]
}

/** Clients that each send a kind of request again and again. */
function startClients(baseUrl: string, apiKey: string, links: number) {
  const found: Record<string, { count: number; failed: number; ms: number }> = {}
  const headers = { 'x-api-key': apiKey }
  let isStopped = false

  async function repeat(name: string, pauseMs: number, send: (turn: number) => Promise<Response>) {
    const figures = (found[name] = { count: 0, failed: 0, ms: 0 })
    while (!isStopped) {
      const begun = performance.now()
      const status = await send(figures.count).then(
        async (response) => (await response.arrayBuffer(), response.status),
        () => 0,
      )
      figures.count += 1
      figures.ms = Math.max(figures.ms, performance.now() - begun)
      if (status !== 200 && status !== 302) figures.failed += 1
      await sleep(pauseMs)
    }
  }

  const list = (query: string) => fetch(`${baseUrl}${LIST_PATH}?${query}`, { headers })
  const clients = [
    repeat('redirects', 5, (turn) =>
      fetch(`${baseUrl}/p${1 + ((turn * 7919) % links)}`, { redirect: 'manual' }),
    ),
    repeat('creates', 100, (turn) => {
      const body = new FormData()
      body.set('destination_url', `https://example.com/new/${turn}`)
      body.set('domain', 'default')
      return fetch(baseUrl + CREATE_PATH, { method: 'POST', headers, body })
    }),
    repeat('lists', 200, () => list('per_page=25')),
    repeat('lists by clicks', 1_000, () => list('sort_by=clicks')),
    repeat('searches', 1_000, (turn) => list(`q=${encodeURIComponent(`page ${turn}`)}`)),
  ]
  return {
    async stop() {
      isStopped = true
      await Promise.all(clients)
      return found
    },
  }
}
