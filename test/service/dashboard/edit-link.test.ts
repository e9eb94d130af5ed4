import { expect } from 'vitest'
import { addOwner } from '../../../src/service/store/owners.ts'
import { expectPage, formTo, plainText, type Page } from '../../support/dashboard.ts'
import { withDashboard } from '../../support/fixtures.ts'
import { PNG, SVG } from '../../support/images.ts'
import { changeLink, linkAt } from '../../support/links.ts'
import { addDomainRecord } from '../../support/rows.ts'
import { call, callLink, newLink } from '../../support/service-calls.ts'

const { test, service, browser } = withDashboard()

let count = 0
/** Creates a link through the API, and returns the path of its page. */
async function create(more: Record<string, string | File> = {}): Promise<string> {
  return `/dashboard/links/${(await newLink(service, { back_half: `edit-${++count}`, ...more })).name}`
}

const idIn = (path: string) => path.split('/').at(-1) ?? ''

const rowAt = (path: string) => {
  const links = service.database.db.selectFrom('links').selectAll()
  return links.where('id', '=', idIn(path)).executeTakeFirstOrThrow()
}

/** Submits the form of a link with some fields changed, as it is now or as a page showed it. */
const edit = (path: string, changes: Record<string, string | File | undefined>, form?: Page) =>
  browser.submit(`${path}/edit`, changes, form)

const patch = async (path: string, fields: Record<string, string>) => {
  const { status } = await callLink(service, 'PATCH', idIn(path), { fields })
  expect(status).toBe(200)
}

/** The status of a link's short URL. */
async function statusOf(path: string): Promise<number> {
  const { back_half } = await rowAt(path)
  return (await call(`${service.baseUrl}/${back_half}`)).status
}

const EVERYTHING = {
  title: 'All of it',
  utm_analytics_enabled: 'true',
  utm_source: 'newsletter',
  is_custom_preview: 'true',
  preview_title: 'Spring',
  preview_description: 'Two\nlines',
  qr_code_enabled: 'true',
  qr_code_color: '#1F4F46',
  expires_at: '2999-12-31T18:00:00Z',
}

test('shows the form with everything filled in, and saving it unchanged writes nothing', async () => {
  const path = await create({ ...EVERYTHING, preview_image: new File([PNG], 'card.png') })
  const before = await rowAt(path)
  const form = await browser.get(`${path}/edit`)
  expect(Object.fromEntries(formTo(`${path}/edit`, form))).toMatchObject({
    ...EVERYTHING,
    back_half: before.back_half,
    destination_url: before.destination_url,
    domain: 'default',
    qr_code_color: '#1f4f46',
    expires_at: '2999-12-31T18:00',
    revision: '1',
  })
  expect(form.text).toContain(`src="${path}/preview-image"`)
  const image = await browser.get(`${path}/preview-image`)
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
  const { status, location } = await edit(path, {}, form)
  expect([status, location]).toEqual([303, path])
  expect(await rowAt(path)).toEqual(before)
})

test('saves what was changed, clears what was emptied, and shows it in the history', async () => {
  const path = await create({ ...EVERYTHING, preview_image: new File([PNG], 'card.png') })
  const { back_half: old } = await rowAt(path)
  const { status } = await edit(path, {
    destination_url: 'https://example.com/corrected',
    back_half: 'corrected',
    title: '',
    utm_source: '',
    expires_at: '',
    qr_code_enabled: undefined,
    qr_code_color: '#000000',
    preview_description: 'One line',
  })
  expect(status).toBe(303)
  expect(await rowAt(path)).toMatchObject({
    destination_url: 'https://example.com/corrected',
    back_half: 'corrected',
    title: null,
    utm_source: null,
    expires_at: null,
    qr_code_enabled: 0,
    qr_code_color: null,
    preview_description: 'One line',
    preview_image_type: 'image/png',
    revision: 2,
  })
  for (const backHalf of [old, 'corrected']) {
    const { headers } = await call(`${service.baseUrl}/${backHalf}`)
    expect(headers.get('location')).toBe('https://example.com/corrected')
  }
  const page = await browser.get(path)
  expect(plainText(page)).toMatch(new RegExp(`Earlier short URLs [\\d.:]+/${old} `))
  const title = 'Title: “All of it” → none'
  const expiry = 'Expires: Dec 31, 2999, 18:00 UTC → never'
  expectPage(page, 200, title, expiry, 'QR code: on → off', 'Dashboard', 'Created')
})

test('replaces and removes the image', async () => {
  const image = new File([PNG], 'a.png')
  const path = await create({ is_custom_preview: 'true', preview_image: image })
  await edit(path, { preview_image: new File([SVG], 'b.svg') })
  expect((await rowAt(path)).preview_image_type).toBe('image/svg+xml')
  await edit(path, { remove_image: 'true' })
  const removed = { preview_image_type: null, is_custom_preview: 0, revision: 3 }
  expect(await rowAt(path)).toMatchObject(removed)
})

test('adds UTM parameters and a preview to a link that had none, and they take effect', async () => {
  const path = await create()
  await edit(path, { utm_source: 'poster', preview_title: 'Look' })
  expect(await rowAt(path)).toMatchObject({ utm_analytics_enabled: 1, is_custom_preview: 1 })
})

test('shows errors at their fields and keeps what was typed', async () => {
  const path = await create()
  const taken = (await rowAt(await create())).back_half
  const invalid = await edit(path, { destination_url: '', title: 'typed <b>' })
  expect(invalid.status).toBe(422)
  expect(invalid.text).toContain('id="destination_url-error">This field can’t be empty.</small>')
  expect(invalid.text).toContain('value="typed &lt;b>"')
  const conflict = await edit(path, { back_half: taken })
  expectPage(conflict, 409, 'This back-half is taken on this domain.')
  const existing = await linkAt(service.database, taken)
  const duplicate = await edit(path, { destination_url: existing.destination_url })
  expect(duplicate.status).toBe(409)
  expect(duplicate.text).toContain(`href="/dashboard/links/${existing.id}"`)
  expect((await rowAt(path)).revision).toBe(1)
})

test('a stale edit changes nothing, shows what the link has now, and keeps what was typed', async () => {
  const path = await create({ title: 'Before', utm_source: 'old' })
  const form = await browser.get(`${path}/edit`)
  await patch(path, { title: 'Theirs', utm_source: 'new' })
  const stale = await edit(path, { title: 'Mine', preview_title: 'Typed' }, form)
  const changed = ['The link now has “Theirs”.', 'The link now has “new”.']
  expectPage(stale, 412, ...changed, 'The link now has nothing here.')
  expect(stale.text).toContain(`href="${path}"`)
  expect(await rowAt(path)).toMatchObject({ title: 'Theirs', utm_source: 'new', revision: 2 })
  const shown = formTo(`${path}/edit`, stale)
  expect([shown.get('title'), shown.get('utm_source')]).toEqual(['Mine', 'old'])
  expect((await edit(path, { utm_source: 'new' }, stale)).status).toBe(303)
  const saved = { title: 'Mine', utm_source: 'new', preview_title: 'Typed', revision: 3 }
  expect(await rowAt(path)).toMatchObject(saved)
})

test('a form that is submitted twice is saved once', async () => {
  const path = await create()
  const form = await browser.get(`${path}/edit`)
  const pages = await Promise.all([1, 2].map(() => edit(path, { title: 'Twice' }, form)))
  expect(pages.map(({ status }) => status)).toEqual([303, 303])
  expect((await rowAt(path)).revision).toBe(2)
})

test('turns a link off and on again, even if a key changes it after every look at it', async () => {
  const path = await create()
  for (const [action, status, shown] of [
    ['turn-off', 410, 'Turned off'],
    ['turn-on', 302, 'Active'],
  ] as const) {
    const page = await browser.get(path)
    await patch(path, { title: `Before ${action}` })
    const done = await browser.submit(`${path}/${action}`, {}, page)
    expect([done.status, done.location]).toEqual([303, path])
    expect(await statusOf(path)).toBe(status)
    expect((await browser.get(path)).text).toContain(`>${shown}</span>`)
    expect((await rowAt(path)).title).toBe(`Before ${action}`)
    const turnsOff = (await browser.get(`${path}/delete`)).text.includes('turn it off')
    expect(turnsOff).toBe(status === 302)
  }
  // A second click does nothing.
  expect((await browser.post(`${path}/turn-on`)).status).toBe(303)
  expect((await rowAt(path)).revision).toBe(5)
  expect((await browser.get(path)).text).toContain('<bdi>Turned off</bdi>')
})

test('says once, on the page of the link alone, what was just done', async () => {
  const NOTICE = /class="notice"[^]*?<bdi>([^<]+)<\/bdi>([^<]+)/
  const noticeAt = async (page: string) => {
    const [, shownUrl = '', done = ''] = NOTICE.exec((await browser.get(page)).text) ?? []
    return done && `${shownUrl.split('/').at(-1)} ${done.trim()}`
  }
  const other = await create()
  const fields = { destination_url: 'https://example.com/noticed', back_half: 'noticed' }
  const { location } = await browser.submit('/dashboard/links/new', fields)
  const path = location ?? ''
  const saves = (title: string) => edit(path, { title })
  const presses = (action: string) => browser.post(`${path}/${action}`)
  for (const [notice, act] of [
    ['noticed was created.', () => undefined],
    ['', () => undefined],
    ['', () => saves('')],
    ['noticed was changed.', () => saves('New')],
    ['noticed was turned off.', () => presses('turn-off')],
    ['', () => presses('turn-off')],
    ['noticed was turned on.', () => presses('turn-on')],
  ] as const) {
    await act()
    expect(await noticeAt('/dashboard')).toBe('')
    expect(await noticeAt(other)).toBe('')
    expect(await noticeAt(path)).toBe(notice)
    expect(await noticeAt(path)).toBe('')
  }
  const { headers } = await presses('turn-off')
  expect(headers.get('set-cookie')).toContain(
    `backhalf_notice=${encodeURIComponent(`turn-off ${path}`)}; Max-Age=60; Path=/dashboard; HttpOnly; SameSite=Strict`,
  )
  browser.cookies.set('backhalf_notice', encodeURIComponent(`forged ${path}`))
  expect(await noticeAt(path)).toBe('')
})

test('deletes a link after a confirmation, and keeps a page about it', async () => {
  const path = await create({ title: 'Secret plan' })
  const { back_half: backHalf } = await rowAt(path)
  const asked = await browser.get(`${path}/delete`)
  expect(asked.text).toContain(`Delete ${new URL(service.baseUrl).host}/${backHalf}?`)
  expect(asked.text.replaceAll(/\s+/g, ' ')).toContain('will never lead anywhere again')
  expect(asked.text).toContain('0 clicks by people')
  await patch(path, { title: 'Changed' })
  const { destination_url: destination } = await rowAt(path)
  const done = plainText(await browser.submit(`${path}/delete`, {}, asked))
  expect(done).toMatch(
    new RegExp(
      `Deleted .*/${backHalf} was deleted\\. .*/${backHalf} Title Changed Destination ${destination} Clicks`,
    ),
  )
  expect(await statusOf(path)).toBe(410)
  const { status, text } = await browser.get(path)
  expect(status).toBe(200)
  expect(text).toContain(`/${backHalf}`)
  expect(text).toContain('<bdi>Deleted</bdi>')
  expect(text).not.toMatch(/Secret plan|Changed”|Edit<\/a>/)
  // A second click leads to the same page, and nothing can be changed anymore.
  for (const action of ['delete', 'turn-off']) {
    expect((await browser.post(`${path}/${action}`)).location).toBe(path)
  }
  for (const gone of ['edit', 'qr.png']) {
    expect((await browser.get(`${path}/${gone}`)).status).toBe(404)
  }
  expect((await browser.get('/dashboard?state=deleted')).text).toContain(`href="${path}"`)
})

test('shows and changes the time of an expiry, which is in UTC', async () => {
  const path = await create({ expires_at: '2999-12-31T18:00:30Z' })
  expect((await edit(path, {})).status).toBe(303)
  expect((await rowAt(path)).expires_at).toBe(Date.UTC(2999, 11, 31, 18, 0, 30))
  expect((await edit(path, { expires_at: '2999-12-31T06:15' })).status).toBe(303)
  expect((await rowAt(path)).expires_at).toBe(Date.UTC(2999, 11, 31, 6, 15))
  for (const page of [path, '/dashboard?sort=newest']) {
    expect(plainText(await browser.get(page))).toMatch(/Expires\s+Dec 31, 2999\s*, 06:15 UTC/)
  }
})

test('an expired link can be edited, and revived', async () => {
  const path = await create({ back_half: 'expired' })
  await changeLink(service.database, 'expired', { expires_at: 1 })
  expectPage(await browser.get(path), 200, 'Expired')
  expectPage(await edit(path, { expires_at: '1970-01-01T00:01' }), 422, 'Use a time in the future')
  expect((await edit(path, { title: 'Still expired' })).status).toBe(303)
  expect((await edit(path, { expires_at: '' })).status).toBe(303)
  expect(await rowAt(path)).toMatchObject({ expires_at: null, title: 'Still expired' })
})

test('the page of an earlier short URL leads to its link, and so do the list and the export', async () => {
  const path = await create({ back_half: 'before' })
  await edit(path, { back_half: 'moved' })
  expect((await browser.get('/dashboard?q=before')).text).toContain(`href="${path}"`)
  expect((await browser.get('/dashboard/links.csv?q=before')).text).toContain(idIn(path))
  const aliases = service.database.db.selectFrom('links').select('id')
  const { id } = await aliases.where('alias_of', '=', idIn(path)).executeTakeFirstOrThrow()
  expect((await browser.get(`/dashboard/links/${id}`)).location).toBe(path)
})

test('a link of another owner can only move to a domain that this owner can use', async () => {
  const { db } = service.database
  const other = await addOwner(db, { kind: 'organization', name: 'Other', created_at: 1 })
  await addDomainRecord(service.database, 'theirs', other.id)
  const path = await create()
  expect((await edit(path, { domain: 'theirs' })).status).toBe(422)
  await db.updateTable('domains').set({ owner_id: null }).where('id', '=', 'theirs').execute()
  expect((await edit(path, { domain: 'theirs' })).status).toBe(303)
  expect(await rowAt(path)).toMatchObject({ domain_id: 'theirs', hostname: 'theirs.example' })
})
