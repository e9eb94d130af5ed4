import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeLinkService } from '../support/fake-link-service.ts'
import { freePort } from '../support/free-port.ts'

const SCRIPT = join(import.meta.dirname, '../../deploy/health-check.ts')

/** @returns the port of a server whose /healthz answers with this status */
async function answering(status: number): Promise<string> {
  const server = await startFakeLinkService(({ url }) => ({
    status: url === '/healthz' ? status : 404,
    body: '',
  }))
  onTestFinished(() => server.close())
  return new URL(server.baseUrl).port
}

/** @returns the exit code */
async function check(PORT: string, SERVICE_PORT: string): Promise<unknown> {
  const child = spawn(process.execPath, [SCRIPT], { env: { PORT, SERVICE_PORT } })
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
