import { WebClient } from '@slack/web-api'
import { createTransport } from '../../src/client/transport.ts'
import type { LinkService } from '../../src/port/link-service.ts'
import { createLinkClient } from '../../src/drivers/backhalf/link-client.ts'
import { addClicks } from '../../src/service/store/clicks.ts'
import { CHANNELS, TEAM } from '../../src/simulator/workspace/seeds.ts'
import { createAlertChecks } from '../../src/slack/alerts/check-alerts.ts'
import { createChartLinks, createChartSource } from '../../src/slack/links/chart-links.ts'
import { createWorkspaceLinkService } from '../../src/slack/links/workspace-link-service.ts'
import { slackClientOptions } from '../../src/slack/platform/slack-client.ts'
import { systemClock } from '../../src/timing/clock.ts'
import type { CreateRequest } from '../../src/contract/link-requests.ts'
import type { Connection } from '../../src/workspaces/connection.ts'
import { createAlertStore, type Alert, type AlertStore } from '../../src/workspaces/alerts.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import { fakePlatform } from './platform.ts'
import { startService } from './service.ts'
import { texts } from './texts.ts'
import { BOT_TOKEN, startSimulatedWorkspace } from './workspace.ts'

export const GENERAL = CHANNELS[0]?.id ?? ''

/** A Friday. */
const START = Date.parse('2026-03-20T12:00:00Z')

export type AlertRig = Awaited<ReturnType<typeof startAlertRig>>

interface RigOptions {
  databaseUrl?: string
  /** How many processes check the alerts. */
  processes?: number
  /** Wraps the client of the link service, for faults and for other kinds of services. */
  linkService?: (client: LinkService) => LinkService
}

/**
 * Several processes of the app that check alerts, with one database, a real link service and a simulated workspace, and
 * a clock that only the test moves.
 */
export async function startAlertRig({
  databaseUrl,
  processes: count = 1,
  linkService: wrap = (client) => client,
}: RigOptions = {}) {
  let now = START
  const clock = { ...systemClock, now: () => now, random: () => 0 }
  const service = await startService({ now: clock.now, ...(databaseUrl && { databaseUrl }) })
  const slack = await startSimulatedWorkspace()
  const transport = createTransport()
  const { baseUrl, apiKey, database } = service
  const connected: Connection = { source: 'connected', apiKey, domains: [] }
  const connection: { current: Connection | undefined } = { current: connected }
  const stores = Array.from({ length: count }, () => createAlertStore({ database, now: clock.now }))
  const calls: string[] = []
  const startProcess = (store: AlertStore) => {
    const platform = { ...fakePlatform(), clock }
    const { logger } = platform
    const options = { transport, baseUrl, clock }
    const linkService = createWorkspaceLinkService({
      ...platform,
      workspaces: { connection: async () => connection.current },
      linkClient: (key) => recorded(wrap(createLinkClient({ ...options, apiKey: key })), calls),
      reminders: { setExpiry: async () => undefined },
      onRefusedKey: () => undefined,
    })
    const client = new WebClient(BOT_TOKEN, slackClientOptions(slack.apiUrl, logger, clock))
    const keyring = createKeyring([Buffer.alloc(32, 1)])
    const chartSource = createChartSource({
      ...platform,
      publicUrl: 'https://app.example.com',
      chartLinks: createChartLinks(keyring),
      charts: { draw: async () => Buffer.alloc(0) },
    })
    const clientFor = async () => client
    const checks = createAlertChecks({
      ...platform,
      linkService,
      alerts: store,
      clientFor,
      chartSource,
    })
    return { checks, logged: platform.logged }
  }
  let processes = stores.map(startProcess)
  const [store] = stores
  if (!store) throw new Error('a rig needs a process')
  const { ana, ben } = slack
  const client = createLinkClient({ transport, baseUrl, apiKey, clock })
  let ids = 0

  return {
    slack,
    service,
    store,
    client,
    connection,
    /** The names of the calls to the link service since the last check. */
    calls,
    logged: () => processes.flatMap(({ logged }) => logged),
    now: clock.now,
    async add(alert: Alert, createdBy = ana.id): Promise<string> {
      const id = `V${++ids}`
      await store.save({ id, workspaceId: TEAM.id, createdBy, alert })
      return id
    },
    async create(backHalf: string, more: Partial<CreateRequest> = {}) {
      const request = {
        domain: service.domain.name,
        destination_url: `https://example.com/${backHalf}`,
        back_half: backHalf,
        ...more,
      }
      now += 1
      return client.create(request, { idempotencyKey: `${backHalf}-${now}` })
    },
    /** Counts clicks by people, today. */
    click: (name: string, people: number) =>
      database.write(
        addClicks([
          { link_id: name, day: new Date(now).toISOString().slice(0, 10), people, bots: 0 },
        ]),
      ),
    /** Replaces all processes by new ones, which know only what is stored. */
    restart: (): void => void (processes = stores.map(startProcess)),
    /** A moment passes, so that changes have different times. */
    tick: (): void => void (now += 1),
    /** Time passes, and then all processes look at once. */
    async after(ms: number): Promise<void> {
      now += ms
      calls.length = 0
      await Promise.all(processes.map(({ checks }) => checks.look()))
    },
    /** The texts of all messages that alerts have sent, oldest first. */
    sent: (where: 'general' | 'app' = 'app', person = ana) =>
      (person === ana ? ana : ben)
        .sees(where)
        .filter(({ author }) => author.kind === 'app')
        .map((message) => texts(message)),
    async close(): Promise<void> {
      await transport.close()
      await slack.close()
      await service.close()
    },
  }
}

/** Records the names of the calls that are made. */
function recorded(client: LinkService, calls: string[]): LinkService {
  return new Proxy(client, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name)
      if (typeof call !== 'function') return call
      return (...given: unknown[]): unknown => {
        if (name !== 'readCapabilities') calls.push(String(name))
        return Reflect.apply(call, target, given)
      }
    },
  })
}
