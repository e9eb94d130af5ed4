import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { LinkList } from '../../../src/service/api/list-links.ts'
import { releasedHash } from '../../../src/service/store/destination.ts'
import { linkHistory } from '../../../src/service/store/link-history.ts'
import { plainText, signedIn } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { PNG, SVG } from '../../support/images.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../../support/postgres.ts'
import {
  call,
  callLink,
  codeIn,
  errorIn,
  getList,
  keyWith,
  linkIn,
  newOwner,
  postForm,
  type Caller,
  type Fields,
} from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const START = Date.parse('2027-03-01T12:00:00Z')
let now = START

describeService(declareTests, { now: () => now })

describe.skipIf(postgresSkipped)('PostgreSQL', () => {
  test('in two processes, one of 60 writers of a revision succeeds, and changes in opposite orders don’t deadlock', async () => {
    const databaseUrl = await createPostgresDatabase(MIGRATED)
    const both = [await startService({ databaseUrl }), await startService({ databaseUrl })] as const
    onTestFinished(async () => {
      for (const service of both) await service.close()
    })
    const other = await newOwner(both[0], 'Other')
    const callers = [both[0].apiKey, other.apiKey].map((apiKey) =>
      both.map(({ baseUrl }) => ({ baseUrl, apiKey })),
    )
    const names: string[][] = []
    for (const [first] of callers) {
      if (!first) throw new Error('no caller')
      const created = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          postForm(first, { destination_url: `https://example.com/${at}`, domain: 'default' }),
        ),
      )
      names.push(created.map((response) => linkIn(response).name))
    }
    const [name = ''] = names[0] ?? []
    const race = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        callLink(callers[0]?.[at % 2] ?? both[0], 'PATCH', name, {
          fields: { title: `writer ${at}`, back_half: `writer-${at}` },
          headers: { 'if-match': '"1"' },
        }),
      ),
    )
    expect(race.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array<number>(59).fill(412),
    ])
    // Two owners want the same back-halves at both processes, in opposite orders, so that PostgreSQL meets deadlocks.
    const crossing = await Promise.all(
      callers.flatMap((processes, owner) =>
        processes.flatMap((caller, process) => {
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
    const winners = await both[0].database.db
      .selectFrom('links')
      .select('back_half')
      .where('back_half', 'like', 'wanted-%')
      .execute()
    expect(winners.map(({ back_half: backHalf }) => backHalf).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, at) => `wanted-${at}`),
    )
  })
})

function declareTests(service: RunningService): void {
  beforeAll(async () => {
    now = START
    const { db } = service.database
    await db.updateTable('api_keys').set({ requests_per_minute: 0 }).execute()
    await db
      .insertInto('domains')
      .values({ id: 'brand', domain_name: 'brand.example', owner_id: null, created_at: 1 })
      .execute()
  })

  let links = 0
  const create = (fields: Fields = {}) =>
    postForm(service, {
      destination_url: `https://example.com/${links++}`,
      domain: 'default',
      ...fields,
    })
  const newLink = async (fields: Fields = {}) => linkIn(await create(fields)).name
  const get = (name: string) => callLink(service, 'GET', name)
  const patch = (name: string, fields: Fields, headers: Record<string, string> = {}) =>
    callLink(service, 'PATCH', name, { fields, headers })
  const remove = (name: string, headers: Record<string, string> = {}) =>
    callLink(service, 'DELETE', name, { headers })
  /** Reads, changes and deletes a link. */
  const tryAll = async (caller: Caller, name: string) => [
    await callLink(caller, 'GET', name),
    await callLink(caller, 'PATCH', name, { fields: { title: 'x' } }),
    await callLink(caller, 'DELETE', name),
  ]
  const locationOf = async (shortUrl: string) => (await call(shortUrl)).headers.get('location')
  const listed = async (): Promise<LinkList['data']> =>
    ((await getList(service)).body as LinkList).data
  const historyOf = async (name: string) =>
    (await linkHistory(service.database.db, name)).map(({ changes }) => changes)

  const ALL_FIELDS = {
    title: 'Spring',
    utm_analytics_enabled: 'true',
    utm_source: 'newsletter',
    utm_medium: 'email',
    is_custom_preview: 'true',
    preview_title: 'Look',
    preview_description: 'Two\r\nlines',
    qr_code_enabled: 'true',
    qr_code_color: '#1f4f46',
    expires_at: '2027-04-30',
  }

  describe('a change', () => {
    test('changes the fields that are sent, and no others', async () => {
      const name = await newLink(ALL_FIELDS)
      const before = linkIn(await get(name))
      now += 1_000
      const response = await patch(name, { title: 'Summer', utm_analytics_enabled: 'false' })
      expect(response.headers.get('etag')).toBe('"2"')
      const expected = {
        ...before,
        title: 'Summer',
        utm_analytics_enabled: false,
        updated_at: new Date(now).toISOString(),
      }
      expect(linkIn(response)).toEqual(expected)
      expect(linkIn(await get(name))).toEqual(expected)
    })

    test('changes where the short URL leads', async () => {
      const name = await newLink({ back_half: 'leads' })
      const destination_url = 'https://example.com/elsewhere ü'
      expect(linkIn(await patch(name, { destination_url })).destination_url).toBe(
        'https://example.com/elsewhere%20%C3%BC',
      )
      await patch(name, { utm_source: 'slack', utm_analytics_enabled: 'true' })
      expect(await locationOf(`${service.baseUrl}/leads`)).toBe(
        'https://example.com/elsewhere%20%C3%BC?utm_source=slack',
      )
    })

    test('replaces, keeps and removes the preview image', async () => {
      const image = (bytes: string | Uint8Array<ArrayBuffer>, name: string) =>
        new File([bytes], name)
      const name = await newLink({ preview_image: image(PNG, 'a.png') })
      const other = Buffer.concat([PNG, Buffer.from('more')])
      const replaced = linkIn(await patch(name, { preview_image: image(other, 'b.png') }))
      const served = await fetch(replaced.preview_image ?? '')
      expect(Buffer.from(await served.arrayBuffer())).toEqual(other)
      const kept = linkIn(await patch(name, { preview_image: new File([], ''), title: 'kept' }))
      expect(kept.preview_image).toMatch(/\.png\?v=3$/)
      const svg = linkIn(await patch(name, { preview_image: image(SVG, 'a.svg') }))
      expect(svg.preview_image).toMatch(/\.svg/)
      expect(linkIn(await patch(name, { preview_image: '' })).preview_image).toBeUndefined()
      expect((await fetch(svg.preview_image ?? '')).status).toBe(404)
    })

    test('writes nothing if nothing changes', async () => {
      const name = await newLink(ALL_FIELDS)
      const before = await get(name)
      now += 1_000
      for (const fields of [
        {},
        ALL_FIELDS,
        { enabled: 'true' },
        { back_half: linkIn(before).back_half },
      ]) {
        const response = await patch(name, fields)
        expect([response.status, response.headers.get('etag')]).toEqual([200, '"1"'])
        expect(linkIn(response)).toEqual(linkIn(before))
      }
      expect(await historyOf(name)).toEqual([])
    })

    test('an unchanged value is never an error, even if a new link could not have it', async () => {
      const name = await newLink()
      const { baseUrl, database } = service
      // Stored by an earlier version, on a hostname that has become a short domain, and expired since.
      const destination_url = `${baseUrl}/${'%C3%BC'.repeat(2_900)}`
      await database.db
        .updateTable('links')
        .set({ destination_url, back_half: 'api', expires_at: START - 1, qr_code_color: '#FFFFFF' })
        .where('id', '=', name)
        .execute()
      const link = linkIn(await get(name))
      const same = { destination_url, back_half: 'api', expires_at: link.expires_at ?? '' }
      expect(
        errorIn(await patch(name, { ...same, destination_url: `${destination_url}a` })),
      ).toEqual([
        422,
        'VALIDATION_ERROR',
        { fields: { destination_url: [expect.stringMatching('2,000')] } },
      ])
      const changed = await patch(name, { ...same, domain: 'default', title: 'New' })
      expect(linkIn(changed)).toMatchObject({ destination_url, title: 'New' })
    })

    test('a destination and its UTM parameters fit into the headers of a redirect', async () => {
      const utm = {
        utm_source: 'ü'.repeat(255),
        utm_medium: 'ü'.repeat(255),
        utm_analytics_enabled: 'true',
      }
      const destination_url = `https://example.com/${'x'.repeat(1_980)}`
      const refused = [
        422,
        'VALIDATION_ERROR',
        { fields: { destination_url: [expect.stringContaining('With its UTM parameters')] } },
      ]
      expect(errorIn(await create({ destination_url, ...utm }))).toEqual(refused)
      const name = await newLink({ destination_url, ...utm, utm_analytics_enabled: 'false' })
      expect(errorIn(await patch(name, { utm_analytics_enabled: 'true' }))).toEqual(refused)
      const fits = { utm_medium: '', utm_analytics_enabled: 'true' }
      const location = await locationOf(linkIn(await patch(name, fits)).shortlink_url)
      expect(location?.length).toBe(2_000 + '?utm_source='.length + 255 * '%C3%BC'.length)
    })

    test('names every invalid field', async () => {
      const name = await newLink()
      const response = await patch(name, {
        destination_url: '',
        domain: 'nobody',
        back_half: '',
        enabled: '',
        title: 'x'.repeat(201),
        qr_code_color: 'red',
        is_custom_preview: 'yes',
        preview_image: new File(['a'], 'a.gif'),
        expires_at: '2027-02-30',
        color: 'red',
        title_: '',
      })
      const empty = ['This field can’t be empty.']
      expect(errorIn(response)).toEqual([
        422,
        'VALIDATION_ERROR',
        {
          fields: {
            destination_url: empty,
            domain: [
              'There is no domain record with this ID that can be used here. Choose another one.',
            ],
            back_half: empty,
            enabled: empty,
            title: ['Use at most 200 characters.'],
            qr_code_color: ['Use a color in the form #RRGGBB.'],
            is_custom_preview: ['Use true or false.'],
            preview_image: ['Use an image whose name ends in .jpeg, .jpg, .png or .svg.'],
            expires_at: ['Use a date like 2027-12-31, or a time like 2027-12-31T18:00:00Z.'],
            color: ['This field does not exist.'],
            title_: ['This field does not exist.'],
          },
        },
      ])
      const own = await patch(name, { destination_url: `${service.baseUrl}/x` })
      expect(codeIn(own)).toBe('422 VALIDATION_ERROR')
      const json = await call(`${service.baseUrl}/api/v1/shortlinks/${name}`, {
        method: 'PATCH',
        headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
        body: '{"title":"a"}',
      })
      expect(codeIn(json)).toBe('400 BAD_REQUEST')
    })

    test('`enabled` can’t be set by a create', async () => {
      const response = await create({ enabled: 'false' })
      expect(errorIn(response)).toEqual([
        422,
        'VALIDATION_ERROR',
        { fields: { enabled: ['This field does not exist.'] } },
      ])
    })
  })

  describe('If-Match', () => {
    test('refuses a change and a deletion of an earlier revision', async () => {
      const name = await newLink()
      expect((await patch(name, { title: 'a' }, { 'if-match': '"1"' })).status).toBe(200)
      const unreadable = ['2', '', 'abc', '"02"', 'x"2"y', '"x"2"', '"2"2"', '"2" "2"']
      for (const stale of ['"1"', '"3"', 'W/"1"', ...unreadable]) {
        const headers = { 'if-match': stale }
        const refused = await patch(name, { title: 'b' }, headers)
        expect(codeIn(refused)).toBe('412 PRECONDITION_FAILED')
        expect((await remove(name, headers)).status).toBe(412)
      }
      expect(linkIn(await get(name)).title).toBe('a')
    })

    test('allows the current revision, also in a list or weak, and any with *', async () => {
      const name = await newLink()
      const tags = ['"1"', 'W/"2"', '"9", "3"', '*']
      for (const [at, tag] of tags.entries()) {
        const response = await patch(name, { title: `${at}` }, { 'if-match': tag })
        expect(response.headers.get('etag')).toBe(`"${at + 2}"`)
      }
      expect((await remove(name, { 'if-match': '"5"' })).status).toBe(200)
    })

    test('of 40 simultaneous changes to one revision, one succeeds', async () => {
      const name = await newLink()
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          patch(name, { title: `writer ${at}` }, { 'if-match': '"1"' }),
        ),
      )
      const statuses = responses.map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, ...Array<number>(39).fill(412)])
      const winner = responses[statuses.indexOf(200)]
      expect(linkIn(await get(name)).title).toBe(winner && linkIn(winner).title)
      expect(await historyOf(name)).toHaveLength(1)
    })
  })

  describe('a new back-half or domain', () => {
    test('keeps every earlier short URL leading to the link', async () => {
      const name = await newLink({ back_half: 'first' })
      const moved = linkIn(await patch(name, { back_half: 'second' }))
      expect(moved.shortlink_url).toBe(`${service.baseUrl}/second`)
      await patch(name, { back_half: 'third', destination_url: 'https://example.com/moved' })
      for (const backHalf of ['first', 'second', 'third']) {
        const row = await service.database.db
          .selectFrom('links')
          .select(['id', 'alias_of', 'destination_url'])
          .where('hostname', '=', '')
          .where('back_half', '=', backHalf)
          .executeTakeFirstOrThrow()
        expect(row.alias_of ?? row.id).toBe(name)
        expect(row.destination_url).toBe(backHalf === 'third' ? 'https://example.com/moved' : '')
      }
    })

    test('an earlier short URL or back-half finds the link, which is listed once', async () => {
      const name = await newLink({ back_half: 'formerly', domain: 'brand' })
      await patch(name, { back_half: 'formerly-2' })
      await patch(name, { back_half: 'nowadays', domain: 'default' })
      const found = async (q: string, caller: Caller = service) => {
        const { body } = await getList(caller, new URLSearchParams({ q }).toString())
        return (body as LinkList).data.shortlinks.map((link) => link.name)
      }
      for (const q of [
        'formerly',
        '/formerly-2',
        'brand.example/formerly',
        'https://Brand.example/formerly',
      ]) {
        expect([q, await found(q)]).toEqual([q, [name]])
      }
      for (const q of ['formerl', 'other.example/formerly', `${service.baseUrl}/formerl`]) {
        expect([q, await found(q)]).toEqual([q, []])
      }
      expect(await found('formerly', await newOwner(service, 'Searcher'))).toEqual([])
      await patch(name, { title: 'Was formerly elsewhere' })
      expect(await found('formerly')).toEqual([name])
    })

    test('takes an earlier short URL of the same link back', async () => {
      const name = await newLink({ back_half: 'a1' })
      for (const back_half of ['b1', 'c1', 'a1', 'b1', 'a1']) {
        expect(linkIn(await patch(name, { back_half })).back_half).toBe(back_half)
      }
      const rows = await service.database.db
        .selectFrom('links')
        .select(['back_half', 'alias_of'])
        .where((where) => where.or([where('alias_of', '=', name), where('id', '=', name)]))
        .orderBy('back_half')
        .execute()
      expect(rows).toEqual([
        { back_half: 'a1', alias_of: null },
        { back_half: 'b1', alias_of: name },
        { back_half: 'c1', alias_of: name },
      ])
    })

    test('refuses a back-half that another link has, had, or had when it was deleted', async () => {
      const taken = [
        409,
        'BACK_HALF_CONFLICT',
        { fields: { back_half: ['This back-half is taken. Choose another one.'] } },
      ]
      const other = await newLink({ back_half: 'had' })
      await patch(other, { back_half: 'has' })
      const gone = await newLink({ back_half: 'gone' })
      await remove(gone)
      const name = await newLink({ back_half: 'mine' })
      for (const back_half of ['has', 'had', 'gone']) {
        expect(errorIn(await patch(name, { back_half }))).toEqual(taken)
        expect(errorIn(await create({ back_half }))).toEqual(taken)
      }
      expect((await get(name)).headers.get('etag')).toBe('"1"')
    })

    test('moves a link to another domain record, and counts it there', async () => {
      const name = await newLink({ back_half: 'travels' })
      const moved = linkIn(await patch(name, { domain: 'brand' }))
      expect(moved).toMatchObject({
        domain: 'brand',
        shortlink_url: 'https://brand.example/travels',
      })
      expect(codeIn(await create({ back_half: 'travels' }))).toBe('409 BACK_HALF_CONFLICT')
      const back = linkIn(await patch(name, { domain: 'default', back_half: 'travels' }))
      expect(back.shortlink_url).toBe(`${service.baseUrl}/travels`)
      const { pagination } = await listed()
      const rows = await service.database.db
        .selectFrom('links')
        .select('id')
        .where('deleted_at', 'is', null)
        .execute()
      expect(pagination.total_items).toBe(rows.length)
    })

    test('of 20 links that want one back-half at once, one gets it', async () => {
      const names = await Promise.all(Array.from({ length: 20 }, () => newLink()))
      const responses = await Promise.all([
        ...names.map((name) => patch(name, { back_half: 'wanted' })),
        ...names.map(() => create({ back_half: 'wanted' })),
      ])
      const statuses = responses.map(({ status }) => status).toSorted()
      expect(statuses).toEqual([200, ...Array<number>(39).fill(409)])
    })
  })

  describe('duplicates', () => {
    test('a change to the destination of another link is refused, and shows that link', async () => {
      const first = await create({ destination_url: 'https://example.com/dup' })
      const name = await newLink()
      expect(errorIn(await patch(name, { destination_url: 'https://example.com/dup' }))).toEqual([
        409,
        'DUPLICATE_DESTINATION_URL',
        { shortlink: linkIn(first) },
      ])
    })

    test('a link that is turned off is still a duplicate, and the 409 says that it is off', async () => {
      const fields = { destination_url: 'https://example.com/off' }
      const name = await newLink(fields)
      expect(linkIn(await patch(name, { enabled: 'false' })).enabled).toBe(false)
      expect(errorIn(await create(fields))).toMatchObject([
        409,
        'DUPLICATE_DESTINATION_URL',
        { shortlink: { name, enabled: false } },
      ])
      const found = (await listed()).shortlinks.find((link) => link.name === name)
      expect(found?.enabled).toBe(false)
    })

    test('a deleted link is not a duplicate', async () => {
      const fields = { destination_url: 'https://example.com/deleted' }
      await remove(await newLink(fields))
      expect((await create(fields)).status).toBe(200)
    })

    test('an expired link is not a duplicate, and can be revived only if its destination is free', async () => {
      const fields = { destination_url: 'https://example.com/expired' }
      const name = await newLink({ ...fields, expires_at: new Date(now + 1).toISOString() })
      expect((await create(fields)).status).toBe(409)
      now += 1
      const next = await newLink(fields)
      expect((await create(fields)).status).toBe(409)
      expect(errorIn(await patch(name, { expires_at: '' }))).toMatchObject([
        409,
        'DUPLICATE_DESTINATION_URL',
        { shortlink: { name: next } },
      ])
      await remove(next)
      expect(linkIn(await patch(name, { expires_at: '' })).expires_at).toBeUndefined()
      expect((await create(fields)).status).toBe(409)
    })

    test('a link can take over the destination of an expired link', async () => {
      const expires_at = new Date(now + 1).toISOString()
      await newLink({ destination_url: 'https://example.com/gives-way', expires_at })
      now += 1
      const name = await newLink()
      const changed = await patch(name, { destination_url: 'https://example.com/gives-way' })
      expect(changed.status).toBe(200)
    })
  })

  describe('expiry', () => {
    test('refuses what is no time in the future', async () => {
      for (const expires_at of [
        ...['2027-02-28', '2020-01-01T00:00:00Z', 'tomorrow', '2027-13-01', '2028-01-01T00:00'],
        '9999-12-31T23:59:59-23:59',
      ]) {
        const fields = { expires_at: [expect.stringMatching(/^Use a /) as string] }
        expect(errorIn(await create({ expires_at }))).toEqual([422, 'VALIDATION_ERROR', { fields }])
      }
    })

    test('accepts an instant with an offset', async () => {
      const name = await newLink({ expires_at: '2027-06-01T12:00:00+02:00' })
      expect(linkIn(await get(name)).expires_at).toBe('2027-06-01T10:00:00.000Z')
    })

    test('an expired link can be changed without being revived', async () => {
      const expires_at = new Date(now + 1).toISOString()
      const name = await newLink({ expires_at })
      now += DAY_MS
      const changed = linkIn(await patch(name, { title: 'past', expires_at }))
      expect(changed).toMatchObject({ title: 'past', expires_at })
    })
  })

  describe('a deletion', () => {
    test('leaves nothing but the short URL', async () => {
      const preview_image = new File([PNG], 'a.png')
      const name = await newLink({ ...ALL_FIELDS, preview_image, back_half: 'tombstone' })
      const { db } = service.database
      const clicks = { link_id: name, day: '2026-01-01', people: 1 }
      await db
        .insertInto('clicks')
        .values({ ...clicks, bots: 1 })
        .execute()
      await db
        .insertInto('referrers')
        .values({ ...clicks, host: 'a.example' })
        .execute()
      const { preview_image: imageUrl = '' } = linkIn(await get(name))
      await patch(name, { title: 'A secret' })
      const before = (await listed()).pagination.total_items
      const response = await remove(name)
      expect({ status: response.status, body: response.body }).toEqual({
        status: 200,
        body: { data: { status: 'success', message: 'Shortlink deleted.' } },
      })
      for (const again of [
        await get(name),
        await patch(name, { title: 'b' }),
        await remove(name),
      ]) {
        expect(errorIn(again)).toEqual([404, 'NOT_FOUND', undefined])
      }
      expect((await listed()).pagination.total_items).toBe(before - 1)
      expect((await fetch(imageUrl)).status).toBe(404)
      const row = await db
        .selectFrom('links')
        .selectAll()
        .where('id', '=', name)
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({ back_half: 'tombstone', title: null, destination_url: '' })
      for (const table of ['clicks', 'referrers', 'click_totals'] as const) {
        const rows = db.selectFrom(table).selectAll().where('link_id', '=', name)
        expect(await rows.execute()).toEqual([])
      }
      expect(await historyOf(name)).toEqual([{ deleted: [false, true] }, {}])
    })

    test('makes room in the quota, and no other change does', async () => {
      const { db } = service.database
      const name = await newLink()
      const total = (await listed()).pagination.total_items
      await db.updateTable('owners').set({ max_links: total }).execute()
      onTestFinished(async () => {
        await db.updateTable('owners').set({ max_links: null }).execute()
      })
      await patch(name, { enabled: 'false', back_half: 'quota-2' })
      expect(codeIn(await create())).toBe('403 FEATURE_LIMIT_EXCEEDED')
      await remove(name)
      expect((await create()).status).toBe(200)
      expect((await create()).status).toBe(403)
    })
  })

  describe('an owner with a quota', () => {
    test('can give up 100 short URLs a day, because all of them stay reserved', async () => {
      const { db } = service.database
      const caller = await newOwner(service, 'Quota')
      const createIt = async (at: number) => {
        const fields = { domain: 'default', destination_url: `https://example.com/quota/${at}` }
        return postForm(caller, fields)
      }
      const { id } = await db
        .updateTable('owners')
        .set({ max_links: 10 })
        .where('name', '=', 'Quota')
        .returning('id')
        .executeTakeFirstOrThrow()
      const kept = linkIn(await createIt(0)).name
      const row = await db
        .selectFrom('links')
        .selectAll()
        .where('id', '=', kept)
        .executeTakeFirstOrThrow()
      const deleted = Array.from({ length: 98 }, (_, at) => {
        const id = `00000000-0000-7000-8000-0000000000${String(at).padStart(2, '0')}`
        const destination_hash = releasedHash(id, now)
        return { ...row, id, back_half: `gone-${at}`, destination_hash, deleted_at: now }
      })
      await db.insertInto('links').values(deleted).execute()
      const { name } = linkIn(await createIt(1))
      expect((await callLink(caller, 'DELETE', name)).status).toBe(200)
      const first = { fields: { back_half: 'quota-day-1' } }
      expect((await callLink(caller, 'PATCH', kept, first)).status).toBe(200)
      const message = expect.stringContaining('in the last 24 hours') as string
      const refused = { status: 403, body: { error: { code: 'FEATURE_LIMIT_EXCEEDED', message } } }
      expect(await createIt(51)).toMatchObject(refused)
      const moved = { fields: { back_half: 'quota-day-51' } }
      expect(await callLink(caller, 'PATCH', kept, moved)).toMatchObject(refused)
      const back = { fields: { back_half: row.back_half, title: 'It was mine already' } }
      expect((await callLink(caller, 'PATCH', kept, back)).status).toBe(200)
      now += DAY_MS
      expect((await createIt(52)).status).toBe(200)
      expect((await callLink(caller, 'PATCH', kept, moved)).status).toBe(200)
      const reserved = await db
        .selectFrom('links')
        .select('id')
        .where('owner_id', '=', id)
        .execute()
      expect(reserved).toHaveLength(103)
    })
  })

  test('the history keeps the last 1,000 changes of a link', async () => {
    const { db } = service.database
    const name = await newLink()
    const entry = { link_id: name, at: now, made_by: 'test', changes: '{}' }
    await db
      .insertInto('link_history')
      .values(Array.from({ length: 1_000 }, () => entry))
      .execute()
    for (const title of ['a', 'b']) await patch(name, { title })
    const rows = await db
      .selectFrom('link_history')
      .select('made_by')
      .where('link_id', '=', name)
      .orderBy('id')
      .execute()
    expect(rows).toHaveLength(1_000)
    expect(rows.filter(({ made_by }) => made_by !== 'test')).toHaveLength(2)
  })

  test('neither 1,000 changes nor a deletion hides where a link led from the administrator, for 90 days', async () => {
    const { db } = service.database
    const name = await newLink({ back_half: 'phishing', destination_url: 'https://bank.example/' })
    const pages = `/dashboard/links/${name}`
    let browser = await signedIn(service, () => now)
    const shown = async (path = pages) => plainText(await browser.get(path))
    await patch(name, { destination_url: 'https://phish.example/login' })
    await patch(name, { destination_url: 'https://bank.example/' })
    const entry = { link_id: name, at: now, made_by: 'test', changes: '{}' }
    const many = Array.from({ length: 1_000 }, () => entry)
    await db.insertInto('link_history').values(many).execute()
    await patch(name, { title: 'Harmless' })
    expect(JSON.stringify(await historyOf(name))).not.toContain('phish')
    expect(await shown()).toContain(' phish.example/login Backhalf app (automatic key) ')

    const dialog = await shown(`${pages}/delete`)
    expect(dialog).toContain('the administrator of this link service can still see where it led.')
    await remove(name)
    const found = await browser.get('/dashboard?state=deleted&q=/phishing')
    expect(found.text).toContain(`href="${pages}"`)
    const page = await shown()
    expect(page).not.toContain('Page 1')
    const led = page.match(/ (?:bank|phish)\.example/g)
    expect(led).toEqual([' bank.example', ' phish.example', ' bank.example'])
    now += 90 * DAY_MS
    browser = await signedIn(service, () => now)
    expect(await shown()).not.toContain('.example')
    await remove(await newLink())
    const kept = db.selectFrom('link_destinations').selectAll().where('link_id', '=', name)
    expect(await kept.execute()).toEqual([])
  })

  test('the history says what changed, when and by which key', async () => {
    const name = await newLink({ title: 'Old', back_half: 'h1' })
    now += 1_000
    await patch(name, { title: 'New', enabled: 'false', expires_at: '2028-01-01T00:00:00Z' })
    const at = now
    now += 1_000
    await patch(name, { title: '', back_half: 'h2' })
    const keys = service.database.db.selectFrom('api_keys').select('id').orderBy('id')
    const made_by = (await keys.executeTakeFirst())?.id
    expect(await linkHistory(service.database.db, name)).toMatchObject([
      { at: now, made_by, changes: { title: ['New', null], back_half: ['h1', 'h2'] } },
      {
        at,
        made_by,
        changes: {
          title: ['Old', 'New'],
          enabled: [true, false],
          expires_at: [null, '2028-01-01T00:00:00.000Z'],
        },
      },
    ])
  })

  test('shows who created, changed and deleted a link: the key, and the person whom its holder names', async () => {
    const as = (id: string, name: string) => ({ 'x-made-by': `${id} ${encodeURIComponent(name)}` })
    const fields = { destination_url: 'https://example.com/who', domain: 'default' }
    const key = { 'idempotency-key': 'who' }
    const created = await postForm(service, fields, { ...as('T1-U1', 'Ana García'), ...key })
    // A retry is the same request, even if it names another person.
    const repeated = await postForm(service, fields, { ...as('T1-U2', 'Ben'), ...key })
    expect(repeated.text).toBe(created.text)
    const { name } = linkIn(created)
    const person = { id: 'T1-U1', name: 'Ana García' }
    const made_with = 'Backhalf app (automatic key)'
    expect(linkIn(await get(name))).toMatchObject({ made_by: person, made_with })
    const [newest] = (await listed()).shortlinks
    expect(newest).toMatchObject({ name, made_by: person, made_with })
    const changed = await patch(name, { title: 'B' }, as('T1-U2', 'Ben'))
    expect(linkIn(changed)).toMatchObject({ made_by: person, made_with })
    const invalid = await patch(name, { title: 'C' }, { 'x-made-by': 'U1 Ana García' })
    expect(codeIn(invalid)).toBe('422 VALIDATION_ERROR')

    const browser = await signedIn(service, () => now)
    const csv = (await browser.get('/dashboard/links.csv')).text
    expect(csv).toContain(`,Ana García,T1-U1,${made_with}`)
    const page = `/dashboard/links/${name}`
    expect(plainText(await browser.get(page))).toMatch(/Created +Ana García with Backhalf app/)
    await remove(name, as('T1-U3', 'Cleo'))
    const after = plainText(await browser.get(page))
    for (const by of ['Deleted +Cleo', 'Changed +Ben', 'Created +Ana García']) {
      expect(after).toMatch(new RegExp(`${by} with Backhalf app`))
    }
    expect(after.match(/Cleo with Backhalf app/g)).toHaveLength(2)
    expect(service.logLines.join('')).not.toMatch(/Cleo|T1-U3/)
  })

  test('unknown links, other owners’ links and unreachable links get the same 404', async () => {
    const mine = await newLink()
    const limited = await keyWith(service, {
      scopes: ['shortlinks:read', 'shortlinks:update', 'shortlinks:delete'],
      domainIds: ['brand'],
    })
    const answers = new Set<string>()
    for (const [caller, name] of [
      [service, '019b2c4e-5a31-7c55-9d2e-3f1a7b60c2d4'],
      [service, 'not-a-uuid'],
      [service, '%00'],
      [await newOwner(service, 'Far'), mine],
      [limited, mine],
    ] as const) {
      for (const { status, text } of await tryAll(caller, name)) answers.add(`${status} ${text}`)
    }
    expect([...answers]).toEqual([expect.stringMatching(/^404 .*NOT_FOUND/)])
  })

  test('a key for one domain record can’t change a link that also has a short URL on another one', async () => {
    const scopes = ['shortlinks:read', 'shortlinks:update', 'shortlinks:delete']
    const limited = await keyWith(service, { scopes, domainIds: ['brand'] })
    const both = await keyWith(service, { scopes, domainIds: ['brand', 'default'] })
    const name = await newLink({ back_half: 'from-default' })
    await patch(name, { domain: 'brand' })
    const answers = await tryAll(limited, name)
    expect(answers.map(codeIn)).toEqual(['200', '403 PERMISSION_DENIED', '403 PERMISSION_DENIED'])
    expect((await call(`${service.baseUrl}/from-default`)).status).toBe(302)
    expect((await tryAll(both, name)).map(codeIn)).toEqual(['200', '200', '200'])
  })

  test.each([
    ['shortlinks:read', [200, 403, 403]],
    ['shortlinks:update', [403, 200, 403]],
    ['shortlinks:delete', [403, 403, 200]],
  ])('a key with %s alone can do this alone', async (scope, expected) => {
    const caller = await keyWith(service, { scopes: [scope] })
    const responses = await tryAll(caller, await newLink())
    expect(responses.map(({ status }) => status)).toEqual(expected)
  })
}
