import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'

/*
 * deploy/Caddyfile in a real Caddy, in front of a server that stands in for Backhalf. Only the ports and the level of
 * the log differ, and there is no https.
 */

const CADDYFILE = join(import.meta.dirname, '../../deploy/Caddyfile')
const HOST = '127.0.0.1'

const missing = spawnSync('caddy', ['version']).error !== undefined
if (missing) console.warn('Caddy was not found. Install it with: apt-get install caddy')
/** In CI the tests fail instead, so that a missing Caddy is noticed. */
const skipped = missing && process.env.CI !== 'true'

/** @returns Caddy's origin, and the text that it has logged */
async function startCaddy(ports: { app: number; service: number }) {
  const args = ['adapt', '--adapter', 'caddyfile', '--config', CADDYFILE]
  const { stdout } = spawnSync('caddy', args, { env: { ...process.env, DOMAIN: HOST } })
  const adapted = JSON.parse(
    String(stdout)
      .replaceAll(':3000"', `:${ports.app}"`)
      .replaceAll(':3001"', `:${ports.service}"`),
  ) as { apps: { http: { servers: { srv0: { routes: unknown } } } } }
  const port = await freePort()
  const server = {
    listen: [`${HOST}:${port}`],
    automatic_https: { disable: true },
    routes: adapted.apps.http.servers.srv0.routes,
  }
  const caddy = spawn('caddy', ['run', '--config', '-'], { stdio: ['pipe', 'ignore', 'pipe'] })
  onTestFinished(() => void caddy.kill())
  const written = { log: '' }
  caddy.stderr.on('data', (chunk) => (written.log += String(chunk)))
  const config = {
    admin: { disabled: true },
    logging: { logs: { default: { level: 'DEBUG' } } },
    apps: { http: { servers: { server } } },
  }
  caddy.stdin.end(JSON.stringify(config))
  await expect.poll(() => written.log).toContain('serving initial configuration')
  return { origin: `http://${HOST}:${port}`, written }
}

describe.skipIf(skipped)('Caddy', () => {
  test.each([
    ['a command of Slack', '/slack/events', Buffer.from('command=%2Fshorten')],
    ['a large import', '/dashboard/import', Buffer.alloc(12_000_000, 'x')],
  ])('%s waits while Backhalf restarts, and arrives once and whole', async (_, path, body) => {
    const [app, service] = [await freePort(), await freePort()]
    const { origin, written } = await startCaddy({ app, service })
    const answers = [1, 2].map(() => fetch(`${origin}${path}`, { method: 'POST', body }))
    await expect.poll(() => written.log.split('connection refused').length).toBeGreaterThan(4)

    const received: [method: string | undefined, url: string | undefined, body: Buffer][] = []
    const server = createServer((request, response) => {
      void buffer(request).then((bytes) => {
        received.push([request.method, request.url, bytes])
        response.end('answer')
      })
    }).listen(path.startsWith('/slack/') ? app : service, HOST)
    onTestFinished(() => void server.close())
    await once(server, 'listening')

    for (const answer of await Promise.all(answers)) {
      expect([answer.status, await answer.text()]).toEqual([200, 'answer'])
    }
    const posts = received.filter(([method]) => method === 'POST')
    expect(posts.map(([, url, bytes]) => [url, bytes.equals(body)])).toEqual([
      [path, true],
      [path, true],
    ])
    const others = received.filter(([method]) => method !== 'POST')
    expect(others).toEqual(others.map(() => ['GET', '/healthz', Buffer.alloc(0)]))
  })
})
