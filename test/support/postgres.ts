import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { makeTempDir } from './temp-dir.ts'

/** Where Debian puts the server's programs, newest version last. */
const BINARIES = globSync('/usr/lib/postgresql/*/bin')
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  .at(-1)

const MISSING = 'no PostgreSQL found; to have its tests run: apt-get install postgresql'

/** In CI a missing server is a failure: there its tests must not vanish unseen. */
export const postgresSkipped = BINARIES === undefined && process.env.CI !== 'true'

if (postgresSkipped) console.warn(`PostgreSQL tests are skipped: ${MISSING}`)

/** PostgreSQL refuses to run as root: then it runs as `nobody`, who has this id on Debian. */
const UNPRIVILEGED = 65_534
const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}

export interface Postgres {
  /** A new, empty database. */
  createDatabase(): Promise<{ url: string }>
  stop(): Promise<void>
}

/** A PostgreSQL server of one's own on a loopback port. Whoever started it stops it. */
export async function startPostgres(): Promise<Postgres> {
  if (BINARIES === undefined) throw new Error(MISSING)
  const binary = (name: string): string => join(BINARIES, name)
  const directory = await makeTempDir()
  if (user.uid !== undefined) await chown(directory.path, user.uid, user.gid)
  const run = promisify(execFile)
  const data = join(directory.path, 'data')
  await run(
    binary('initdb'),
    ['-D', data, '-U', 'backhalf', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: directory.path },
  )
  const port = await freePort()
  const address = ['-h', '127.0.0.1', '-p', String(port)]
  const server = spawn(
    binary('postgres'),
    ['-D', data, ...address, '-c', 'fsync=off', '-c', 'unix_socket_directories='],
    { ...user, cwd: directory.path, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const kill = (): void => void server.kill('SIGKILL')
  process.once('exit', kill)
  await untilReady(server)
  let databases = 0
  return {
    async createDatabase() {
      const name = `test_${databases++}`
      await run(binary('createdb'), [...address, '-U', 'backhalf', name])
      return { url: `postgres://backhalf@127.0.0.1:${port}/${name}` }
    },
    async stop() {
      process.off('exit', kill)
      const gone = once(server, 'exit')
      server.kill('SIGINT')
      await gone
      await directory.remove()
    },
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
