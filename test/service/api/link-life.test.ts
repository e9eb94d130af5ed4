import { expect, onTestFinished, test } from 'vitest'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { releasedHash } from '../../../src/service/store/destination.ts'
import { linkHistory } from '../../../src/service/store/link-history.ts'
import { plainText, signedIn } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { PNG } from '../../support/images.ts'
import { addDomainRecord, addLinks } from '../../support/rows.ts'
import {
  call,
  callLink,
  codeIn,
  create,
  errorIn,
  errorsIn,
  keyWith,
  linkIn,
  listed,
  newLink,
  newOwner,
  type Caller,
  type Fields,
} from '../../support/service-calls.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let now = Date.parse('2027-03-01T12:00:00Z')

describeService(
  (service) => {
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
    const setQuota = (name: string, max_links: number | null) => {
      const owners = service.database.db.updateTable('owners').set({ max_links })
      return owners.where('name', '=', name).execute()
    }
    const rowOf = (name: string) => {
      const links = service.database.db.selectFrom('links').selectAll()
      return links.where('id', '=', name).executeTakeFirstOrThrow()
    }
    const historyOf = (name: string) => linkHistory(service.database.db, name)

    test('a link is a duplicate even if it is turned off, but not once it is deleted', async () => {
      const fields = { destination_url: 'https://example.com/dup' }
      const first = await newLink(service, fields)
      const { name } = first
      const duplicate = (shortlink: object) => [409, 'DUPLICATE_DESTINATION_URL', { shortlink }]
      const changed = await patch((await newLink(service)).name, fields)
      expect(errorIn(changed)).toEqual(duplicate(first))
      expect(linkIn(await patch(name, { enabled: 'false' })).enabled).toBe(false)
      const again = await create(service, fields)
      expect(errorIn(again)).toMatchObject(duplicate({ name, enabled: false }))
      const found = (await listed(service)).shortlinks.find((link) => link.name === name)
      expect(found?.enabled).toBe(false)
      await remove(name)
      expect((await create(service, fields)).status).toBe(200)
    })

    test('an expired link is not a duplicate, and can be revived only if its destination is free', async () => {
      const fields = { destination_url: 'https://example.com/expired' }
      const expires_at = new Date(now + 1).toISOString()
      const { name } = await newLink(service, { ...fields, expires_at })
      expect((await create(service, fields)).status).toBe(409)
      now += 1
      const next = await newLink(service, fields)
      const conflict = [409, 'DUPLICATE_DESTINATION_URL', { shortlink: { name: next.name } }]
      expect(errorIn(await create(service, fields))).toMatchObject(conflict)
      expect(errorIn(await patch(name, { expires_at: '' }))).toMatchObject(conflict)
      const past = { title: 'past', expires_at }
      expect(linkIn(await patch(name, past))).toMatchObject(past)
      await remove(next.name)
      expect(linkIn(await patch(name, { expires_at: '' })).expires_at).toBeUndefined()
      expect((await create(service, fields)).status).toBe(409)
    })

    test('a link can take over the destination of an expired link', async () => {
      const fields = { destination_url: 'https://example.com/gives-way' }
      await newLink(service, { ...fields, expires_at: new Date(now + 1).toISOString() })
      now += 1
      expect((await patch((await newLink(service)).name, fields)).status).toBe(200)
    })

    test('an expiry is a time in the future, with any offset', async () => {
      const { name } = await newLink(service, { expires_at: '2999-06-01T12:00:00+02:00' })
      expect(linkIn(await get(name)).expires_at).toBe('2999-06-01T10:00:00.000Z')
      for (const expires_at of [
        ...[new Date(now).toISOString(), '2027-02-28', 'tomorrow', '2999-13-01'],
        ...['2999-01-01T00:00', '9999-12-31T23:59:59-23:59'],
      ]) {
        const refused = { expires_at: [expect.stringMatching(/^Use a /)] }
        expect(errorsIn(await create(service, { expires_at }))).toEqual(refused)
      }
    })

    test('a deletion leaves nothing but the short URL', async () => {
      const fields = { title: 'Spring', utm_source: 'letter', back_half: 'tombstone' }
      const preview_image = new File([PNG], 'a.png')
      const { name, ...link } = await newLink(service, { ...fields, preview_image })
      const hosts = new Map([['a.example', 1]])
      const clicks = { link_id: name, day: '2026-01-01', people: 1, bots: 1, hosts }
      await service.database.write(addClicks([clicks]))
      await patch(name, { title: 'A secret' })
      const before = (await listed(service)).pagination.total_items
      const response = await remove(name)
      expect({ status: response.status, body: response.body }).toEqual({
        status: 200,
        body: { data: { status: 'success', message: 'Shortlink deleted.' } },
      })
      const deleted = { deleted_at: new Date(now).toISOString() }
      expect((await tryAll(service, name)).map(errorIn)).toEqual([
        [404, 'NOT_FOUND', deleted],
        [404, 'NOT_FOUND', deleted],
        [404, 'NOT_FOUND', undefined],
      ])
      const shortUrl = encodeURIComponent(link.shortlink_url)
      expect(await listed(service, `q=${shortUrl}`)).toMatchObject(deleted)
      expect(await listed(service, 'q=tombstone')).not.toHaveProperty('deleted_at')
      const again = await create(service, { back_half: 'tombstone' })
      expect(errorIn(again)).toEqual([409, 'BACK_HALF_CONFLICT', expect.objectContaining(deleted)])
      expect(again.text).toContain('A link with this back-half was deleted on 2027-')
      expect((await listed(service)).pagination.total_items).toBe(before - 1)
      expect((await fetch(link.preview_image ?? '')).status).toBe(404)
      expect(await rowOf(name)).toMatchObject({
        back_half: 'tombstone',
        title: null,
        utm_source: null,
        destination_url: '',
      })
      for (const table of ['clicks', 'referrers', 'click_totals'] as const) {
        const rows = service.database.db.selectFrom(table).selectAll().where('link_id', '=', name)
        expect(await rows.execute()).toEqual([])
      }
      const changes = (await historyOf(name)).map((entry) => entry.changes)
      expect(changes).toEqual([{ deleted: [false, true] }, {}])
    })

    test('a deletion makes room in the quota, and no other change does', async () => {
      const { name } = await newLink(service)
      const { total_items: total } = (await listed(service)).pagination
      await setQuota('Test workspace', total)
      onTestFinished(async () => {
        await setQuota('Test workspace', null)
      })
      await patch(name, { enabled: 'false', back_half: 'quota-2' })
      expect(codeIn(await create(service))).toBe('403 FEATURE_LIMIT_EXCEEDED')
      await remove(name)
      expect((await create(service)).status).toBe(200)
      expect((await create(service)).status).toBe(403)
    })

    test('an owner with a quota can give up 100 short URLs a day, because all of them stay reserved', async () => {
      const caller = await newOwner(service, 'Quota')
      await setQuota('Quota', 10)
      const { name: kept } = await newLink(caller)
      const row = await rowOf(kept)
      const deleted = Array.from({ length: 98 }, (_, at) => {
        const id = `00000000-0000-7000-8000-0000000000${String(at).padStart(2, '0')}`
        const destination_hash = releasedHash(id, now)
        return { ...row, id, back_half: `gone-${at}`, destination_hash, deleted_at: now }
      })
      await addLinks(service.database, ...deleted)
      const { name } = await newLink(caller)
      expect((await callLink(caller, 'DELETE', name)).status).toBe(200)
      const change = (fields: Fields) => callLink(caller, 'PATCH', kept, { fields })
      expect((await change({ back_half: 'quota-day-1' })).status).toBe(200)
      const message = expect.stringContaining('in the last 24 hours') as string
      const refused = { status: 403, body: { error: { code: 'FEATURE_LIMIT_EXCEEDED', message } } }
      expect(await create(caller)).toMatchObject(refused)
      expect(await change({ back_half: 'quota-day-51' })).toMatchObject(refused)
      const back = { back_half: row.back_half, title: 'It was mine already' }
      expect((await change(back)).status).toBe(200)
      now += DAY_MS
      expect((await create(caller)).status).toBe(200)
      expect((await change({ back_half: 'quota-day-51' })).status).toBe(200)
    })

    test('neither 1,000 changes, which is what its history keeps, nor a deletion hides where a link led from the administrator, for 90 days', async () => {
      const { db } = service.database
      const bank = { destination_url: 'https://bank.example/' }
      const { name } = await newLink(service, { back_half: 'phishing', ...bank })
      const pages = `/dashboard/links/${name}`
      let browser = await signedIn(service, () => now)
      const shown = async (path = pages) => plainText(await browser.get(path))
      await patch(name, { destination_url: 'https://phish.example/login' })
      await patch(name, bank)
      const entry = { link_id: name, at: now, made_by: 'test', changes: '{}' }
      const many = Array.from({ length: 1_000 }, () => entry)
      await db.insertInto('link_history').values(many).execute()
      await patch(name, { title: 'Harmless' })
      const history = db.selectFrom('link_history').selectAll().where('link_id', '=', name)
      const entries = (await history.orderBy('id').execute()).map(({ changes }) => changes)
      expect(entries).toEqual([...Array<string>(999).fill('{}'), '{"title":[null,"Harmless"]}'])
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
      await remove((await newLink(service)).name)
      const kept = db.selectFrom('link_destinations').where('link_id', '=', name)
      expect(await kept.selectAll().execute()).toEqual([])
    })

    test('shows who created, changed and deleted a link, and what was changed: the key, and the person whom its holder names', async () => {
      const as = (id: string, name: string) => ({
        'x-created-by': `${id} ${encodeURIComponent(name)}`,
      })
      const fields = { destination_url: 'https://example.com/who' }
      const key = { 'idempotency-key': 'who' }
      const created = await create(service, fields, { ...as('T1-U1', 'Ana García'), ...key })
      // A retry is the same request, even if it names another person.
      const repeated = await create(service, fields, { ...as('T1-U2', 'Ben'), ...key })
      expect(repeated.text).toBe(created.text)
      const { name } = linkIn(created)
      const person = { id: 'T1-U1', name: 'Ana García' }
      const created_with = 'Backhalf app (automatic key)'
      expect(linkIn(await get(name))).toMatchObject({ created_by: person, created_with })
      const [newest] = (await listed(service)).shortlinks
      expect(newest).toMatchObject({ name, created_by: person, created_with })
      const changes = { title: 'B', enabled: 'false', expires_at: '2998-01-01T00:00:00Z' }
      const changed = linkIn(await patch(name, changes, as('T1-U2', 'Ben')))
      expect(changed).toMatchObject({ created_by: person, created_with })
      const expires_at = [null, '2998-01-01T00:00:00.000Z']
      const entry = { changes: { title: [null, 'B'], enabled: [true, false], expires_at } }
      const ben = { at: now, person_id: 'T1-U2', person_name: 'Ben', key_name: created_with }
      expect(await historyOf(name)).toMatchObject([{ ...ben, ...entry }])
      const invalid = await patch(name, { title: 'C' }, { 'x-created-by': 'U1 Ana García' })
      expect(codeIn(invalid)).toBe('422 VALIDATION_ERROR')

      const browser = await signedIn(service, () => now)
      const csv = (await browser.get('/dashboard/links.csv')).text
      expect(csv).toContain(`,Ana García,T1-U1,${created_with}`)
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
      const { name: mine } = await newLink(service)
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
      await addDomainRecord(service.database, 'brand')
      const scopes = ['shortlinks:read', 'shortlinks:update', 'shortlinks:delete']
      const limited = await keyWith(service, { scopes, domainIds: ['brand'] })
      const both = await keyWith(service, { scopes, domainIds: ['brand', 'default'] })
      const { name } = await newLink(service, { back_half: 'from-default' })
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
      const responses = await tryAll(caller, (await newLink(service)).name)
      expect(responses.map(({ status }) => status)).toEqual(expected)
    })
  },
  { now: () => now },
)
