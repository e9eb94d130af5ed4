import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../../support/postgres.ts'
import {
  callLink,
  create,
  listed,
  newLink,
  newOwner,
  type Fields,
} from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

describe.skipIf(postgresSkipped)('two processes on one PostgreSQL database', () => {
  let both: [RunningService, RunningService]
  beforeAll(async () => {
    const databaseUrl = await createPostgresDatabase(MIGRATED)
    both = [await startService({ databaseUrl }), await startService({ databaseUrl })]
  })
  afterAll(() => Promise.all(both.map((service) => service.close())))

  /** One key, to be used at each process. */
  const atBoth = (apiKey = both[0].apiKey) => both.map(({ baseUrl }) => ({ baseUrl, apiKey }))

  /** Each request is sent to both at once, with one API key. */
  const createAtBoth = (requests: Fields[], keyed = false) =>
    Promise.all(
      requests.flatMap((fields, at) =>
        atBoth().map((caller) =>
          create(caller, fields, keyed ? { 'idempotency-key': `both ${at}` } : {}),
        ),
      ),
    )

  const destinations = (name: string) =>
    Array.from({ length: 40 }, (_, at) => ({
      destination_url: `https://example.com/${name}/${at}`,
    }))

  const setQuota = (max_links: number | null) =>
    both[0].database.db.updateTable('owners').set({ max_links }).execute()

  test('of two creates of one destination, one wins, in any order', async () => {
    const requests = destinations('meet')
    const responses = await createAtBoth([...requests, ...requests.toReversed()])
    const statuses = responses.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array<number>(40).fill(200), ...Array<number>(120).fill(409)])
  })

  test('both respect a quota', async () => {
    await setQuota(60)
    const responses = await createAtBoth(destinations('quota'))
    expect(responses.filter(({ status }) => status === 403).length).toBeGreaterThan(0)
    expect((await listed(both[0])).pagination.total_items).toBe(60)
    await setQuota(null)
  })

  test('no create fails if two owners with quotas create links at both', async () => {
    const other = await newOwner(both[0], 'Other')
    await setQuota(1_000)
    const owners = [atBoth(), atBoth(other.apiKey)]
    const responses = Array.from({ length: 20 }, (_, at) =>
      both.flatMap((_, process) =>
        // One process gets the owners in one order, and the other in the other order.
        (process === 0 ? owners : owners.toReversed()).map((callers) => {
          const headers = { 'idempotency-key': `crossing ${process} ${at}` }
          return create(callers[process] ?? other, {}, headers)
        }),
      ),
    )
    const statuses = (await Promise.all(responses.flat())).map(({ status }) => status)
    expect(statuses).toEqual(Array(80).fill(200))
    await setQuota(null)
  })

  test('two copies with one Idempotency-Key create one link', async () => {
    const responses = await createAtBoth(destinations('keyed'), true)
    expect(responses.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(responses.map(({ text }) => text)).size).toBe(40)
  })

  test('one of 60 writers of a revision succeeds, and changes in opposite orders don’t deadlock', async () => {
    const { apiKey } = await newOwner(both[0], 'Opposite')
    const owners = [atBoth(), atBoth(apiKey)]
    const names = await Promise.all(
      owners.map(([caller = both[0]]) =>
        Promise.all(Array.from({ length: 10 }, async () => (await newLink(caller)).name)),
      ),
    )
    const [name = ''] = names[0] ?? []
    const race = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        callLink(owners[0]?.[at % 2] ?? both[0], 'PATCH', name, {
          fields: { title: `writer ${at}`, back_half: `writer-${at}` },
          headers: { 'if-match': '"1"' },
        }),
      ),
    )
    const outcomes = race.map(({ status }) => status).toSorted()
    expect(outcomes).toEqual([200, ...Array<number>(59).fill(412)])
    // Two owners want the same back-halves at both processes, in opposite orders, so that PostgreSQL meets deadlocks.
    const crossing = await Promise.all(
      owners.flatMap((callers, owner) =>
        callers.flatMap((caller, process) => {
          const ordered = names[owner] ?? []
          return (process === owner ? ordered : ordered.toReversed()).map((link, at) =>
            callLink(caller, 'PATCH', link, {
              fields: { back_half: `wanted-${process === owner ? at : 9 - at}` },
            }),
          )
        }),
      ),
    )
    const statuses = crossing.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    const links = both[0].database.db.selectFrom('links').select('back_half').orderBy('back_half')
    const winners = await links.where('back_half', 'like', 'wanted-%').execute()
    expect(winners.map(({ back_half: backHalf }) => backHalf)).toEqual(
      Array.from({ length: 10 }, (_, at) => `wanted-${at}`),
    )
  })
})
