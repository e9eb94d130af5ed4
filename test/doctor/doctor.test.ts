import { randomBytes } from 'node:crypto'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../../src/config/config.ts'
import { jsonReport, sanitize, runDoctor, textReport } from '../../src/doctor/run-doctor.ts'
import { start } from '../../src/start.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { freePort } from '../support/free-port.ts'
import { OAUTH, startInstallableApp } from '../support/installing.ts'
import { openDatabase } from '../support/open-database.ts'
import { outcomeOf, runMain } from '../support/program.ts'
import { freePorts, withDirectory } from '../support/fixtures.ts'
import { finding } from './finding.ts'
import { BOT_TOKEN, startSimulatedWorkspace, type TestWorkspace } from '../support/workspace.ts'

const SIGNING_SECRET = '0123456789abcdef0123456789abcdef'

let slack: TestWorkspace
const { test, directory, at } = withDirectory()

beforeAll(async () => {
  slack = await startSimulatedWorkspace()
})
afterAll(() => slack.close())

/** Runs `npm run doctor` in the empty folder and with only these variables. */
const spawnDoctor = (env: Record<string, string>) =>
  outcomeOf(runMain(['doctor'], { cwd: directory.path, env }))

/** Runs the doctor in this process. */
async function doctor(env: Record<string, string>, ...args: string[]) {
  let [out, err] = ['', '']
  const code = await runDoctor(args, {
    env: { DATABASE_URL: `file:${at('data/backhalf.db')}`, ...env },
    dotenv: { path: at('.env'), names: [] },
    colors: false,
    out: (printed) => (out += printed),
    err: (printed) => (err += printed),
  })
  return { code, out, err }
}

const report = z.strictObject({
  ok: z.boolean(),
  findings: z.array(
    z.strictObject({
      group: z.string(),
      name: z.string(),
      status: z.enum(['ok', 'warning', 'failed', 'unchecked', 'skipped']),
      message: z.string(),
      fix: z.string().optional(),
    }),
  ),
})

/** The findings by name. */
async function findings(env: Record<string, string>) {
  const { code, out } = await doctor(env, '--json')
  const parsed = report.parse(JSON.parse(out))
  expect(parsed.ok).toBe(code === 0)
  return Object.fromEntries(parsed.findings.map((finding) => [finding.name, finding]))
}

const withSlack = async () => ({
  ...(await freePorts()),
  SLACK_API_URL: slack.apiUrl,
  SLACK_BOT_TOKEN: BOT_TOKEN,
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
})

test('an empty folder is healthy, and stays empty', async () => {
  const { code, out, err } = await spawnDoctor(await freePorts())
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('0 failed, 0 not checked, 0 warnings')
  expect(out).not.toContain('\x1b')
  expect(await readdir(directory.path)).toEqual([])
})

test('nothing fails while the app runs, connected to Slack', async () => {
  const env = { ...(await withSlack()), DATABASE_URL: `file:${at('backhalf.db')}` }
  const app = await start(parseConfig(env), pino({ enabled: false }))
  // Its first write starts a thread, which takes longer on a busy machine than the doctor waits.
  const isReady = async () => (await fetch(`${app.appUrl}/readyz`)).ok
  await expect.poll(isReady, { timeout: 20_000 }).toBe(true)
  const found = await findings(env)
  await app.stop()
  expect(Object.values(found).filter(({ status }) => status === 'failed')).toEqual([])
  const [ok, warning] = [{ status: 'ok' }, { status: 'warning' }]
  expect(found).toMatchObject({
    'Bot token': ok,
    Scopes: ok,
    'Signing secret': ok,
    App: ok,
    'Link service': ok,
    Writable: ok,
    Migrated: ok,
    Keys: ok,
    Clock: ok,
    PUBLIC_URL: warning,
    SERVICE_PUBLIC_URL: warning,
  })
})

test('invalid settings are all that is reported', async () => {
  const { SLACK_SIGNING_SECRET: _, ...env } = await withSlack()
  const found = await findings({ ...env, PORT: 'high', DATABASE_URL: 'mysql://u:p@h/db' })
  expect(Object.keys(found)).toEqual(['DATABASE_URL', 'PORT', 'SLACK_SIGNING_SECRET'])
  expect(found['PORT']).toMatchObject({
    status: 'failed',
    group: 'Configuration',
    message: 'It must be a port number from 0 to 65535.',
  })
})

test('warns about .env: names that are not settings, and others who can read it', async () => {
  const path = at('.env')
  await writeFile(path, 'SLACK_BOT_TOKN=xoxb-hunter2hunter2\n')
  await chmod(path, 0o644)
  const env = await freePorts()
  const { code, out, err } = await spawnDoctor(env)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('! SLACK_BOT_TOKN:')
  expect(out).toContain('→ chmod 600 .env')
  expect(out).not.toContain('hunter2')
  // docs/installing.md sets 0640 for a service of systemd.
  for (const mode of [0o600, 0o640]) {
    await chmod(path, mode)
    expect((await findings(env))['.env']).toMatchObject({ status: 'ok' })
  }
})

test('shows no secret of the environment, whatever is wrong', async () => {
  const password = 'database-password-hunter2'
  const key = randomBytes(32).toString('base64')
  const tokens = {
    SLACK_BOT_TOKEN: 'xoxb-1111-2222-refusedrefusedrefused',
    SLACK_APP_TOKEN: 'xapp-1-A0123-4567-refusedrefused',
    SLACK_SIGNING_SECRET: 'a signing secret in a wrong form',
    SHORTLINK_API_KEY: 'bh_refusedrefusedrefusedrefused',
  }
  const env = {
    ...(await freePorts()),
    ...tokens,
    ENCRYPTION_KEYS: key,
    SLACK_API_URL: slack.apiUrl,
    SHORTLINK_BASE_URL: `http://127.0.0.1:${await freePort()}`,
    SHORTLINK_DOMAIN: 'dom_1',
    DATABASE_URL: `postgres://user:${password}@127.0.0.1:${await freePort()}/db`,
  }
  const { SLACK_APP_TOKEN: _, ...overHttp } = env
  const invalid = {
    ...env,
    SLACK_CLIENT_ID: '1234.5678',
    SLACK_CLIENT_SECRET: 'client-secret-client-secret',
    SLACK_STATE_SECRET: 'state-secret-state-secret',
    ENCRYPTION_KEYS: `${key},tooshorttooshort\r\nonelinetooshort`,
  }
  const secrets = [password, key, 'tooshorttooshort', 'onelinetooshort', ...Object.values(tokens)]
  secrets.push(invalid.SLACK_CLIENT_SECRET, invalid.SLACK_STATE_SECRET)
  for (const settings of [env, overHttp, invalid]) {
    for (const args of [[], ['--json']]) {
      const { code, out, err } = await doctor(settings, ...args)
      expect(code).toBe(1)
      for (const secret of secrets) expect(out + err).not.toContain(secret)
      if (settings !== invalid) expect(out).toContain('xoxb-…used')
    }
  }
})

test('reads secrets from files, and does not show them either', async () => {
  const path = at('token')
  await writeFile(path, 'xoxb-1111-2222-fromafilefromafile\n')
  const { SLACK_BOT_TOKEN: _, ...env } = await withSlack()
  const { out } = await doctor({ ...env, SLACK_BOT_TOKEN_FILE: path })
  expect(out).toContain('Slack refuses xoxb-…file')
  expect(out).not.toContain('fromafilefromafile')
})

test('tries the tokens of the workspaces that installed the app', async () => {
  const app = await startInstallableApp({
    teams: [
      { id: 'T0ONE', name: 'One', domain: 'one' },
      { id: 'T0TWO', name: 'Two', domain: 'two' },
    ],
  })
  await app.installs(app.workspaces[0])
  await app.installs(app.workspaces[1])
  const env = {
    ...(await freePorts()),
    SLACK_API_URL: app.workspaces[0]?.apiUrl ?? '',
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_CLIENT_ID: OAUTH.clientId,
    SLACK_CLIENT_SECRET: OAUTH.clientSecret,
    SLACK_STATE_SECRET: OAUTH.stateSecret,
    UNFURL_DOMAINS: 'go.example.com',
    DATABASE_URL: app.databaseUrl,
  }
  expect(await findings(env)).toMatchObject({
    'Client ID and secret': { status: 'ok' },
    Installations: { status: 'ok', message: 'Slack accepts the tokens of 2 of 2 workspaces.' },
  })
  app.workspaces[1]?.uninstall()
  const found = await findings(env)
  await app.stop()
  expect(found).toMatchObject({
    Installations: { status: 'warning' },
    'Two (T0TWO)': finding('failed', '', '/slack/install'),
  })
})

test('checks the DNS of the newest 20 domain records', async () => {
  const dns = await startDnsServer({
    'go.example.com': { A: ['203.0.113.7'] },
    's.example.com': { CNAME: 'go.example.com' },
    'cdn.example.com': { A: ['198.51.100.1'] },
    'broken.example.com': { fault: 'SERVFAIL' },
  })
  onTestFinished(() => dns.close())
  // The test sends no request to the public address.
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) =>
    url.hostname === 'go.example.com' ? Promise.reject(new Error()) : fetch(url, init),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const DATABASE_URL = `file:${at('domains.db')}`
  const env = { ...(await freePorts()), SERVICE_PUBLIC_URL: 'https://go.example.com', DATABASE_URL }
  const database = await openDatabase(DATABASE_URL)
  onTestFinished(() => database.close())
  const { db } = database
  const add = (domain_name: string, created_at: number, id = domain_name) =>
    db.insertInto('domains').values({ id, domain_name, owner_id: null, created_at }).execute()
  await add('broken.example.com', 1)
  const unchecked = await findings(env)
  expect(unchecked['broken.example.com']).toEqual(finding('unchecked'))
  expect(unchecked).not.toHaveProperty('Domain records')
  await db.deleteFrom('domains').where('id', '=', 'broken.example.com').execute()

  await add('s.example.com', 2)
  await add('s.example.com', 1, 'the-same-hostname')
  const leads = 'hostnames to go.example.com. (Only the newest 20 are checked.)'
  expect((await findings(env))['Domain records']).toEqual({
    group: 'Link service',
    name: 'Domain records',
    status: 'ok',
    message: `DNS leads 1 of 1 ${leads}`,
  })

  await add('cdn.example.com', 3)
  await add('new.example.com', 4)
  for (let at = 5; at < 23; at++) await add(`many-${at}.example.com`, at)
  const create = 'Create a CNAME record for new.example.com with the value go.example.com.'
  expect(await findings(env)).toMatchObject({
    'Domain records': { status: 'warning', message: `DNS leads 0 of 20 ${leads}` },
    'new.example.com': finding('failed', `DNS has no address for new.example.com. ${create}`),
    'cdn.example.com': { status: 'warning' },
  })
})

test('explains itself, and rejects other options', async () => {
  const help = await doctor({}, '--help')
  expect(help).toMatchObject({ code: 0, err: '' })
  expect(help.out).toContain('--json')
  const wrong = await doctor({}, '--jsn')
  expect(wrong).toMatchObject({ code: 2, out: '' })
  expect(wrong.err).toContain('npm run doctor')
})

test('the report is one line for each finding, without control characters and secrets, and with colors if asked for', () => {
  const found = { group: 'Slack', name: 'Bot token', status: 'failed', fix: 'Copy it.' } as const
  const message = 'Slack said\n“hunter2”\x1b[31m.'
  const findings = sanitize([{ ...found, message }], ['hunter2'])
  expect(textReport(findings, false)).toBe(
    'Slack\n  ✗ Bot token: Slack said “…” [31m.\n      → Copy it.\n\n1 failed, 0 not checked, 0 warnings, 0 ok, 0 skipped.\n',
  )
  expect(textReport(findings, true)).toContain('\x1b[31m✗')
  expect(JSON.parse(jsonReport(findings))).toEqual({
    ok: false,
    findings: [{ ...found, message: 'Slack said “…” [31m.' }],
  })
})
