import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The machines of a cluster, numbered from 1, and the network between them. */
export interface ClusterNetwork {
  addressOf(node: number): string
  /** How to run a program on a node, or next to all of them (0), as a user without rights. */
  on(node: number, command: readonly string[]): string[]
  /** Cuts a node off from the other nodes, but not from their clients. Undefined if that isn't possible here. */
  cut: ((node: number) => Promise<void>) | undefined
  heal(): Promise<void>
}

/** Set in the process that `enterNamespaces` starts. */
const INSIDE = 'BACKHALF_CLUSTER_INSIDE'

/** The address of this side of the bridge, and those of nodes. */
const NETWORK = '10.77.0'

/** If this process ends, Linux ends all that it has started. */
const NAMESPACES = [
  ...['--pdeathsig', 'KILL', 'unshare'],
  ...['--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
]

/**
 * Runs this command again in namespaces of its own, so that nodes can be cut off, and Linux ends every process with it.
 *
 * @returns the exit code; undefined: this process is inside, or namespaces can't be made here
 */
export function enterNamespaces(): number | undefined {
  if (INSIDE in process.env || spawnSync('setpriv', [...NAMESPACES, 'true']).status !== 0) return
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  // The shell waits for processes whose parent has ended, as PostgreSQL's has.
  const args = [...NAMESPACES, 'sh', '-c', '"$@"; exit $?', 'sh', ...command]
  const options = { stdio: 'inherit', env: { ...process.env, [INSIDE]: 'yes' } } as const
  return spawnSync('setpriv', args, options).status ?? 1
}

export async function createClusterNetwork(nodes: number): Promise<ClusterNetwork> {
  if (INSIDE in process.env) return createBridge(nodes)
  const network = randomInt(1, 255)
  return {
    addressOf: (node) => `127.77.${network}.${node}`,
    on: (_, command) => unprivileged(command),
    cut: undefined,
    heal: async () => undefined,
  }
}

/** A network namespace for each node, all of which are connected by a bridge. */
async function createBridge(nodes: number): Promise<ClusterNetwork> {
  const ip = (...args: string[]) => run('ip', args)
  const addressOf = (node: number): string => `${NETWORK}.${node}`
  const namespaces: string[] = []
  const into = (node: number): string[] => ['nsenter', `--net=${namespaces[node - 1]}`]
  const onNode = (node: number, command: string) => {
    const [program = '', ...args] = [...into(node), ...command.split(' ')]
    return run(program, args)
  }
  await ip('link', 'set', 'lo', 'up')
  await ip('link', 'add', 'bridge', 'type', 'bridge')
  await ip('addr', 'add', `${NETWORK}.254/24`, 'dev', 'bridge')
  await ip('link', 'set', 'bridge', 'up')
  for (let node = 1; node <= nodes; node++) {
    const hold = ['--net', 'sh', '-c', 'echo; exec sleep infinity']
    const holder = spawn('unshare', hold, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(holder.stdout, 'data')
    holder.stdout.destroy()
    holder.unref()
    namespaces.push(`/proc/${holder.pid}/ns/net`)
    const peer = ['peer', 'name', 'eth0', 'netns', String(holder.pid)]
    await ip('link', 'add', `node${node}`, 'type', 'veth', ...peer)
    await ip('link', 'set', `node${node}`, 'master', 'bridge', 'up')
    await onNode(node, `ip addr add ${addressOf(node)}/24 dev eth0`)
    await onNode(node, 'ip link set eth0 up')
    await onNode(node, 'ip link set lo up')
  }
  const cuts: [node: number, route: string][] = []
  return {
    addressOf,
    on: (node, command) => [...(node === 0 ? [] : into(node)), ...unprivileged(command)],
    async cut(node) {
      for (let other = 1; other <= nodes; other++) {
        if (other !== node) cuts.push([node, addressOf(other)], [other, addressOf(node)])
      }
      for (const [one, address] of cuts) await onNode(one, `ip route add blackhole ${address}`)
    },
    async heal() {
      for (const [one, address] of cuts.splice(0))
        await onNode(one, `ip route del blackhole ${address}`)
    },
  }
}

/** PostgreSQL refuses to run as root. On Debian, this is the id of `nobody`. */
const NOBODY = '65534'

function unprivileged(command: readonly string[]): string[] {
  if (process.getuid?.() !== 0) return [...command]
  return ['setpriv', '--reuid', NOBODY, '--regid', NOBODY, '--clear-groups', ...command]
}
