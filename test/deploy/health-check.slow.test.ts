import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'

const SCRIPT = join(import.meta.dirname, '../../deploy/health-check.ts')

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** @returns the port of a server whose /healthz answers with this status */
async function answering(status: number): Promise<string> {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/healthz' ? status : 404, { connection: 'close' }).end()
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

/** @returns the exit code */
async function check(PORT: string, SERVICE_PORT: string): Promise<unknown> {
  const args = [SCRIPT]
  const child = spawn(process.execPath, args, { env: { PORT, SERVICE_PORT } })
  const [code] = (await once(child, 'exit')) as [unknown]
  return code
}

test('succeeds if the app responds', async () => {
  expect(await check(await answering(200), String(await freePort()))).toBe(0)
})

test('succeeds if only the link service runs and responds', async () => {
  expect(await check(String(await freePort()), await answering(200))).toBe(0)
})

test('fails if nothing listens, or if the app fails while the service responds', async () => {
  expect(await check(String(await freePort()), String(await freePort()))).toBe(1)
  expect(await check(await answering(500), await answering(200))).toBe(1)
})
