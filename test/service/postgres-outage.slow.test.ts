import type pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { postgresSkipped, takeAllConnections } from '../support/postgres.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { startPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { startProgram } from '../support/program.ts'
import { codeIn, create, linkIn, type ServiceResponse } from '../support/service-calls.ts'
import { startService, type RunningService } from '../support/service.ts'
import { makeTempDir } from '../support/temp-dir.ts'

describe.skipIf(postgresSkipped)('PostgreSQL', () => {
  const shortUrl = (response: ServiceResponse) => linkIn(response).shortlink_url
  const open = async (url: string) => (await fetch(url, { redirect: 'manual' })).status

  describe('while the database is unavailable', () => {
    let server: PostgresServer
    let service: RunningService
    beforeAll(async () => {
      // A confirmed commit must survive the crash of the server, though not of the machine.
      server = await startPostgresServer({ synchronous_commit: 'on' })
      service = await startService({ databaseUrl: `${server.url}/postgres` })
      return async () => {
        await service.close()
        await server.stop()
      }
    })
    const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).status

    test('returns 503 with Retry-After, redirects from the cache, and recovers by itself', async () => {
      const [cached, uncached] = [shortUrl(await create(service)), shortUrl(await create(service))]
      expect(await open(cached)).toBe(302)
      await server.crash()
      const refused = await create(service)
      expect(codeIn(refused)).toBe('503 SERVICE_UNAVAILABLE')
      expect(refused.headers.get('retry-after')).toBe('5')
      expect(await open(cached)).toBe(302)
      expect(await open(uncached)).toBe(503)
      expect(await open(`${service.baseUrl}/tls-allowed?domain=s.example.com`)).toBe(503)
      await expect.poll(ready).toBe(503)
      const page = await fetch(uncached)
      expect(await page.text()).toContain('The link service can’t respond right now.')

      await server.start()
      await expect.poll(ready).toBe(200)
      expect((await create(service)).status).toBe(200)
      expect(await open(uncached)).toBe(302)
    })

    test('a restart under load ends no process and loses no confirmed link', async () => {
      const confirmed: string[] = []
      const statuses = new Set<number>()
      let isRestarted = false
      const writer = async (): Promise<void> => {
        for (let later = 0; later < 3;) {
          const response = await create(service)
          statuses.add(response.status)
          if (response.status === 200) confirmed.push(shortUrl(response))
          if (response.status === 200 && isRestarted) later++
        }
      }
      const writers = Promise.all(Array.from({ length: 16 }, writer))
      for (let restart = 0; restart < 3; restart++) {
        const before = confirmed.length
        await expect.poll(() => confirmed.length).toBeGreaterThan(before + 16)
        await server.crash()
        await server.start()
      }
      isRestarted = true
      await writers
      expect([...statuses].filter((status) => ![200, 500, 503].includes(status))).toEqual([])
      const links = await service.database.db.selectFrom('links').select('back_half').execute()
      const stored = new Set(links.map(({ back_half: half }) => half))
      expect(confirmed.filter((url) => !stored.has(new URL(url).pathname.slice(1)))).toEqual([])
    })

    test('a server that hangs makes requests fail in time, and recovers', async () => {
      const cached = shortUrl(await create(service))
      expect(await open(cached)).toBe(302)
      await server.freeze()
      onTestFinished(() => server.thaw())
      const responses = Promise.all([create(service), create(service)])
      expect(await open(cached)).toBe(302)
      // The first create hung in its authentication, before anything was written.
      expect(await responses).toMatchObject([{ status: 503 }, { status: 503 }])
      await expect.poll(ready).toBe(503)
      await server.thaw()
      await expect.poll(async () => (await create(service)).status).toBe(200)
    })

    test('a process stops even if the server hangs', async () => {
      const url = shortUrl(await create(service))
      const directory = await makeTempDir()
      onTestFinished(() => directory.remove())
      const port = await freePort()
      const env = { DATABASE_URL: `${server.url}/postgres`, SERVICE_PORT: String(port) }
      const more = { SERVICE_PUBLIC_URL: service.baseUrl, SHUTDOWN_DELAY: '0' }
      const program = await startProgram('service', { ...env, ...more }, directory.path)
      onTestFinished(() => program.kill())
      expect(await open(`http://127.0.0.1:${port}${new URL(url).pathname}`)).toBe(302)
      await server.freeze()
      onTestFinished(() => server.thaw())
      await program.stop()
      expect(program.process.exitCode).toBe(0)
    })

    test('returns 500 if the response to a commit is lost, because the link might exist', async () => {
      const proxy = await startPostgresProxy(`${server.url}/postgres`)
      const proxied = await startService({ databaseUrl: proxy.url })
      onTestFinished(() => proxied.close())
      await create(proxied)
      const links = async () =>
        (await service.database.db.selectFrom('links').select('id').execute()).length
      const before = await links()
      proxy.cutAfter('commit')
      expect(codeIn(await create(proxied))).toBe('500 INTERNAL_ERROR')
      await expect.poll(links).toBe(before + 1)

      proxy.cutAfter('insert into "links"')
      expect((await create(proxied)).status).toBe(503)
      expect(await links()).toBe(before + 1)
    })
  })

  test('if the server has no connection left, creates return 503 until one is free', async () => {
    const server = await startPostgresServer({ max_connections: '10' })
    const databaseUrl = `${server.url}/postgres`
    const service = await startService({ databaseUrl })
    const others: pg.Client[] = []
    const leave = () => Promise.all(others.splice(0).map((other) => other.end()))
    onTestFinished(async () => {
      await leave()
      await service.close()
      await server.stop()
    })
    await takeAllConnections(databaseUrl, others)
    const createWithout = async () => {
      // The service can connect again first. Then the next try takes that connection, too.
      await others[0]?.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'backhalf'`,
      )
      await takeAllConnections(databaseUrl, others)
      return (await create(service)).status
    }
    await expect.poll(createWithout).toBe(503)
    await leave()
    await expect.poll(async () => (await create(service)).status).toBe(200)
  })
})
