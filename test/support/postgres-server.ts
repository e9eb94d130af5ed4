import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { makeTempDir } from './temp-dir.ts'

/** Where Debian installs the server's programs. The newest version is used. */
export const postgresBinaries = globSync('/usr/lib/postgresql/*/bin')
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  .at(-1)

export const POSTGRES_MISSING =
  'PostgreSQL was not found. Install it with: apt-get install postgresql'

/** PostgreSQL and PgBouncer refuse to run as root. They run as `nobody` instead, who has this id on Debian. */
const NOBODY = 65_534
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** How to start such a program in a directory, which it then owns. */
export async function unprivilegedIn(directory: string) {
  if (user.uid !== undefined) await chown(directory, user.uid, user.gid)
  return { ...user, cwd: directory }
}

/** Tests need no data after a crash, and each worker opens several pools of connections. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '500',
  unix_socket_directories: '',
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgresServer>>

/**
 * Starts a PostgreSQL server on a free loopback port. Its URL names the user and the host, but no
 * database. It is killed if this process exits without stopping it.
 *
 * @param settings of the server, besides those that make tests fast
 */
export async function startPostgresServer(settings: Record<string, string> = {}) {
  if (postgresBinaries === undefined) throw new Error(POSTGRES_MISSING)
  const binaries = postgresBinaries
  const directory = await makeTempDir()
  const data = join(directory.path, 'data')
  const options = await unprivilegedIn(directory.path)
  await promisify(execFile)(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'backhalf', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    options,
  )
  const port = await freePort()
  let server: ChildProcess
  const start = async (): Promise<void> => {
    server = spawn(
      join(binaries, 'postgres'),
      [
        ...['-D', data, '-h', '127.0.0.1', '-p', String(port)],
        ...Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
          '-c',
          `${name}=${value}`,
        ]),
      ],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    await untilReady(server)
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }
  const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
    const { stdout } = await promisify(execFile)('pgrep', ['-P', String(server.pid)])
    for (const pid of [String(server.pid), ...stdout.trim().split('\n')]) {
      try {
        process.kill(Number(pid), signal)
      } catch (error) {
        // A connection might have ended meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
  const kill = (): void => void server.kill('SIGKILL')
  process.once('exit', kill)
  await start()
  return {
    url: `postgres://backhalf@127.0.0.1:${port}`,
    /** Cuts all connections at once, like a crash. The server is gone until `start`. */
    crash: () => end('SIGQUIT'),
    start,
    /** Makes the server hang, with all of its processes. */
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    /** Ends the server, and starts it again with the same data on the same port. */
    async restart(how: 'fast' | 'immediate'): Promise<void> {
      await end(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await start()
    },
    /** Ends the server and deletes its data. */
    async stop(): Promise<void> {
      process.off('exit', kill)
      await end('SIGQUIT') // Nothing is written anymore: the data is deleted.
      await directory.remove()
    },
  }
}

/** Runs SQL over a connection of its own. @returns the rows */
export async function queryPostgres<Row extends pg.QueryResultRow = Record<string, unknown>>(
  url: string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function untilReady(server: ChildProcess): Promise<void> {
  if (!server.stderr) throw new Error('PostgreSQL has no standard error')
  const lines: string[] = []
  for await (const line of createInterface(server.stderr)) {
    lines.push(line)
    if (line.includes('ready to accept connections')) {
      server.stderr.resume()
      return
    }
  }
  throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`)
}
