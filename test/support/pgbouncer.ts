import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { unprivilegedIn } from './postgres-server.ts'
import { makeTempDir } from './temp-dir.ts'

/** Where Debian installs it. */
const PROGRAM = '/usr/sbin/pgbouncer'

const MISSING = 'PgBouncer was not found. Install it with: apt-get install pgbouncer'

/** In CI the tests fail instead, so that a missing PgBouncer is noticed. */
export const pgbouncerSkipped = !existsSync(PROGRAM) && process.env.CI !== 'true'

if (pgbouncerSkipped) console.warn(`PgBouncer tests are skipped: ${MISSING}`)

/**
 * Starts PgBouncer in front of a PostgreSQL database, until the test ends.
 *
 * @param target the database's URL
 * @returns the database's URL behind PgBouncer
 */
export async function startPgbouncer(target: string, mode: 'session' | 'transaction') {
  if (!existsSync(PROGRAM)) throw new Error(MISSING)
  const { hostname, port: targetPort, username, pathname } = new URL(target)
  const directory = await makeTempDir()
  const port = await freePort()
  const settings = join(directory.path, 'pgbouncer.ini')
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${targetPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 50
`,
  )
  const options = await unprivilegedIn(directory.path)
  const pgbouncer = spawn(PROGRAM, [settings], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  const kill = (): void => void pgbouncer.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(pgbouncer, 'exit')
  onTestFinished(async () => {
    process.off('exit', kill)
    kill()
    await exited
    await directory.remove()
  })
  const said: string[] = []
  const lines = createInterface(pgbouncer.stderr).on('line', (line) => said.push(line))
  const ended = exited.then(() => {
    throw new Error(`PgBouncer ended:\n${said.join('\n')}`)
  })
  ended.catch(() => undefined)
  while (!said.some((line) => line.includes('process up'))) {
    await Promise.race([once(lines, 'line'), ended])
  }
  return `postgres://${username}@127.0.0.1:${port}${pathname}`
}
