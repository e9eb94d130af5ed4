import { describe, expect, test } from 'vitest'
import { linkHistory } from '../../../src/service/store/link-history.ts'
import { describeService } from '../../support/fixtures.ts'
import {
  callLink,
  create,
  errorIn,
  invalidIn,
  linkIn,
  newLink,
  newOwner,
  postForm,
  type Caller,
  type Fields,
} from '../../support/service-calls.ts'
import type { RunningService } from '../../support/service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let now = Date.parse('2027-03-01T12:00:00Z')

describeService(declareTests, { now: () => now })

function declareTests(service: RunningService): void {
  const many = <T>(count: number, send: (at: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, at) => send(at)))

  test('of 32 simultaneous creates of one destination, one wins and the others get its link', async () => {
    const fields = { destination_url: 'https://example.com/same' }
    const responses = await many(32, () => create(service, fields))
    const [winner, ...lost] = responses.sort((one, other) => one.status - other.status)
    const shortlink = winner && linkIn(winner)
    const duplicate = [409, 'DUPLICATE_DESTINATION_URL', { shortlink }]
    expect(lost.map(errorIn)).toEqual(Array(31).fill(duplicate))
  })

  test('many simultaneous creates all succeed, each with its own short URL', async () => {
    const links = await many(100, () => newLink(service))
    expect(new Set(links.map(({ shortlink_url: url }) => url)).size).toBe(100)
  })

  test('of 40 simultaneous changes to one revision, one succeeds', async () => {
    const { name } = await newLink(service)
    const headers = { 'if-match': '"1"' }
    const responses = await many(40, (at) =>
      callLink(service, 'PATCH', name, { fields: { title: `writer ${at}` }, headers }),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(39).fill(412)])
    const winner = responses[statuses.indexOf(200)]
    const { title } = linkIn(await callLink(service, 'GET', name))
    expect(title).toBe(winner && linkIn(winner).title)
    expect(await linkHistory(service.database.db, name)).toHaveLength(1)
  })

  test('of 20 simultaneous requests for the same back-half, one gets it', async () => {
    const links = await many(20, () => newLink(service))
    const fields = { back_half: 'wanted' }
    const responses = await Promise.all(
      links.flatMap(({ name }) => [
        callLink(service, 'PATCH', name, { fields }),
        create(service, fields),
      ]),
    )
    const statuses = responses.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array<number>(39).fill(409)])
  })

  test('a link that leads to the same place is a duplicate', async () => {
    const destination_url = 'https://example.com/dup'
    const utm = { utm_source: 'slack', utm_analytics_enabled: 'true' }
    const statuses = []
    for (const fields of [
      { destination_url: 'HTTPS://Example.com:443/x/../dup' },
      { destination_url },
      { destination_url, utm_source: 'slack' },
      { destination_url, ...utm },
      { destination_url: `${destination_url}?utm_source=slack` },
    ]) {
      statuses.push((await create(service, fields)).status)
    }
    expect(statuses).toEqual([200, 409, 409, 200, 409])
  })

  describe('with an Idempotency-Key', () => {
    const createWith = (key: string, fields: Fields = {}, caller: Caller = service) => {
      const destination_url = `https://example.com/keyed/${key}`
      return create(caller, { destination_url, ...fields }, { 'idempotency-key': key })
    }

    test('the same request gets the first response again, byte for byte, also in flight', async () => {
      const fields = { destination_url: 'https://example.com/again', domain: 'default', title: 'a' }
      const copies = await many(8, () => createWith('again', fields))
      expect(copies[0]?.status).toBe(200)
      expect(new Set(copies.map(({ text }) => text)).size).toBe(1)
      const { title, domain, destination_url } = fields
      const reordered = { title, domain, destination_url }
      const again = await postForm(service, reordered, { 'idempotency-key': 'again' })
      expect({ ...again, headers: null }).toEqual({ ...copies[0], headers: null })
    })

    test('returns 422 for another request with the same key, even if only its image differs', async () => {
      const image = (text: string) => new File([`<svg>${text}</svg>`], 'a.svg')
      await createWith('reused', { preview_image: image('a') })
      for (const other of [
        { preview_image: image('b') },
        { preview_image: image('a'), destination_url: 'https://example.com/other' },
      ]) {
        expect(invalidIn(await createWith('reused', other))).toEqual(['Idempotency-Key'])
      }
    })

    test('each API key has its own Idempotency-Keys', async () => {
      const first = linkIn(await createWith('shared'))
      const second = linkIn(await createWith('shared', {}, await newOwner(service, 'Keys')))
      expect(second.name).not.toBe(first.name)
    })

    test('is forgotten after exactly 24 hours', async () => {
      const first = await createWith('day')
      now += DAY_MS - 1
      expect((await createWith('day')).text).toBe(first.text)
      now += 1
      expect((await createWith('day')).status).toBe(409)
    })

    test.each(['', 'ü', 'x'.repeat(256)])('rejects “%s” as a key', async (key) => {
      expect((await createWith(key)).status).toBe(422)
    })
  })
}
