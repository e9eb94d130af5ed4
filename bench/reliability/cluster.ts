import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { freePort } from '../../test/support/free-port.ts'
import { startProgram, type Program } from '../../test/support/program.ts'
import { createClusterNetwork, enterNamespaces, type ClusterNetwork } from './cluster-network.ts'
import { CLUSTER_MISSING, NODES, startClusterNodes, type ClusterNodes } from './cluster-nodes.ts'
import { appSettings, createApiKey } from './deployment.ts'
import { startEditors } from './editors.ts'
import { startReaders, type Readers } from './readers.ts'
import type { Figure, Report } from './report.ts'
import { startSlackUsers } from './slack-users.ts'
import { findLosses, startWriters, type Writers } from './writers.ts'

/** What happens to the primary of a cluster, or to its other parts. */
interface Fault {
  /** Causes it. @returns how to repair it */
  cause(parts: {
    nodes: ClusterNodes
    network: ClusterNetwork
    primary: number
    standby: number
  }): Promise<(() => Promise<void>) | undefined>
  /** Whether another server becomes the primary. */
  isFailover?: true
  /** How long the fault lasts, in milliseconds, after another server has become the primary. */
  lastsMs?: number
}

export const FAULTS: Record<string, Fault> = {
  switchover: {
    isFailover: true,
    async cause({ nodes, primary, standby }) {
      await nodes.switchOver(primary, standby)
      return undefined
    },
  },
  'kill-postgres': {
    async cause({ nodes, primary }) {
      await nodes.killPostgres(primary)
      return undefined
    },
  },
  'kill-patroni': {
    lastsMs: 5_000,
    async cause({ nodes, primary }) {
      await nodes.killPatroni(primary)
      return () => nodes.startPatroni(primary)
    },
  },
  /** PostgreSQL goes on, and still takes itself for the primary after another one is chosen. */
  'lose-patroni': {
    isFailover: true,
    lastsMs: 15_000,
    async cause({ nodes, primary }) {
      await nodes.killPatroni(primary)
      return () => nodes.startPatroni(primary)
    },
  },
  /** Patroni starts again while commits still wait on the former primary. */
  'late-patroni': {
    isFailover: true,
    async cause({ nodes, primary }) {
      await nodes.killPatroni(primary)
      return () => nodes.startPatroni(primary)
    },
  },
  'kill-etcd': {
    lastsMs: 5_000,
    async cause({ nodes, primary }) {
      await nodes.killEtcd(primary)
      return () => nodes.startEtcd(primary)
    },
  },
  'kill-machine': {
    isFailover: true,
    lastsMs: 5_000,
    async cause({ nodes, primary }) {
      await Promise.all([
        nodes.killPatroni(primary),
        nodes.killPostgres(primary),
        nodes.killEtcd(primary),
      ])
      return async () => {
        await nodes.startEtcd(primary)
        await nodes.startPatroni(primary)
      }
    },
  },
  'cut-proxy': {
    async cause({ nodes }) {
      await nodes.cutProxied()
      return undefined
    },
  },
  'cut-off': {
    isFailover: true,
    lastsMs: 15_000,
    async cause({ network, primary }) {
      await network.cut?.(primary)
      return () => network.heal()
    },
  },
  lag: {
    async cause({ nodes, standby }) {
      await nodes.suspendReceiver(standby, 15_000)
      return undefined
    },
  },
}

/** How many links are acknowledged before each fault and after it. */
const LINKS_BETWEEN = 50

const [WRITERS, EDITORS, READERS, SLACK_USERS] = [2, 2, 2, 2]

/** How long writes can take to come back after Patroni has a primary, and a user in Slack can wait, in milliseconds. */
const [WRITES_BACK_MS, ANSWER_MS] = [30_000, 15_000]

/** How long a service might still read from a former primary (docs/reliability.md), in milliseconds. */
const STALE_MS = 30_000

/** Starts a cluster of deploy/cluster, and causes one fault after another under load. */
export async function cluster(only?: string): Promise<Report> {
  const faults = Object.entries(FAULTS).filter(([name]) => (only ?? name) === name)
  if (faults.length === 0) throw new Error(`there is no fault ${only}`)
  if (CLUSTER_MISSING !== undefined) {
    process.stdout.write(`SKIPPED: ${CLUSTER_MISSING}\n`)
    return []
  }
  const exitCode = enterNamespaces()
  if (exitCode !== undefined) process.exit(exitCode)
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-cluster-'))
  await chmod(directory, 0o777) // The servers run as another user.
  const network = await createClusterNetwork(NODES.length)
  const nodes = await startClusterNodes(network, directory)
  try {
    return await underLoad(directory, nodes, async (load) => {
      const report: Report = []
      for (const [name, fault] of faults) {
        if (name === 'cut-off' && !network.cut) {
          process.stdout.write(
            'SKIPPED: cut-off needs root and network namespaces (unshare --net)\n',
          )
        } else report.push(...(await causeFault(name, fault, { network, nodes, load })))
      }
      return report
    })
  } finally {
    await nodes.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** What uses the cluster. */
interface Load {
  database: Database
  /** At the service that knows all servers, and at the one that knows HAProxy. */
  writers: Record<'hosts' | 'proxy', Writers>
  users: Awaited<ReturnType<typeof startSlackUsers>>
  readers: Readers
}

async function causeFault(
  name: string,
  fault: Fault,
  { network, nodes, load }: { network: ClusterNetwork; nodes: ClusterNodes; load: Load },
): Promise<Report> {
  const { isFailover, lastsMs = 0 } = fault
  const { writers, users, readers, database } = load
  const all = Object.entries(writers)
  const advance = () => Promise.all(all.map(([, some]) => some.advance(LINKS_BETWEEN)))
  process.stdout.write(`${name} …\n`)
  const before = await nodes.settled()
  await advance()
  readers.forget()
  const answered = users.figures().waits.length
  const pauses = all.map(([, some]) => watchPauses(some))
  const start = performance.now()
  const repair = await fault.cause({ network, nodes, ...before })
  if (isFailover) await nodes.findPrimary(before.primary)
  const patroniMs = isFailover ? performance.now() - start : 0
  await pause(lastsMs)
  if (isFailover && lastsMs > 0) await advance()
  await repair?.()
  await nodes.settled()
  await advance()
  const acknowledged = new Map(all.flatMap(([, some]) => [...some.acknowledged]))
  const { lost, twice } = await findLosses(database, acknowledged)
  const figure = (what: string, value: number, allowed?: number): Figure => ({
    name: `${name}: ${what}`,
    value: Math.round(value),
    ...(allowed !== undefined && { allowed }),
  })
  return [
    ...(isFailover ? [figure('until Patroni has another primary, in ms', patroniMs)] : []),
    ...all.map(([by], index) =>
      figure(
        `longest time without a new link, by ${by}, in ms`,
        pauses[index]?.() ?? 0,
        patroniMs + WRITES_BACK_MS,
      ),
    ),
    figure(
      'longest wait of a user in Slack, in ms',
      longest(users.figures().waits.slice(answered)),
      ANSWER_MS,
    ),
    figure('cached redirects that failed', readers.failed(), 0),
    figure('acknowledged links that are lost', lost, 0),
    figure('links that were created twice', twice, 0),
  ]
}

/** @returns ends it, and says how long it took at most until one more link was acknowledged, in milliseconds */
function watchPauses({ acknowledged }: Writers): () => number {
  let [count, at, most] = [acknowledged.size, performance.now(), 0]
  const look = (): void => {
    const now = performance.now()
    most = Math.max(most, now - at)
    if (acknowledged.size > count) [count, at] = [acknowledged.size, now]
  }
  const timer = setInterval(look, 50)
  return () => {
    clearInterval(timer)
    return most
  }
}

function longest(waits: readonly number[]): number {
  return waits.reduce((most, ms) => Math.max(most, ms), 0)
}

/** Starts two services and two apps, and everyone who uses them. */
async function underLoad(
  directory: string,
  nodes: ClusterNodes,
  work: (load: Load) => Promise<Report>,
): Promise<Report> {
  const ports = await Promise.all(Array.from({ length: 7 }, freePort))
  const [postgres, service, app, ...own] = ports.map((port) => `127.0.0.1:${port}`)
  const users = await startSlackUsers()
  await nodes.startProxy({
    ':5000': String(postgres),
    ':3001\n': `${service}\n`,
    ':3000\n': `${app}\n`,
    'service1:3001': String(own[0]),
    'service2:3001': String(own[1]),
    'app1:3000': String(own[2]),
    'app2:3000': String(own[3]),
  })
  const urlOf = (hosts: string): string => `postgres://backhalf:backhalf@${hosts}/backhalf`
  const databaseUrls = [nodes.addresses.map((one) => `${one}:5432`).join(), String(postgres)].map(
    urlOf,
  )
  const serviceUrl = `http://${service}`
  const programs: Program[] = []
  const run = async (command: 'service' | 'start', index: number, more: Record<string, string>) => {
    const settings = { DATABASE_URL: databaseUrls[index % 2] ?? '', SERVICE_PUBLIC_URL: serviceUrl }
    programs.push(await startProgram(command, { ...settings, ...more }, directory))
  }
  const portOf = (index: number): string => String(ports[3 + index])
  await run('service', 0, { SERVICE_PORT: portOf(0) })
  await run('service', 1, { SERVICE_PORT: portOf(1) })
  const database = await openDatabase(databaseUrls[0] ?? '')
  const apiKey = await createApiKey(databaseUrls[0] ?? '')
  const settings = appSettings({ apiUrl: users.apiUrl, serviceUrl, apiKey })
  await run('start', 2, { PORT: portOf(2), ...settings })
  await run('start', 3, { PORT: portOf(3), ...settings })
  const writers = {
    hosts: startWriters(WRITERS, `http://${own[0]}`, apiKey, 'hosts'),
    proxy: startWriters(WRITERS, `http://${own[1]}`, apiKey, 'proxy'),
  }
  const editors = startEditors(EDITORS, serviceUrl, apiKey, STALE_MS)
  await writers.hosts.advance(1)
  const [cached = ''] = writers.hosts.acknowledged.values()
  const readers = await startReaders(READERS, cached)
  users.start(SLACK_USERS, `http://${app}`)
  try {
    const report = await work({ database, writers, users, readers })
    await Promise.all([writers.hosts.stop(), writers.proxy.stop(), editors.stop(), users.stop()])
    const clicks = await readers.stop(database)
    const changes = await editors.figures()
    for (const one of changes.wrong.slice(0, 20)) process.stdout.write(`${one}\n`)
    const commands = users.figures()
    return [
      ...report,
      { name: 'acknowledged links', value: acknowledgedBy(writers) },
      { name: 'acknowledged changes of links', value: changes.acknowledged },
      {
        name: 'links and back-halves that are not as acknowledged',
        value: changes.wrong.length,
        allowed: 0,
      },
      {
        name: 'longest time until a change was visible everywhere, in ms',
        value: Math.round(changes.latestMs),
        allowed: STALE_MS,
      },
      { name: 'commands that the app acknowledged', value: commands.acknowledged },
      { name: 'of these, typed again', value: commands.askedAgain, allowed: 0 },
      { name: 'of these, never answered', value: commands.unanswered, allowed: 0 },
      { name: 'cached redirects', value: clicks.redirects },
      { name: 'of these, counted as clicks', value: clicks.counted },
      {
        name: 'clicks counted twice',
        value: Math.max(0, clicks.counted - clicks.redirects),
        allowed: 0,
      },
    ]
  } finally {
    await Promise.all([writers.hosts.giveUp(), writers.proxy.giveUp()])
    for (const program of programs) await program.kill()
    await database.close()
  }
}

function acknowledgedBy({ hosts, proxy }: Load['writers']): number {
  return hosts.acknowledged.size + proxy.acknowledged.size
}
