import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CREATE_PATH } from '../src/contract/endpoints.ts'
import type { Database } from '../src/database/database.ts'
import { GLOBAL_SHORTCUT, STEP_OUTPUTS, WORKFLOW_STEP } from '../src/slack/ids.ts'
import { adminJson, createApiKey } from './support/admin.ts'
import { signedIn } from './support/dashboard.ts'
import { freePort } from './support/free-port.ts'
import { openDatabase } from './support/open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from './support/postgres.ts'
import { startProgram, type Program } from './support/program.ts'
import { startRoundRobin, type RoundRobin } from './support/round-robin.ts'
import { call, create, getList, linkIn } from './support/service-calls.ts'
import { makeTempDir } from './support/temp-dir.ts'
import { texts } from './support/texts.ts'
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  startSimulatedWorkspace,
  type TestWorkspace,
} from './support/workspace.ts'

/*
 * Services and apps in processes of their own, each kind behind a load balancer, on one database. On SQLite, that is
 * possible on one machine. What apps share there is tested without processes (workspaces/deliveries.test.ts).
 */
describe.skipIf(postgresSkipped)('on PostgreSQL', () => {
  const services = startServices(() => createPostgresDatabase(MIGRATED))
  declareAppTests(services)
  declareServiceTests(services)
})
describe('on SQLite', () => {
  declareServiceTests(startServices(async (directory) => `file:${join(directory, 'backhalf.db')}`))
})

let made = 0
/** A destination that no other test uses. */
const page = (): string => `https://example.com/page/${(made += 1)}`

interface Services extends Fleet {
  directory: string
  databaseUrl: string
  database: Database
  apiKey: string
}

/** Starts two services for the tests of a block. Both start at once, on an empty database. */
function startServices(createUrl: (directory: string) => Promise<string>): Services {
  const started = {} as Services
  beforeAll(async () => {
    const directory = await makeTempDir()
    const databaseUrl = await createUrl(directory.path)
    const fleet = await startFleet(directory.path, 'service', { DATABASE_URL: databaseUrl })
    const database = await openDatabase(databaseUrl)
    const apiKey = await createApiKey({ databaseUrl })
    Object.assign(started, fleet, { directory: directory.path, databaseUrl, database, apiKey })
    return async () => {
      await fleet.stop()
      await database.close()
      await directory.remove()
    }
  })
  return started
}

async function linksTo({ database }: Services, ...destinations: string[]): Promise<number> {
  const links = database.db.selectFrom('links').select('id')
  return (await links.where('destination_url', 'in', destinations).execute()).length
}

function declareAppTests(services: Services): void {
  let slack: TestWorkspace
  let apps: Fleet

  beforeAll(async () => {
    slack = await startSimulatedWorkspace()
    apps = await startFleet(services.directory, 'start', {
      DATABASE_URL: services.databaseUrl,
      ENCRYPTION_KEYS: Buffer.alloc(32, 5).toString('base64'),
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: BOT_TOKEN,
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      SHORTLINK_BASE_URL: services.balancer.url,
      SHORTLINK_API_KEY: services.apiKey,
      SHORTLINK_DOMAIN: 'default',
    })
    slack.connectApp(`${apps.balancer.url}/slack/events`)
    return async () => {
      await apps.stop()
      await slack.close()
    }
  })
  afterEach(() => {
    apps.balancer.sendTo('one')
    expect(slack.takeRefusals()).toEqual([])
  })

  /** Has Ana shorten a new destination. */
  async function shortens(): Promise<string> {
    const destination = page()
    await slack.ana.asks(`/shorten ${destination}`, { for: destination })
    return destination
  }

  /** Has each app answer another command, so that a second answer to an earlier one would be there. */
  async function letAppsAnswer(): Promise<void> {
    apps.balancer.sendTo('one')
    for (const _app of apps.programs) await shortens()
  }

  test('creates one link if a command reaches both apps', async () => {
    apps.balancer.sendTo('all')
    const destination = await shortens()
    await letAppsAnswer()
    expect(await linksTo(services, destination)).toBe(1)
  })

  test('creates one link if a form reaches both apps, which acknowledge it in the same way', async () => {
    const { ana } = slack
    await ana.runsShortcut(GLOBAL_SHORTCUT)
    await ana.seesModal()
    apps.balancer.sendTo('all')
    ana.fills({ Destination: page(), 'Back-half': 'not one' })
    await ana.submits()
    await ana.seesErrors()
    const [first, second] = apps.balancer.lastAnswers()
    expect(JSON.parse(second ?? '')).toEqual(JSON.parse(first ?? ''))
    const destination = page()
    ana.fills({ Destination: destination, 'Back-half': null })
    await ana.submits()
    await ana.gets(destination, { in: 'app' })
    await letAppsAnswer()
    expect(await linksTo(services, destination)).toBe(1)
    await ana.closesAll()
  })

  test('shares a link once if two clicks reach one app each', async () => {
    const { ana, ben } = slack
    const destination = page()
    const asked = { in: 'marketing', for: destination }
    const message = await ana.asks(`/shorten ${destination} qr=off`, asked)
    const press = () => ana.presses('Share in channel', { in: 'marketing', message })
    await Promise.all([press(), press()])
    await ana.gets('Shared in this conversation', { in: 'marketing' })
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

  // The last one, because only one app is left.
  test('creates one link if a user asks again because the app was killed', async () => {
    const held = services.balancer.hold(CREATE_PATH)
    apps.balancer.pin(0)
    const destination = page()
    await slack.gil.types(`/shorten ${destination}`, { in: 'general' })
    await held.arrived
    await apps.programs[0]?.kill()
    held.release()
    apps.balancer.pin(undefined)
    await slack.gil.asks(`/shorten ${destination}`, { for: destination })
    expect(await linksTo(services, destination)).toBe(1)
  })
}

function declareServiceTests(services: Services): void {
  const visit = (path: string) => call(services.balancer.url + path)

  test('accepts a dashboard’s sessions and forms in every service, each form once', async () => {
    const browser = await signedIn({ ...services, baseUrl: services.balancer.url })
    for (const _service of services.programs) {
      expect((await browser.get('/dashboard/keys')).status).toBe(200)
    }
    const owners = await services.database.db.selectFrom('owners').select('id').execute()
    const key = { owner: owners[0]?.id ?? '', name: 'once', permissions: 'all', expires: '' }
    const submitted = services.programs.map(() => browser.post('/dashboard/keys', key))
    const statuses = (await Promise.all(submitted)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409])
    await browser.post('/dashboard/sign-out')
    for (const _service of services.programs) {
      expect((await browser.get('/dashboard/keys')).status).toBe(303)
    }
  })

  test('refuses a revoked key and accepts a new domain record in every service at once', async () => {
    const { balancer, databaseUrl } = services
    const { key = '', id = '' } = await adminJson({ databaseUrl }, 'keys', 'create')
    const hostname = `${randomUUID()}.example.com`
    const at = { baseUrl: balancer.url, apiKey: key }
    for (const _service of services.programs) expect((await getList(at)).status).toBe(200)
    await adminJson({ databaseUrl }, 'domains', 'add', hostname)
    for (const _service of services.programs) {
      expect((await create(at, { domain: hostname })).status).toBe(200)
    }
    await adminJson({ databaseUrl }, 'keys', 'revoke', id)
    for (const _service of services.programs) expect((await getList(at)).status).toBe(401)
  })

  // The last one, because only one service is left.
  test('loses no acknowledged link and creates none twice while a service is killed', async () => {
    const at = { baseUrl: services.balancer.url, apiKey: services.apiKey }
    const acknowledged: { destination: string; url: string }[] = []
    let ended = false
    async function write(): Promise<void> {
      const [destination, key] = [`${page()}/${randomUUID()}`, randomUUID()]
      for (;;) {
        const created = create(at, { destination_url: destination }, { 'idempotency-key': key })
        const response = await created.catch(() => undefined)
        if (response?.status !== 200) continue
        acknowledged.push({ destination, url: linkIn(response).shortlink_url })
        return
      }
    }
    const writers = Array.from({ length: 4 }, async () => {
      while (!ended) await write()
    })
    const moreThan = (links: number) =>
      expect.poll(() => acknowledged.length).toBeGreaterThan(links)
    await moreThan(10)
    await services.programs[0]?.kill()
    await moreThan(acknowledged.length + 10)
    ended = true
    await Promise.all(writers)
    for (const { destination, url } of acknowledged) {
      expect((await visit(new URL(url).pathname)).headers.get('location')).toBe(destination)
    }
    const destinations = acknowledged.map(({ destination }) => destination)
    expect(await linksTo(services, ...destinations)).toBe(acknowledged.length)
  })
}

/** Two processes of one kind, and the load balancer in front of them. */
interface Fleet {
  programs: Program[]
  balancer: RoundRobin
  stop(): Promise<void>
}

async function startFleet(
  directory: string,
  command: 'start' | 'service',
  env: Record<string, string>,
): Promise<Fleet> {
  const ports = [await freePort(), await freePort()]
  const balancer = await startRoundRobin(ports.map((port) => `http://127.0.0.1:${port}`))
  const portVariable = command === 'start' ? 'PORT' : 'SERVICE_PORT'
  const all = { SERVICE_PUBLIC_URL: balancer.url, ...env }
  const programs = await Promise.all(
    ports.map((port) => startProgram(command, { ...all, [portVariable]: String(port) }, directory)),
  )
  return {
    programs,
    balancer,
    async stop() {
      await Promise.all(programs.map((program) => program.stop()))
      await balancer.close()
    },
  }
}
