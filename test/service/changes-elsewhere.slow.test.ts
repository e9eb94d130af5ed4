import { expect, onTestFinished, test } from 'vitest'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { changeLink } from '../support/links.ts'
import { postgresSkipped } from '../support/postgres.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { startPostgresServer } from '../support/postgres-server.ts'
import { call, callLink, create, newLink, shorten } from '../support/service-calls.ts'
import { startService, type RunningService } from '../support/service.ts'

/** How often each change races with readers. */
const EDITS = 40

const publicUrl = 'http://localhost:3001'

async function startOn(databaseUrl: string): Promise<RunningService> {
  const service = await startService({ databaseUrl, publicUrl })
  onTestFinished(() => service.close())
  return service
}

/** Where a short URL leads, or the status if it is an error. */
async function follow({ baseUrl }: RunningService, backHalf: string): Promise<string | number> {
  const { status, headers } = await call(`${baseUrl}/${backHalf}`)
  return headers.get('location') ?? status
}

describeOnEveryDatabase((opened) => {
  test('a service that acknowledged a change redirects to no earlier destination, and others soon see it', async () => {
    const [here, elsewhere] = [await startOn(opened.url), await startOn(opened.url)]
    const { name } = await newLink(here, { back_half: 'raced' })
    const change = (fields: Record<string, string>) => callLink(here, 'PATCH', name, { fields })
    await change({ destination_url: 'https://example.com/0' })
    expect(await follow(elsewhere, 'raced')).toBe('https://example.com/0')
    let acknowledged = 0
    const reader = async (): Promise<void> => {
      while (acknowledged < EDITS) {
        const earliest = acknowledged
        const location = String(await follow(here, 'raced'))
        expect(Number(location.split('/').at(-1))).toBeGreaterThanOrEqual(earliest)
      }
    }
    const readers = Promise.all(Array.from({ length: 4 }, reader))
    for (let edit = 1; edit <= EDITS; edit++) {
      const { status } = await change({ destination_url: `https://example.com/${edit}` })
      expect(status).toBe(200)
      acknowledged = edit
    }
    await readers
    await expect.poll(() => follow(elsewhere, 'raced')).toBe(`https://example.com/${EDITS}`)

    await change({ back_half: 'moved', enabled: 'false' })
    expect(await Promise.all([follow(here, 'raced'), follow(here, 'moved')])).toEqual([410, 410])
    await change({ enabled: 'true' })
    expect(await follow(here, 'raced')).toBe(`https://example.com/${EDITS}`)
    await callLink(here, 'DELETE', name)
    expect(await Promise.all([follow(here, 'raced'), follow(here, 'moved')])).toEqual([410, 410])
    for (const backHalf of ['raced', 'moved']) {
      await expect.poll(() => follow(elsewhere, backHalf)).toBe(410)
    }
  })
})

test.skipIf(postgresSkipped)(
  'a service that can’t reach PostgreSQL redirects from its cache, and later sees what changed meanwhile',
  async () => {
    const server = await startPostgresServer()
    onTestFinished(() => server.stop())
    const url = `${server.url}/postgres`
    const proxy = await startPostgresProxy(url)
    const [here, elsewhere] = [await startOn(proxy.url), await startOn(url)]
    await shorten(elsewhere, 'spring')
    const change = (name: string) =>
      changeLink(elsewhere.database, 'spring', { destination_url: `https://example.com/${name}` })
    const leadsTo = (name: string) =>
      expect.poll(() => follow(here, 'spring')).toBe(`https://example.com/${name}`)
    // The service listens to changes only once it has connected.
    await leadsTo('spring')
    await change('heard')
    await leadsTo('heard')

    proxy.shut()
    await change('meanwhile')
    await expect.poll(async () => (await create(here)).status).toBe(503)
    expect(await follow(here, 'spring')).toBe('https://example.com/heard')
    proxy.open()
    await leadsTo('meanwhile')
    await change('after')
    await leadsTo('after')

    // Its connections are dead without having been closed.
    proxy.silence()
    await change('silent')
    await leadsTo('silent')

    const reports = () => here.logLines.filter((line) => line.includes('can’t be seen')).length
    const before = reports()
    await server.freeze()
    onTestFinished(() => server.thaw())
    await expect.poll(reports).toBeGreaterThan(before)
    expect(await follow(here, 'spring')).toBe('https://example.com/silent')
    await server.thaw()
    const changes = () =>
      change('thawed').then(
        () => true,
        () => false,
      )
    await expect.poll(changes).toBe(true)
    await leadsTo('thawed')
  },
)
