import { expect, test } from 'vitest'
import { linkHistory } from '../../../src/service/store/link-history.ts'
import { describeService } from '../../support/fixtures.ts'
import { PNG, SVG } from '../../support/images.ts'
import { addDomainRecord } from '../../support/rows.ts'
import {
  call,
  callLink,
  codeIn,
  create,
  errorIn,
  errorsIn,
  linkIn,
  listed,
  newLink,
  newOwner,
  type Caller,
  type Fields,
} from '../../support/service-calls.ts'

let now = Date.parse('2027-03-01T12:00:00Z')

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

describeService(
  (service) => {
    const get = (name: string) => callLink(service, 'GET', name)
    const patch = (name: string, fields: Fields, headers: Record<string, string> = {}) =>
      callLink(service, 'PATCH', name, { fields, headers })
    const remove = (name: string, headers: Record<string, string> = {}) =>
      callLink(service, 'DELETE', name, { headers })
    const locationOf = async (shortUrl: string) => (await call(shortUrl)).headers.get('location')

    test('changes the fields that are sent, and no others, and where the short URL leads', async () => {
      const { name, shortlink_url: shortUrl } = await newLink(service, ALL_FIELDS)
      const before = linkIn(await get(name))
      now += 1_000
      const destination_url = 'https://example.com/elsewhere ü'
      const response = await patch(name, { title: 'Summer', utm_medium: '', destination_url })
      expect(response.headers.get('etag')).toBe('"2"')
      const expected = {
        ...before,
        title: 'Summer',
        utm_medium: undefined,
        destination_url: 'https://example.com/elsewhere%20%C3%BC',
        updated_at: new Date(now).toISOString(),
      }
      expect(linkIn(response)).toEqual(expected)
      expect(linkIn(await get(name))).toEqual(expected)
      expect(await locationOf(shortUrl)).toBe(`${expected.destination_url}?utm_source=newsletter`)
    })

    test('replaces, keeps and removes the preview image', async () => {
      const image = (bytes: string | Uint8Array<ArrayBuffer>, name: string) =>
        new File([bytes], name)
      const { name } = await newLink(service, { preview_image: image(PNG, 'a.png') })
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
      const { name } = await newLink(service, ALL_FIELDS)
      const before = await get(name)
      now += 1_000
      const { back_half } = linkIn(before)
      for (const fields of [{}, ALL_FIELDS, { enabled: 'true' }, { back_half }]) {
        const response = await patch(name, fields)
        expect([response.status, response.headers.get('etag')]).toEqual([200, '"1"'])
        expect(linkIn(response)).toEqual(linkIn(before))
      }
      expect(await linkHistory(service.database.db, name)).toEqual([])
    })

    test('an unchanged value is never an error, even if a new link could not have it', async () => {
      const { name } = await newLink(service)
      // Stored by an earlier version, on a hostname that has become a short domain, and expired since.
      const destination_url = `${service.baseUrl}/${'%C3%BC'.repeat(2_900)}`
      const earlier = { back_half: 'api', expires_at: now - 1, qr_code_color: '#FFFFFF' }
      const links = service.database.db.updateTable('links').set({ destination_url, ...earlier })
      await links.where('id', '=', name).execute()
      const link = linkIn(await get(name))
      const same = { destination_url, back_half: 'api', expires_at: link.expires_at ?? '' }
      const longer = await patch(name, { ...same, destination_url: `${destination_url}a` })
      expect(errorsIn(longer)).toEqual({ destination_url: [expect.stringMatching('2,000')] })
      const changed = await patch(name, { ...same, domain: 'default', title: 'New' })
      expect(linkIn(changed)).toMatchObject({ destination_url, title: 'New' })
    })

    test('a destination and its UTM parameters fit into the headers of a redirect', async () => {
      const long = 'ü'.repeat(255)
      const utm = { utm_source: long, utm_medium: long, utm_analytics_enabled: 'true' }
      const destination_url = `https://example.com/${'x'.repeat(1_980)}`
      const refused = { destination_url: [expect.stringContaining('With its UTM parameters')] }
      const fields = { destination_url, ...utm }
      expect(errorsIn(await create(service, fields))).toEqual(refused)
      const { name } = await newLink(service, { ...fields, utm_analytics_enabled: 'false' })
      expect(errorsIn(await patch(name, { utm_analytics_enabled: 'true' }))).toEqual(refused)
      const fits = { utm_medium: '', utm_analytics_enabled: 'true' }
      const location = await locationOf(linkIn(await patch(name, fits)).shortlink_url)
      expect(location?.length).toBe(2_000 + '?utm_source='.length + 255 * '%C3%BC'.length)
    })

    test('names every invalid field', async () => {
      const { name } = await newLink(service)
      const response = await patch(name, {
        destination_url: '',
        domain: 'unknown',
        back_half: '',
        enabled: '',
        is_custom_preview: 'yes',
        qr_code_color: 'red',
        preview_image: new File(['a'], 'a.gif'),
        expires_at: '2027-02-30',
        color: 'red',
      })
      const empty = ['This field can’t be empty.']
      expect(errorsIn(response)).toEqual({
        destination_url: empty,
        domain: [
          'There is no domain record with this ID that can be used here. Choose another one.',
        ],
        back_half: empty,
        enabled: empty,
        is_custom_preview: ['Use true or false.'],
        qr_code_color: ['Use a color in the form #RRGGBB.'],
        preview_image: ['Use an image whose name ends in .jpeg, .jpg, .png or .svg.'],
        expires_at: ['Use a date like 2027-12-31, or a time like 2027-12-31T18:00:00Z.'],
        color: ['This field does not exist.'],
      })
      const own = await patch(name, { destination_url: `${service.baseUrl}/x` })
      expect(codeIn(own)).toBe('422 VALIDATION_ERROR')
    })

    test('If-Match refuses a change and a deletion of an earlier revision', async () => {
      const { name } = await newLink(service)
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

    test('If-Match allows the current revision, also in a list or weak, and any with *', async () => {
      const { name } = await newLink(service)
      const tags = ['"1"', 'W/"2"', '"9", "3"', '*']
      for (const [at, tag] of tags.entries()) {
        const response = await patch(name, { title: `${at}` }, { 'if-match': tag })
        expect(response.headers.get('etag')).toBe(`"${at + 2}"`)
      }
      expect((await remove(name, { 'if-match': '"5"' })).status).toBe(200)
    })

    test('keeps every earlier short URL of a link leading to it, and lets the link take one back', async () => {
      const { name } = await newLink(service, { back_half: 'a1' })
      for (const back_half of ['b1', 'c1', 'a1', 'b1', 'a1']) {
        const { shortlink_url: shortUrl } = linkIn(await patch(name, { back_half }))
        expect(shortUrl).toBe(`${service.baseUrl}/${back_half}`)
      }
      const destination_url = 'https://example.com/moved'
      await patch(name, { destination_url })
      for (const backHalf of ['a1', 'b1', 'c1']) {
        expect(await locationOf(`${service.baseUrl}/${backHalf}`)).toBe(destination_url)
      }
    })

    test('an earlier short URL or back-half finds the link, which is listed once', async () => {
      await addDomainRecord(service.database, 'brand')
      const { name } = await newLink(service, { back_half: 'formerly', domain: 'brand' })
      await patch(name, { back_half: 'formerly-2' })
      await patch(name, { back_half: 'nowadays', domain: 'default' })
      const found = async (q: string, caller: Caller = service) => {
        const { shortlinks } = await listed(caller, new URLSearchParams({ q }).toString())
        return shortlinks.map((link) => link.name)
      }
      const texts = ['formerly', '/formerly-2', 'https://Brand.example/formerly']
      for (const q of texts) expect([q, await found(q)]).toEqual([q, [name]])
      for (const q of ['formerl', 'other.example/formerly', `${service.baseUrl}/formerl`]) {
        expect([q, await found(q)]).toEqual([q, []])
      }
      expect(await found('formerly', await newOwner(service, 'Searcher'))).toEqual([])
      await patch(name, { title: 'Was formerly elsewhere' })
      expect(await found('formerly')).toEqual([name])
    })

    test('refuses a back-half that another link has, had, or had when it was deleted', async () => {
      const taken = [
        409,
        'BACK_HALF_CONFLICT',
        { fields: { back_half: ['This back-half is taken on this domain. Choose another one.'] } },
      ]
      const other = await newLink(service, { back_half: 'had' })
      await patch(other.name, { back_half: 'has' })
      await remove((await newLink(service, { back_half: 'gone' })).name)
      const { name } = await newLink(service, { back_half: 'mine' })
      for (const back_half of ['has', 'had']) {
        expect(errorIn(await patch(name, { back_half }))).toEqual(taken)
        expect(errorIn(await create(service, { back_half }))).toEqual(taken)
      }
      const deleted = { deleted_at: expect.any(String) as string }
      const response = await patch(name, { back_half: 'gone' })
      expect(errorIn(response)).toMatchObject([409, 'BACK_HALF_CONFLICT', deleted])
      expect(response.text).toContain('A link with this back-half was deleted on 2027-03-01')
      // Another owner learns nothing.
      const stranger = await newOwner(service, 'Elsewhere')
      expect(errorIn(await create(stranger, { back_half: 'gone' }))).toEqual(taken)
      expect((await get(name)).headers.get('etag')).toBe('"1"')
    })

    test('moves a link to another domain record and back', async () => {
      await addDomainRecord(service.database, 'brand')
      const { name } = await newLink(service, { back_half: 'travels' })
      const moved = linkIn(await patch(name, { domain: 'brand' }))
      expect(moved).toMatchObject({
        domain: 'brand',
        shortlink_url: 'https://brand.example/travels',
      })
      expect(codeIn(await create(service, { back_half: 'travels' }))).toBe('409 BACK_HALF_CONFLICT')
      const back = linkIn(await patch(name, { domain: 'default', back_half: 'travels' }))
      expect(back.shortlink_url).toBe(`${service.baseUrl}/travels`)
    })
  },
  { now: () => now },
)
