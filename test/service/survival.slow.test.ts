import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupSqlite } from '../../src/database/backup.ts'
import { createApiKey } from '../support/admin.ts'
import { freePort } from '../support/free-port.ts'
import { startProgram } from '../support/program.ts'
import { call, codeIn, create, listed, newLink } from '../support/service-calls.ts'
import { startService } from '../support/service.ts'
import { makeTempDir } from '../support/temp-dir.ts'

test('confirmed links survive kill -9', async () => {
  const directory = await makeTempDir()
  const databaseUrl = `file:${join(directory.path, 'service.db')}`
  const port = await freePort()
  const env = { DATABASE_URL: databaseUrl, SERVICE_PORT: String(port) }
  const program = await startProgram('service', env, directory.path)
  const apiKey = await createApiKey({ databaseUrl })
  const at = { baseUrl: `http://127.0.0.1:${port}`, apiKey }
  const confirmed: string[] = []
  /** Creates links until the process is gone, and remembers which were confirmed. */
  const writer = async (): Promise<void> => {
    for (;;) {
      confirmed.push((await newLink(at)).destination_url)
      if (confirmed.length === 40) program.process.kill('SIGKILL')
    }
  }
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(writer))
  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(confirmed.length).toBeGreaterThanOrEqual(40)

  await program.kill()
  const again = await startProgram('service', env, directory.path)
  const { shortlinks } = await listed(at, 'per_page=100')
  await again.stop()
  const stored = new Set(shortlinks.map(({ destination_url }) => destination_url))
  expect(confirmed.filter((destination) => !stored.has(destination))).toEqual([])
  await directory.remove()
})

test('if the database’s file is replaced, nothing is confirmed anymore, and the log and /readyz say how to recover', async () => {
  const service = await startService()
  const path = service.databaseUrl.slice('file:'.length)
  await backupSqlite(path, `${path}.backup`)
  expect(codeIn(await create(service))).toBe('200')
  await rename(`${path}.backup`, path)
  expect(codeIn(await create(service))).toBe('503 SERVICE_UNAVAILABLE')
  const recovery = 'Stop Backhalf, put the right file in place or restore a backup'
  await expect.poll(() => service.logLines.join('')).toContain(recovery)
  const ready = await call(`${service.baseUrl}/readyz`)
  expect([ready.status, ready.text]).toEqual([503, expect.stringContaining(recovery)])
  await service.service.close()
  await service.database.close()
  const again = await startService({ databaseUrl: service.databaseUrl })
  expect((await listed(again)).pagination.total_items).toBe(0)
  expect(codeIn(await create(again))).toBe('200')
  await again.close()
})
