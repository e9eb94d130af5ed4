import { describe, expect, onTestFinished, test } from 'vitest'
import { createdEnvelope } from '../../src/contract/shortlink.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { addAlias, changeLink, deleteLink } from '../support/links.ts'
import { postgresSkipped } from '../support/postgres.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { startPostgresServer } from '../support/postgres-server.ts'
import { call, callLink, postForm } from '../support/service-calls.ts'
import { startService, type RunningService } from '../support/service.ts'

const PATIENCE = { timeout: 20_000 }

const publicUrl = 'http://localhost:3001'

async function startOn(databaseUrl: string): Promise<RunningService> {
  const service = await startService({ databaseUrl, publicUrl })
  onTestFinished(() => service.close())
  return service
}

/** @returns the link's name (ID) */
async function shorten(service: RunningService, back_half: string): Promise<string> {
  const destination_url = `https://example.com/${back_half}`
  const { body } = await postForm(service, { destination_url, domain: 'default', back_half })
  return createdEnvelope.parse(body).data.shortlink.name
}

/** Where a short URL leads, or the status if it is an error. */
async function follow({ baseUrl }: RunningService, backHalf: string): Promise<string | number> {
  const { status, headers } = await call(`${baseUrl}/${backHalf}`)
  return headers.get('location') ?? status
}

describeOnEveryDatabase((opened) => {
  test('every service sees a change of a link that it has in its cache', async () => {
    const services = [await startOn(opened.url), await startOn(opened.url)]
    const [first] = services
    if (first) await shorten(first, 'spring')
    await addAlias(opened.database, 'spring', 'winter')
    const followAll = async () =>
      new Set(
        await Promise.all(
          services.flatMap((service) => [follow(service, 'spring'), follow(service, 'winter')]),
        ),
      )
    expect([...(await followAll())]).toEqual(['https://example.com/spring'])
    await changeLink(opened.database, 'spring', { destination_url: 'https://example.com/summer' })
    await expect.poll(followAll, PATIENCE).toEqual(new Set(['https://example.com/summer']))
    await changeLink(opened.database, 'spring', { enabled: 0 })
    await expect.poll(followAll, PATIENCE).toEqual(new Set([410]))
    await changeLink(opened.database, 'spring', { enabled: 1 })
    await expect.poll(followAll, PATIENCE).toEqual(new Set(['https://example.com/summer']))
    await deleteLink(opened.database, 'spring')
    await expect.poll(followAll, PATIENCE).toEqual(new Set([410]))
  })

  test('no request to the service that acknowledged a change gets an earlier destination', async () => {
    const [here, elsewhere] = [await startOn(opened.url), await startOn(opened.url)]
    await here.database.db.updateTable('api_keys').set({ requests_per_minute: 0 }).execute()
    const name = await shorten(here, 'raced')
    const change = (fields: Record<string, string>) => callLink(here, 'PATCH', name, { fields })
    await change({ destination_url: 'https://example.com/0' })
    let acknowledged = 0
    const stale: string[] = []
    const reader = async (): Promise<void> => {
      while (acknowledged < 100) {
        const expected = acknowledged
        const location = String(await follow(here, 'raced'))
        if (!(Number(location.split('/').at(-1)) >= expected))
          stale.push(`${location}, ${expected}`)
      }
    }
    const readers = Array.from({ length: 8 }, reader)
    for (let edit = 1; edit <= 100; edit++) {
      const { status } = await change({ destination_url: `https://example.com/${edit}` })
      expect(status).toBe(200)
      acknowledged = edit
    }
    await Promise.all(readers)
    expect(stale).toEqual([])
    await expect.poll(() => follow(elsewhere, 'raced'), PATIENCE).toBe('https://example.com/100')

    await change({ back_half: 'moved', enabled: 'false' })
    expect(await Promise.all([follow(here, 'raced'), follow(here, 'moved')])).toEqual([410, 410])
    await change({ enabled: 'true' })
    expect(await follow(here, 'raced')).toBe('https://example.com/100')
    await callLink(here, 'DELETE', name)
    expect(await Promise.all([follow(here, 'raced'), follow(here, 'moved')])).toEqual([410, 410])
    for (const backHalf of ['raced', 'moved']) {
      await expect.poll(() => follow(elsewhere, backHalf), PATIENCE).toBe(410)
    }
  })
})

describe.skipIf(postgresSkipped)('while a service can’t reach PostgreSQL', () => {
  async function start() {
    const server = await startPostgresServer()
    onTestFinished(() => server.stop())
    const url = `${server.url}/postgres`
    const proxy = await startPostgresProxy(url)
    const [here, elsewhere] = [await startOn(proxy.url), await startOn(url)]
    await shorten(elsewhere, 'spring')
    const changeElsewhere = (destination_url: string) =>
      changeLink(elsewhere.database, 'spring', { destination_url })
    // The service listens to changes only once it has connected.
    await expect.poll(() => follow(here, 'spring'), PATIENCE).toBe('https://example.com/spring')
    await changeElsewhere('https://example.com/heard')
    await expect.poll(() => follow(here, 'spring'), PATIENCE).toBe('https://example.com/heard')
    return { server, proxy, here, changeElsewhere }
  }

  test('it redirects from its cache, and later sees what changed in the meantime', async () => {
    const { proxy, here, changeElsewhere } = await start()
    proxy.shut()
    await changeElsewhere('https://example.com/meanwhile')
    const create = () => postForm(here, { domain: 'default', destination_url: 'https://a.example' })
    await expect.poll(async () => (await create()).status, PATIENCE).toBe(503)
    expect(await follow(here, 'spring')).toBe('https://example.com/heard')
    proxy.open()
    await expect.poll(() => follow(here, 'spring'), PATIENCE).toBe('https://example.com/meanwhile')
    await changeElsewhere('https://example.com/after')
    await expect.poll(() => follow(here, 'spring'), PATIENCE).toBe('https://example.com/after')
  })

  test('it notices connections that are dead without having been closed', async () => {
    const { proxy, here, changeElsewhere } = await start()
    proxy.silence()
    await changeElsewhere('https://example.com/meanwhile')
    await expect.poll(() => follow(here, 'spring'), PATIENCE).toBe('https://example.com/meanwhile')
  })

  test('it redirects from its cache while the server hangs, and recovers', async () => {
    const { server, here, changeElsewhere } = await start()
    await server.freeze()
    onTestFinished(() => server.thaw())
    const isLost = () => here.logLines.some((line) => line.includes('can’t be seen'))
    await expect.poll(isLost, PATIENCE).toBe(true)
    expect(await follow(here, 'spring')).toBe('https://example.com/heard')
    await server.thaw()
    await expect
      .poll(async () => {
        return changeElsewhere('https://example.com/after').then(
          () => true,
          () => false,
        )
      }, PATIENCE)
      .toBe(true)
    await expect.poll(() => follow(here, 'spring'), PATIENCE).toBe('https://example.com/after')
  })
})
