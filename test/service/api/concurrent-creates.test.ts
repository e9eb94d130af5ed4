import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeService } from '../../support/fixtures.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../../support/postgres.ts'
import { getList, linkIn, newOwner, postForm, type Fields } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const START = Date.parse('2027-03-01T12:00:00Z')
let now = START

describeService(declareTests, { now: () => now })

describe.skipIf(postgresSkipped)('two processes on one PostgreSQL database', () => {
  let both: [RunningService, RunningService]
  beforeAll(async () => {
    const databaseUrl = await createPostgresDatabase(MIGRATED)
    both = [await startService({ databaseUrl }), await startService({ databaseUrl })]
  })
  afterAll(() => Promise.all(both.map((service) => service.close())))

  /** Each request is sent to both at once, with one API key. */
  const createAtBoth = (requests: Fields[], keyed = false) =>
    Promise.all(
      requests.flatMap((fields, at) =>
        both.map(({ baseUrl }) =>
          postForm(
            { baseUrl, apiKey: both[0].apiKey },
            { domain: 'default', ...fields },
            keyed ? { 'idempotency-key': `both ${at}` } : {},
          ),
        ),
      ),
    )

  const destinations = (name: string) =>
    Array.from({ length: 40 }, (_, at) => ({
      destination_url: `https://example.com/${name}/${at}`,
    }))

  test('of two creates of one destination, one wins, in any order', async () => {
    const requests = destinations('meet')
    const responses = await createAtBoth([...requests, ...requests.toReversed()])
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(40)
    expect(statuses.filter((status) => status === 409)).toHaveLength(120)
  })

  test('both respect a quota', async () => {
    await both[0].database.db.updateTable('owners').set({ max_links: 60 }).execute()
    const responses = await createAtBoth(destinations('quota'))
    expect(responses.filter(({ status }) => status === 403).length).toBeGreaterThan(0)
    const { body } = await getList(both[0])
    expect(body).toMatchObject({ data: { pagination: { total_items: 60 } } })
    await both[0].database.db.updateTable('owners').set({ max_links: null }).execute()
  })

  test('no create fails if two owners with quotas create links at both', async () => {
    const other = await newOwner(both[0], 'Other')
    await both[0].database.db.updateTable('owners').set({ max_links: 1_000 }).execute()
    const keys = [both[0].apiKey, other.apiKey]
    const responses = await Promise.all(
      destinations('crossing')
        .slice(20)
        .flatMap((fields, at) =>
          both.flatMap(({ baseUrl }, process) =>
            // One process gets the owners in one order, and the other in the other order.
            (process === 0 ? keys : keys.toReversed()).map((apiKey) =>
              postForm(
                { baseUrl, apiKey },
                {
                  ...fields,
                  destination_url: `${fields.destination_url}/${process}`,
                  domain: 'default',
                },
                { 'idempotency-key': `crossing ${process} ${at}` },
              ),
            ),
          ),
        ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(80).fill(200))
    await both[0].database.db.updateTable('owners').set({ max_links: null }).execute()
  })

  test('two copies with one Idempotency-Key create one link', async () => {
    const responses = await createAtBoth(destinations('keyed'), true)
    expect(responses.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(responses.map(({ text }) => text)).size).toBe(40)
  })
})

function declareTests(service: RunningService): void {
  beforeAll(() => void (now = START))

  const create = (fields: Fields, headers?: Record<string, string>) =>
    postForm(service, { domain: 'default', ...fields }, headers)

  test('of 32 simultaneous creates of one destination, one wins and the others get its link', async () => {
    const responses = await Promise.all(
      Array.from({ length: 32 }, () => create({ destination_url: 'https://example.com/same' })),
    )
    const [winner, ...more] = responses.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    const shortlink = winner && linkIn(winner)
    const lost = responses.filter((response) => response !== winner)
    expect(lost.map(({ body }) => body)).toEqual(
      Array(31).fill({
        error: {
          message: 'This destination already has a short link on this domain.',
          status_code: 409,
          code: 'DUPLICATE_DESTINATION_URL',
          details: { shortlink },
        },
      }),
    )
  })

  test('many simultaneous creates all succeed, each with its own short URL', async () => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        create({ destination_url: `https://example.com/many/${at}` }),
      ),
    )
    const urls = responses.map((response) => linkIn(response).shortlink_url)
    expect(new Set(urls).size).toBe(100)
  })

  test('a link that leads to the same place is a duplicate', async () => {
    const first = { destination_url: 'HTTPS://Example.com:443/x/../dup' }
    expect((await create(first)).status).toBe(200)
    const statuses = []
    for (const fields of [
      { destination_url: 'https://example.com/dup' },
      { destination_url: 'https://example.com/dup', utm_source: 'slack' },
      {
        destination_url: 'https://example.com/dup',
        utm_source: 'slack',
        utm_analytics_enabled: 'true',
      },
      { destination_url: 'https://example.com/dup?utm_source=slack' },
    ]) {
      statuses.push((await create(fields)).status)
    }
    expect(statuses).toEqual([409, 409, 200, 409])
  })

  describe('with an Idempotency-Key', () => {
    const keyed = (key: string) => ({ 'idempotency-key': key })

    test('the same request gets the first response again, byte for byte', async () => {
      const fields = { destination_url: 'https://example.com/again', title: 'a' }
      const first = await create(fields, keyed('again'))
      const { title, destination_url } = fields
      const second = await create({ title, destination_url }, keyed('again'))
      expect(first.status).toBe(200)
      expect({ ...second, headers: null }).toEqual({ ...first, headers: null })
    })

    test('two copies in flight create one link', async () => {
      const fields = { destination_url: 'https://example.com/flight', back_half: 'flight' }
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => create(fields, keyed('flight'))),
      )
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
      expect(responses[0]?.status).toBe(200)
    })

    test('returns 422 for another request with the same key', async () => {
      await create({ destination_url: 'https://example.com/key-a' }, keyed('reused'))
      const other = await create({ destination_url: 'https://example.com/key-b' }, keyed('reused'))
      expect({ status: other.status, body: other.body }).toMatchObject({
        status: 422,
        body: { error: { details: { fields: { 'Idempotency-Key': [expect.any(String)] } } } },
      })
    })

    test('a request with another image is another request', async () => {
      const fields = { destination_url: 'https://example.com/key-image' }
      const image = (text: string) => new File([`<svg>${text}</svg>`], 'a.svg')
      await create({ ...fields, preview_image: image('a') }, keyed('image'))
      const other = await create({ ...fields, preview_image: image('b') }, keyed('image'))
      expect(other.status).toBe(422)
    })

    test('each API key has its own Idempotency-Keys', async () => {
      const fields = { destination_url: 'https://example.com/two-keys' }
      const first = await create(fields, keyed('shared'))
      const other = await newOwner(service, 'Keys')
      const second = await postForm(other, { ...fields, domain: 'default' }, keyed('shared'))
      expect(second.status).toBe(200)
      expect(linkIn(second).name).not.toBe(linkIn(first).name)
    })

    test('is forgotten after exactly 24 hours', async () => {
      const fields = { destination_url: 'https://example.com/day' }
      const first = await create(fields, keyed('day'))
      now += DAY_MS - 1
      expect((await create(fields, keyed('day'))).text).toBe(first.text)
      now += 1
      expect((await create(fields, keyed('day'))).status).toBe(409)
    })

    test.each(['', 'ü', 'x'.repeat(256)])('rejects “%s” as a key', async (key) => {
      const response = await create({ destination_url: 'https://example.com/bad-key' }, keyed(key))
      expect(response.status).toBe(422)
    })
  })

  test('pages in ascending order neither overlap nor skip while links are added', async () => {
    const seen: string[] = []
    const total = (await namesOnPage(1, 100)).length
    for (let page = 1; seen.length < total; page++) {
      seen.push(...(await namesOnPage(page, 7)))
      await create({ destination_url: `https://example.com/meanwhile/${page}` })
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.slice(0, total)).toEqual(await namesOnPage(1, total))
  })

  async function namesOnPage(page: number, perPage: number): Promise<string[]> {
    const { body } = await getList(service, `order=asc&page=${page}&per_page=${perPage}`)
    return (body as { data: { shortlinks: { name: string }[] } }).data.shortlinks.map(
      ({ name }) => name,
    )
  }
}
