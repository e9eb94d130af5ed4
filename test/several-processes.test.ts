import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CREATE_PATH } from '../src/contract/endpoints.ts'
import { openDatabase, type Database } from '../src/database/database.ts'
import { runAdmin } from '../src/service/admin/run-admin.ts'
import { GLOBAL_SHORTCUT, STEP_OUTPUTS, WORKFLOW_STEP } from '../src/slack/ids.ts'
import { signedIn } from './support/dashboard.ts'
import { freePort } from './support/free-port.ts'
import { createPostgresDatabase, postgresSkipped } from './support/postgres.ts'
import { startProgram, type Program } from './support/program.ts'
import { startRoundRobin, type RoundRobin } from './support/round-robin.ts'
import { call, getList, postForm } from './support/service-calls.ts'
import { makeTempDir } from './support/temp-dir.ts'
import { texts } from './support/texts.ts'
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  startSimulatedWorkspace,
  type TestWorkspace,
} from './support/workspace.ts'

/*
 * Services and apps in processes of their own, each kind behind a load balancer, on one database. On
 * SQLite, that is possible on one machine.
 */
describe.skipIf(postgresSkipped)('three services and two apps on PostgreSQL', () =>
  declareTests(3, () => createPostgresDatabase()),
)
describe('two services and two apps on SQLite', () =>
  declareTests(2, async (directory) => `file:${join(directory, 'backhalf.db')}`))

function declareTests(
  serviceCount: number,
  createUrl: (directory: string) => Promise<string>,
): void {
  let directory: Awaited<ReturnType<typeof makeTempDir>>
  let databaseUrl: string
  let database: Database
  let slack: TestWorkspace
  let services: Fleet
  let apps: Fleet
  let apiKey: string
  let made = 0
  /** A destination that no other test uses. */
  const page = (): string => `https://example.com/page/${(made += 1)}`

  beforeAll(async () => {
    directory = await makeTempDir()
    databaseUrl = await createUrl(directory.path)
    slack = await startSimulatedWorkspace()
    // All of them start at once, on an empty database.
    services = await startFleet(serviceCount, directory.path, 'service', 'SERVICE_PORT', {
      DATABASE_URL: databaseUrl,
    })
    database = await openDatabase(databaseUrl)
    apiKey = await createApiKey(databaseUrl)
    apps = await startFleet(2, directory.path, 'start', 'PORT', {
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS: Buffer.alloc(32, 5).toString('base64'),
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: BOT_TOKEN,
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      SHORTLINK_BASE_URL: services.balancer.url,
      SHORTLINK_API_KEY: apiKey,
      SHORTLINK_DOMAIN: 'default',
    })
    slack.connectApp(`${apps.balancer.url}/slack/events`)
  })
  afterEach(() => {
    apps.balancer.sendTo('one')
    expect(slack.takeRefusals()).toEqual([])
  })
  afterAll(async () => {
    await apps.stop()
    await services.stop()
    await database.close()
    await slack.close()
    await directory.remove()
  })

  const answersAbout = (text: string): number =>
    slack.ana.sees('general').filter((message) => texts(message).includes(text)).length

  /** Has each app answer another command, so that a second answer to an earlier one would be there. */
  async function letAppsAnswer(): Promise<void> {
    apps.balancer.sendTo('one')
    for (const _app of apps.programs) {
      const destination = page()
      await slack.ana.types(`/shorten ${destination}`, { in: 'general' })
      await slack.until(() => answersAbout(destination))
    }
  }

  const linksTo = async (destination: string): Promise<number> => {
    const rows = await database.db
      .selectFrom('links')
      .select('id')
      .where('destination_url', '=', destination)
      .execute()
    return rows.length
  }

  test('makes one link if a command reaches both apps', async () => {
    apps.balancer.sendTo('all')
    const destination = page()
    await slack.ana.types(`/shorten ${destination}`, { in: 'general' })
    await slack.until(() => answersAbout(destination))
    await letAppsAnswer()
    expect(await linksTo(destination)).toBe(1)
  })

  test('makes one link if a form reaches both apps, which acknowledge it in the same way', async () => {
    const { ana } = slack
    await ana.runsShortcut(GLOBAL_SHORTCUT)
    await slack.until(() => ana.modal())
    apps.balancer.sendTo('all')
    ana.fills({ Destination: page(), 'Back-half': 'not one' })
    await ana.submits()
    await slack.until(() => Object.keys(ana.modal()?.errors ?? {}).length)
    const [first, second] = apps.balancer.lastAnswers()
    expect(JSON.parse(second ?? '')).toEqual(JSON.parse(first ?? ''))
    const destination = page()
    ana.fills({ Destination: destination, 'Back-half': null })
    await ana.submits()
    await slack.until(() => ana.sees('app').some((message) => texts(message).includes(destination)))
    await letAppsAnswer()
    expect(await linksTo(destination)).toBe(1)
    await ana.closesAll()
  })

  test('shares a link once if two clicks reach one app each', async () => {
    const { ana, ben } = slack
    const destination = page()
    await ana.types(`/shorten ${destination} qr=off`, { in: 'marketing' })
    const message = await slack.until(() =>
      ana.sees('marketing').find((one) => texts(one).includes(destination)),
    )
    const press = () => ana.presses('Share in channel', { in: 'marketing', message })
    await Promise.all([press(), press()])
    const isShared = 'Shared in this conversation'
    await slack.until(() => ana.sees('marketing').some((one) => texts(one).includes(isShared)))
    await letAppsAnswer()
    const shared = ben.sees('marketing').filter((one) => texts(one).includes(destination))
    expect(shared).toHaveLength(1)
  })

  test('completes a workflow step that reached both apps only once', async () => {
    apps.balancer.sendTo('all')
    const id = await slack.ana.runsStep(WORKFLOW_STEP, { destination_url: page() })
    const outcome = await slack.until(() => slack.ana.stepRun(id)?.outcome)
    expect(outcome).toMatchObject({ ok: true })
    expect(JSON.stringify(outcome)).toContain(STEP_OUTPUTS.shortUrl)
    await letAppsAnswer() // A second completion would have been refused.
  })

  test('makes one link if a user asks again because the app was killed', async () => {
    const held = services.balancer.hold(CREATE_PATH)
    apps.balancer.pin(0)
    const destination = page()
    await slack.gil.types(`/shorten ${destination}`, { in: 'general' })
    await held.arrived
    await apps.programs[0]?.kill()
    held.release()
    apps.balancer.pin(undefined)
    await apps.restart(0)
    await slack.gil.types(`/shorten ${destination}`, { in: 'general' })
    await slack.until(() => texts(slack.gil.newest('general')).includes(destination))
    expect(await linksTo(destination)).toBe(1)
  })

  test('accepts a dashboard’s sessions and forms in every service, each form once', async () => {
    const browser = await signedIn({ baseUrl: services.balancer.url, databaseUrl })
    for (const _service of services.programs) {
      expect((await browser.get('/dashboard/keys')).status).toBe(200)
    }
    const owners = await database.db.selectFrom('owners').select('id').execute()
    const key = { owner: owners[0]?.id ?? '', name: 'once', permissions: 'all', expires: '' }
    const submitted = services.programs.map(() => browser.post('/dashboard/keys', key))
    const statuses = (await Promise.all(submitted)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...services.programs.slice(1).map(() => 409)])
    await browser.post('/dashboard/sign-out')
    for (const _service of services.programs) {
      expect((await browser.get('/dashboard/keys')).status).toBe(303)
    }
  })

  test('refuses a revoked key and accepts a new domain record in every service at once', async () => {
    const admin = { databaseUrl, publicUrl: services.balancer.url }
    const created = await adminJson(['keys', 'create', '--json'], admin)
    const { key, id } = created as { key: string; id: string }
    const hostname = `${randomUUID()}.example.com`
    const at = { baseUrl: services.balancer.url, apiKey: key }
    for (const _service of services.programs) expect((await getList(at)).status).toBe(200)
    await adminJson(['domains', 'add', hostname, '--json'], admin)
    for (const _service of services.programs) {
      const response = await postForm(at, { destination_url: page(), domain: hostname })
      expect(response.status).toBe(200)
    }
    await adminJson(['keys', 'revoke', id, '--json'], admin)
    for (const _service of services.programs) expect((await getList(at)).status).toBe(401)
  })

  test('loses no acknowledged link and makes none twice while services are killed', async () => {
    const at = { baseUrl: services.balancer.url, apiKey }
    const acknowledged: { destination: string; url: string }[] = []
    let ended = false
    async function write(): Promise<void> {
      const [destination, key] = [`${page()}/${randomUUID()}`, randomUUID()]
      for (;;) {
        const fields = { destination_url: destination, domain: 'default' }
        const response = await postForm(at, fields, { 'idempotency-key': key }).catch(
          () => undefined,
        )
        if (response?.status !== 200) continue
        const { data } = response.body as { data: { shortlink: { shortlink_url: string } } }
        acknowledged.push({ destination, url: data.shortlink.shortlink_url })
        return
      }
    }
    const writers = Array.from({ length: 4 }, async () => {
      while (!ended) await write()
    })
    for (const index of services.programs.keys()) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 10)
      await services.programs[index]?.kill()
      await services.restart(index)
    }
    ended = true
    await Promise.all(writers)
    for (const { destination, url } of acknowledged) {
      const { pathname } = new URL(url)
      const { headers } = await call(services.balancer.url + pathname)
      expect(headers.get('location')).toBe(destination)
    }
    const rows = await database.db
      .selectFrom('links')
      .select('destination_url')
      .where(
        'destination_url',
        'in',
        acknowledged.map(({ destination }) => destination),
      )
      .execute()
    expect(rows).toHaveLength(acknowledged.length)
  })
}

/** Processes of one kind, and the load balancer in front of them. */
interface Fleet {
  programs: Program[]
  balancer: RoundRobin
  /** Starts the process with this index again, after it was killed. */
  restart(index: number): Promise<void>
  stop(): Promise<void>
}

async function startFleet(
  count: number,
  directory: string,
  command: 'start' | 'service',
  portVariable: 'PORT' | 'SERVICE_PORT',
  env: Record<string, string>,
): Promise<Fleet> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const balancer = await startRoundRobin(ports.map((port) => `http://127.0.0.1:${port}`))
  const startOne = (port: number): Promise<Program> =>
    startProgram(
      command,
      { SERVICE_PUBLIC_URL: balancer.url, ...env, [portVariable]: String(port) },
      directory,
    )
  const programs = await Promise.all(ports.map(startOne))
  return {
    programs,
    balancer,
    async restart(index) {
      programs[index] = await startOne(ports[index] ?? 0)
    },
    async stop() {
      await Promise.all(programs.map((program) => program.stop()))
      await balancer.close()
    },
  }
}

async function adminJson(
  args: string[],
  { databaseUrl, publicUrl }: { databaseUrl: string; publicUrl: string },
): Promise<unknown> {
  const output: string[] = []
  const out = (text: string): void => void output.push(text)
  const code = await runAdmin(args, { databaseUrl, publicUrl, out, err: out })
  if (code !== 0) throw new Error(output.join(''))
  return JSON.parse(output.join(''))
}

async function createApiKey(databaseUrl: string): Promise<string> {
  const admin = { databaseUrl, publicUrl: 'http://localhost:3001' }
  await adminJson(['orgs', 'add', 'Acme', '--json'], admin)
  const created = await adminJson(['keys', 'create', '--rate', '1000000', '--json'], admin)
  return (created as { key: string }).key
}
