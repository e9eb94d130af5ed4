import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:tls'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { freePort } from './free-port.ts'
import { makeTempDir } from './temp-dir.ts'

const isMissing = spawnSync('caddy', ['version']).error !== undefined

/** In CI the tests fail instead, so that a missing Caddy is noticed. */
export const caddySkipped = isMissing && process.env.CI !== 'true'

if (isMissing) console.warn('Caddy was not found. Install it with: apt-get install caddy')

const CADDYFILE = join(import.meta.dirname, '../../deploy/Caddyfile')

interface CaddyRequest {
  method?: string
  headers?: Record<string, string | number>
  body?: Buffer
}

export interface CaddyAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/**
 * Runs Caddy with deploy/Caddyfile on free loopback ports. The only difference is that Caddy makes the certificates
 * itself instead of asking Let's Encrypt. It is killed if this process exits without stopping it.
 *
 * @param backends the ports of the app and of the link service
 */
export async function startCaddy(domain: string, backends: { app: number; service: number }) {
  const directory = await makeTempDir()
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const options = [
    'admin off',
    'debug',
    'default_bind 127.0.0.1',
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
    'local_certs',
    'skip_install_trust',
  ]
  const caddyfile = (await readFile(CADDYFILE, 'utf8'))
    .replace(/^\{$/m, ['{', ...options].join('\n'))
    .replaceAll(':3000', `:${backends.app}`)
    .replaceAll(':3001', `:${backends.service}`)
  const path = join(directory.path, 'Caddyfile')
  await writeFile(path, caddyfile)
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', path], {
    env: {
      PATH: process.env.PATH,
      DOMAIN: domain,
      HOME: directory.path,
      XDG_DATA_HOME: directory.path,
      XDG_CONFIG_HOME: directory.path,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk))
  const rootPath = join(directory.path, 'caddy/pki/authorities/local/root.crt')

  /** Opens a URL with a path, over a new connection whose certificate must be valid. */
  async function open(
    url: string,
    { headers, body, method = 'GET' }: CaddyRequest = {},
  ): Promise<CaddyAnswer> {
    const { hostname } = new URL(url)
    const sent = request({
      host: '127.0.0.1',
      port: httpsPort,
      servername: hostname,
      agent: false,
      method,
      ca: await readFile(rootPath),
      // The path as given, because `new URL` removes `/./`.
      path: url.slice(`https://${hostname}`.length),
      headers: { host: hostname, ...headers },
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const { statusCode: status = 0, headers: received } = response
    return { status, headers: received, body: await text(response) }
  }

  const ended = exited.then(() => {
    throw new Error(`Caddy ended:\n${log}`)
  })
  ended.catch(() => undefined)
  // Caddy makes the certificate for DOMAIN after it has started.
  const isServing = vi.waitFor(
    async () => {
      const ca = await readFile(rootPath)
      const socket = connect({ ca, host: '127.0.0.1', port: httpsPort, servername: domain })
      await once(socket, 'secureConnect').finally(() => socket.destroy())
    },
    { interval: 20, timeout: 20_000 },
  )
  await Promise.race([ended, isServing]).catch((error: unknown) => {
    kill()
    throw error
  })
  return {
    httpPort,
    /** What Caddy has logged. */
    log: () => log,
    open,
    async stop(): Promise<void> {
      kill()
      await exited
      process.off('exit', kill)
      await directory.remove()
    },
  }
}
