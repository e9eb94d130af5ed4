import type pg from 'pg'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createdEnvelope } from '../../src/contract/shortlink.ts'
import { postgresSkipped, takeAllConnections } from '../support/postgres.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { startPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { getList, postForm } from '../support/service-calls.ts'
import { startService, type RunningService } from '../support/service.ts'

describe.skipIf(postgresSkipped)('PostgreSQL', () => {
  let server: PostgresServer
  let service: RunningService

  async function startServer(settings?: Record<string, string>): Promise<void> {
    server = await startPostgresServer(settings)
    onTestFinished(() => server.stop())
  }
  async function startOn(): Promise<RunningService> {
    const started = await startService({ databaseUrl: `${server.url}/postgres` })
    onTestFinished(() => started.close())
    return started
  }
  let count = 0
  const create = (at = service) =>
    postForm(at, { domain: 'default', destination_url: `https://example.com/${count++}` })
  const shortUrl = (response: { body: unknown }) =>
    createdEnvelope.parse(response.body).data.shortlink.shortlink_url
  const open = async (url: string) => (await fetch(url, { redirect: 'manual' })).status
  const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).status

  describe('while the database is unavailable', () => {
    beforeEach(async () => {
      // A confirmed commit must survive the crash of the server, though not of the machine.
      await startServer({ synchronous_commit: 'on' })
      service = await startOn()
    })

    test('answers 503 with Retry-After, redirects from the cache, and recovers by itself', async () => {
      const [cached, uncached] = [shortUrl(await create()), shortUrl(await create())]
      expect(await open(cached)).toBe(302)
      await server.crash()
      const { status, body, headers } = await create()
      expect({ status, body, retry: headers.get('retry-after') }).toMatchObject({
        status: 503,
        body: { error: { status_code: 503, code: 'SERVICE_UNAVAILABLE' } },
        retry: '5',
      })
      expect(await open(cached)).toBe(302)
      expect(await open(uncached)).toBe(503)
      await expect.poll(ready).toBe(503)
      const page = await fetch(uncached)
      expect(await page.text()).toContain('The link service can’t reach its database right now.')

      await server.start()
      await expect.poll(ready).toBe(200)
      expect((await create()).status).toBe(200)
      expect(await open(uncached)).toBe(302)
    })

    test('a restart under load ends no process and loses no confirmed link', async () => {
      const confirmed: string[] = []
      const statuses = new Set<number>()
      let isRestarted = false
      const writer = async (): Promise<void> => {
        for (let later = 0; later < 3;) {
          const response = await create()
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
      const cached = shortUrl(await create())
      expect(await open(cached)).toBe(302)
      await server.freeze()
      onTestFinished(() => server.thaw())
      const responses = Promise.all([create(), create()])
      expect(await open(cached)).toBe(302)
      // The first create hung in its authentication, before anything was written.
      expect(await responses).toMatchObject([{ status: 503 }, { status: 503 }])
      await expect.poll(ready).toBe(503)
      await server.thaw()
      await expect.poll(async () => (await create()).status).toBe(200)
    })
  })

  test('answers 500 if the answer to a commit is lost, because the link may exist', async () => {
    await startServer()
    const proxy = await startPostgresProxy(`${server.url}/postgres`)
    service = await startService({ databaseUrl: proxy.url })
    onTestFinished(() => service.close())
    await create()
    proxy.cutAfter('commit')
    const { status, body } = await create()
    expect({ status, body }).toMatchObject({
      status: 500,
      body: { error: { code: 'INTERNAL_ERROR' } },
    })
    const links = () => service.database.db.selectFrom('links').select('id').execute()
    await expect.poll(async () => (await links()).length).toBe(2)

    proxy.cutAfter('insert into "links"')
    expect((await create()).status).toBe(503)
    expect(await links()).toHaveLength(2)
  })

  test('three processes share ten connections, and no redirect fails with 500', async () => {
    await startServer({ max_connections: '10' })
    const services = [await startOn(), await startOn(), await startOn()]
    // More at once than there are connections, and few enough for a busy machine.
    const urls = await Promise.all(
      Array.from({ length: 48 }, async (_, at) => {
        const response = await create(services[at % 3])
        return response.status === 200 ? shortUrl(response) : undefined
      }),
    )
    const made = urls.filter((url) => url !== undefined)
    expect(made.length).toBeGreaterThan(0)
    const statuses = await Promise.all(
      services.flatMap(({ baseUrl }) =>
        made.map((url) => open(new URL(new URL(url).pathname, baseUrl).href)),
      ),
    )
    expect(statuses.filter((status) => status === 302).length).toBeGreaterThan(made.length)
    expect(statuses.filter((status) => status !== 302 && status !== 503)).toEqual([])
  })

  test('lists links with the connection that the process has, if others use the rest', async () => {
    await startServer({ max_connections: '6' })
    service = await startOn()
    const others: pg.Client[] = []
    onTestFinished(async () => {
      await Promise.all(others.map((other) => other.end()))
    })
    await create()
    await takeAllConnections(`${server.url}/postgres`, others)
    const { status, body } = await getList(service, 'per_page=1')
    expect({ status, body }).toMatchObject({ status: 200, body: { data: { pagination: {} } } })
  })

  test('answers 503 if others use all connections, and recovers', async () => {
    await startServer({ max_connections: '6' })
    service = await startOn()
    const others: pg.Client[] = []
    const leave = () => Promise.all(others.splice(0).map((other) => other.end()))
    onTestFinished(async () => {
      await leave()
    })
    const takeAll = () => takeAllConnections(`${server.url}/postgres`, others)
    const status = async () => {
      await takeAll()
      // The service may connect again first. Then the next try takes that connection, too.
      await others[0]?.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'backhalf'`,
      )
      await takeAll()
      return (await create()).status
    }
    await expect.poll(status).toBe(503)
    await leave()
    await expect.poll(async () => (await create()).status).toBe(200)
  })
})
