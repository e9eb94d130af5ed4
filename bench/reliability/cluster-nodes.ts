import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parseDocument } from 'yaml'
import { postgresBinaries } from '../../test/support/postgres-server.ts'
import type { ClusterNetwork } from './cluster-network.ts'

export const NODES = [1, 2, 3]

const DEPLOY = join(import.meta.dirname, '../../deploy/cluster')

/** Where Debian installs them. */
const PROGRAMS = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy']

/** Undefined if everything is installed. */
export const CLUSTER_MISSING =
  postgresBinaries && PROGRAMS.every((program) => existsSync(program))
    ? undefined
    : 'a program is missing: apt-get install postgresql patroni etcd-server haproxy'

interface Member {
  name: string
  role: string
  state: string
}

/** How often the cluster is asked, in milliseconds, and how long it can take to answer. */
const [ASK_EVERY_MS, ANSWER_MS] = [200, 2_000]

/** Three nodes, each with etcd, Patroni and PostgreSQL, and HAProxy next to them. */
export type ClusterNodes = Awaited<ReturnType<typeof startClusterNodes>>

/** @param directory writable for everyone. Each program has its log there */
export async function startClusterNodes(network: ClusterNetwork, directory: string) {
  const running = new Map<string, ChildProcess>()
  const hostOf = (node: number): string => `db${node}`
  const dataOf = (node: number): string => join(directory, hostOf(node), 'postgresql')
  const settingsOf = (node: number): string => join(directory, hostOf(node), 'patroni.yml')
  const addresses = NODES.map((node) => network.addressOf(node))
  process.once('exit', () => {
    for (const child of running.values()) child.kill('SIGKILL')
  })

  async function start(name: string, node: number, command: string[], env = {}): Promise<void> {
    const [program = '', ...args] = network.on(node, command)
    const log = await open(join(directory, `${name}.log`), 'a')
    const options = { cwd: directory, env: { PATH: process.env.PATH, ...env } }
    running.set(name, spawn(program, args, { ...options, stdio: ['ignore', log.fd, log.fd] }))
    await log.close()
  }

  async function kill(name: string): Promise<void> {
    const child = running.get(name)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  async function startEtcd(node: number): Promise<void> {
    const url = (one: number, port: number) => `http://${network.addressOf(one)}:${port}`
    const members = NODES.map((one) => `${hostOf(one)}=${url(one, 2380)}`).join()
    await start(`etcd${node}`, node, [
      ...[
        '/usr/bin/etcd',
        '--name',
        hostOf(node),
        '--data-dir',
        join(directory, hostOf(node), 'etcd'),
      ],
      ...['--listen-client-urls', url(node, 2379), '--advertise-client-urls', url(node, 2379)],
      ...['--listen-peer-urls', url(node, 2380), '--initial-advertise-peer-urls', url(node, 2380)],
      ...['--initial-cluster', members, '--election-timeout', '2000', '--logger', 'zap'],
    ])
  }

  async function startPatroni(node: number): Promise<void> {
    const address = network.addressOf(node)
    await start(`patroni${node}`, node, ['/usr/bin/patroni', settingsOf(node)], {
      PATRONI_NAME: hostOf(node),
      PATRONI_ETCD3_HOSTS: addresses.map((one) => `${one}:2379`).join(),
      PATRONI_RESTAPI_LISTEN: `${address}:8008`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
      PATRONI_POSTGRESQL_LISTEN: `${address}:5432`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: dataOf(node),
      PATRONI_POSTGRESQL_BIN_DIR: postgresBinaries,
      PATRONI_POSTGRESQL_PGPASS: join(directory, hostOf(node), 'pgpass'),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: 'superuser',
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: 'replicator',
      BACKHALF_PASSWORD: 'backhalf',
    })
  }

  const ask = (node: number, path: string, body?: object): Promise<Response> =>
    fetch(`http://${network.addressOf(node)}:8008${path}`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })

  /** Repeats a question until it has an answer. */
  async function until<T>(question: () => Promise<T | undefined>, seconds: number): Promise<T> {
    let problem: unknown
    for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
      try {
        const answer = await question()
        if (answer !== undefined) return answer
      } catch (error) {
        problem = error
      }
      await pause(ASK_EVERY_MS)
    }
    throw new Error(`the cluster did not recover; see ${directory}`, { cause: problem })
  }

  /** @returns the primary, other than a former one */
  const findPrimary = (former?: number): Promise<number> =>
    until(async () => {
      const others = NODES.filter((node) => node !== former)
      const answers = others.map(async (node) => {
        const response = await ask(node, '/primary')
        await response.text()
        return response.ok ? [node] : []
      })
      const found = await Promise.allSettled(answers)
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))[0]
    }, 120)

  /** Waits until a primary, a synchronous replica and another one run. @returns the first two */
  const settled = (): Promise<{ primary: number; standby: number }> =>
    until(async () => {
      const response = await ask(await findPrimary(), '/cluster')
      const { members } = (await response.json()) as { members: Member[] }
      const find = (role: string): number =>
        1 +
        NODES.findIndex((node) =>
          members.some(
            (one) =>
              one.name === hostOf(node) &&
              one.role === role &&
              ['running', 'streaming'].includes(one.state),
          ),
        )
      const [primary, standby, other] = [find('leader'), find('sync_standby'), find('replica')]
      return primary * standby * other > 0 ? { primary, standby } : undefined
    }, 180)

  /** The processes of PostgreSQL, first that which starts the others. */
  async function postgresOn(node: number): Promise<string[]> {
    const [pid = ''] = (await readFile(join(dataOf(node), 'postmaster.pid'), 'utf8')).split('\n')
    const { stdout } = await promisify(execFile)('pgrep', ['-P', pid]).catch(() => ({ stdout: '' }))
    return [pid, ...stdout.trim().split('\n').filter(Boolean)]
  }

  async function killPostgres(node: number): Promise<void> {
    for (const pid of await postgresOn(node).catch(() => [])) signal(pid, 'SIGKILL')
  }

  async function stop(): Promise<void> {
    for (const node of NODES) await kill(`patroni${node}`)
    for (const node of NODES) await killPostgres(node)
    for (const name of running.keys()) await kill(name)
  }

  const settings = parseDocument(await readFile(join(DEPLOY, 'patroni.yml'), 'utf8'))
  // Processes are killed, not the machine, so that nothing has to reach the disk.
  settings.setIn(['bootstrap', 'dcs', 'postgresql', 'parameters', 'fsync'], 'off')
  for (const node of NODES) {
    await mkdir(join(directory, hostOf(node)))
    await chmod(join(directory, hostOf(node)), 0o777)
    const sockets = ['postgresql', 'parameters', 'unix_socket_directories']
    settings.setIn(sockets, join(directory, hostOf(node)))
    await writeFile(settingsOf(node), settings.toString())
  }
  await Promise.all(NODES.map(startEtcd))
  await Promise.all(NODES.map(startPatroni))
  await settled().catch(async (error: unknown) => {
    await stop()
    throw error
  })

  return {
    addresses,
    findPrimary,
    settled,
    startEtcd,
    startPatroni,
    killPostgres,
    killEtcd: (node: number) => kill(`etcd${node}`),
    killPatroni: (node: number) => kill(`patroni${node}`),
    /** @param places what its settings call the addresses, such as `app1:3000`, and where they are */
    async startProxy(places: Record<string, string>): Promise<void> {
      let text = await readFile(join(DEPLOY, 'haproxy.cfg'), 'utf8')
      text = text.replace(
        'global\n',
        `global\n  stats socket ${directory}/haproxy.sock level admin\n`,
      )
      for (const [index, address] of addresses.entries()) {
        text = text.replace(`db${index + 1}:5432`, `${address}:5432`)
      }
      for (const [name, place] of Object.entries(places)) text = text.replace(name, place)
      await writeFile(join(directory, 'haproxy.cfg'), text)
      const command = ['/usr/sbin/haproxy', '-db', '-f', join(directory, 'haproxy.cfg')]
      await start('haproxy', 0, command)
    },
    /** Cuts all of HAProxy's connections to PostgreSQL. */
    async cutProxied(): Promise<void> {
      for (const node of NODES) {
        const socket = connect(join(directory, 'haproxy.sock'))
        socket.end(`shutdown sessions server postgres/${hostOf(node)}\n`).resume()
        await once(socket, 'close')
      }
    },
    /** Lets a replica receive nothing for some time. */
    async suspendReceiver(node: number, ms: number): Promise<void> {
      const all = await postgresOn(node)
      const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,args=', '-p', all.join()])
      const [pid] = /\d+(?=.*walreceiver)/.exec(stdout) ?? []
      if (!pid) throw new Error(`no replica receives changes on node ${node}`)
      signal(pid, 'SIGSTOP')
      await pause(ms)
      signal(pid, 'SIGCONT')
    },
    async switchOver(from: number, to: number): Promise<void> {
      const body = { leader: hostOf(from), candidate: hostOf(to) }
      // Patroni answers once it is done.
      ask(from, '/switchover', body).catch(() => undefined)
    },
    stop,
  }
}

function signal(pid: string, name: NodeJS.Signals): void {
  try {
    process.kill(Number(pid), name)
  } catch (error) {
    // It can have ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
