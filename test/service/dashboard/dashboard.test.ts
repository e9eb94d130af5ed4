import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { addClicks } from '../../../src/service/store/clicks.ts'
import type { LinkRow } from '../../../src/service/store/links.ts'
import {
  expectPage,
  isSignedIn,
  plainText,
  requestSignIn,
  signedInMember,
  type Page,
} from '../../support/dashboard.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { withDashboard } from '../../support/fixtures.ts'
import { changeLink, linkAt } from '../../support/links.ts'
import { addDomainRecord, addLinks, linkRow } from '../../support/rows.ts'
import { call, getList, newLink, postForm, shorten } from '../../support/service-calls.ts'

const { test, service, browser } = withDashboard()
const inDns = withDashboard({ publicUrl: 'https://go.example.com' })

test.beforeAll(async ({ browser: _signedIn }) => {
  const title = 'Spring <script>alert(1)</script> sale'
  await shorten(service, 'spring', { title, qr_code_enabled: 'true' })
  for (let at = 0; at < 26; at++) await shorten(service, `page-${at}`, { title: `100%_${at}` })
})

const asKey = (apiKey: string) => ({ baseUrl: service.baseUrl, apiKey })
const keyIn = (text: string) => /bh_\w{38}/.exec(text)?.[0] ?? ''

test('pages are not cached, and only those with something to copy run a script', async () => {
  const noScript =
    /^default-src 'none';style-src 'sha256-[^;]+';img-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'$/
  const oneScript = /;frame-ancestors 'none';script-src 'sha256-[^; ]+'$/
  const { id } = await linkAt(service.database, 'spring')
  for (const [path, policy] of [
    ['/dashboard/keys', noScript],
    ['/dashboard?q=nothing', noScript],
    ['/dashboard', oneScript],
    [`/dashboard/links/${id}`, oneScript],
  ] as const) {
    const { headers, text } = await browser.get(path)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toMatch(policy)
    expect(text.match(/<script/g) ?? []).toHaveLength(policy === noScript ? 0 : 1)
  }
  await browser.get('/dashboard/keys')
  const key = { name: 'To copy', owner: service.ownerId, permissions: 'all' }
  const { headers } = await browser.post('/dashboard/keys', key)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toMatch(oneScript)
})

test('lists links in pages, newest first', async () => {
  const first = await browser.get('/dashboard')
  expect(first.text).toContain('27 links')
  expect(first.text).toContain('Page 1 of 2')
  expect(first.text).toContain('/page-25</bdi>')
  expect(first.text).toMatch(/<span class="brand"><svg [^>]+>.+<\/svg>Backhalf<\/span>/)
  expect(first.text).not.toContain('/spring</bdi>')
  expect((await browser.get('/dashboard?sort=newest&page=2')).text).toContain('/spring</bdi>')
})

test('filters by owner, domain and state, and keeps the filters in its pages', async () => {
  const query = `q=page&owner=${service.ownerId}&domain=default&state=active&sort=oldest`
  const { text } = await browser.get(`/dashboard?${query}`)
  expect(text).toContain('26 links for “page”')
  expect(text).toContain(`href="/dashboard?${query.replaceAll('&', '&amp;')}&amp;page=2"`)
  for (const chosen of ['active', 'default', service.ownerId]) {
    expect(text).toContain(`<option value="${chosen}" selected>`)
  }
  expectPage(await browser.get('/dashboard?owner=unknown'), 200, 'Unknown workspace')
  expectPage(await browser.get('/dashboard?state=off'), 200, 'No links match these filters.')
})

test('shows which links are off, expire or have expired, and only the short URL and dates of deleted ones', async () => {
  const list = async (query: string) => (await browser.get(`/dashboard?${query}`)).text
  const change = (values: Partial<LinkRow>) => changeLink(service.database, 'page-3', values)
  await change({ enabled: 0 })
  expect(await list('state=off')).toContain('>Turned off</span>')
  await change({ enabled: 1, expires_at: Date.UTC(2999, 11, 24) })
  expect(await list('q=page-3')).toMatch(
    /Expires <time[^>]*>Dec 24, 2999<\/time><span class="hour">, 00:00 UTC</,
  )
  await change({ enabled: 0, expires_at: 1 })
  expect(await list('state=expired')).toContain('>Expired</span>')
  expect(await list('state=active')).toContain('26 links')
  await change({ enabled: 1, expires_at: null })
  const deleted = { owner_id: service.ownerId, deleted_at: 86_400_000 }
  await addLinks(service.database, linkRow('gone', deleted))
  const text = await list('state=deleted&q=gone')
  expect(text).toContain('1 link for “gone”')
  expect(text).toContain('Jan 2, 1970')
  expect(text).not.toContain('Destination</th>')
  expect(await list('')).toContain('27 links')
})

test.each(['/dashboard/nothing', '/dashboard/links/none', '/dashboard/keys/none/revoke'])(
  '%s is a 404 page that links back',
  async (path) => {
    expectPage(await browser.get(path), 404, 'Page not found', 'Go back to the list')
  },
)

test('shows what users entered as text, not as markup, and a button for scripts that copies the short URL', async () => {
  const { text } = await browser.get('/dashboard?q=spring')
  const url = `${service.baseUrl}/spring`
  expect(text).toMatch(new RegExp(`data-copy="${url}" aria-label="Copy: [^"]+/spring" hidden`))
  expect(text).toContain('Spring &lt;script>alert(1)&lt;/script> sale')
  expect(text).not.toContain('<script>alert')
})

test.each([
  ['SPRING', '1 link for “SPRING”'],
  ['100%_', '26 links for “100%_”'],
  ['"><img>', 'No links match “&quot;>&lt;img>”.'],
  ['ab', 'Type at least 3 characters to search.'],
])('searches for %s', async (text, summary) => {
  const page = await browser.get(`/dashboard?${new URLSearchParams({ q: text }).toString()}`)
  expect(page.text).toContain(summary)
})

test.each([
  ...['page=0', 'page=x', 'page=99999999999', 'sort=drop', 'state=drop', 'owner=%00'],
  ...['domain=a&domain=b', 'q=a&q=b', `q=${'x'.repeat(300)}`],
])('ignores the invalid query %s', async (query) => {
  expect((await browser.get(`/dashboard?${query}`)).status).toBe(200)
})

test('the page of a link shows its QR code and offers it for download', async () => {
  const path = `/dashboard/links/${(await linkAt(service.database, 'spring')).id}`
  const page = await browser.get(path)
  expect(page.text).toContain('<h1><bdi>Spring &lt;script>alert(1)&lt;/script> sale</bdi></h1>')
  expect(page.text).toContain('QR code of ')
  expect(page.text).toContain('No clicks yet.')
  expect((await browser.get(`${path}/qr.png`)).headers.get('content-type')).toBe('image/png')
  const svg = await browser.get(`${path}/qr.svg`)
  expect(svg.text).toMatch(/^<svg/)
  // The color and the back-half can change.
  expect(svg.headers.get('cache-control')).toBe('private, no-cache')
})

test('the page of a link shows 90 days of clicks as a chart and a table, and where people came from', async () => {
  const { id } = await linkAt(service.database, 'page-7')
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  await service.database.write(
    addClicks([
      { link_id: id, day: ago(0), people: 30, bots: 1, hosts: new Map([['news.example', 20]]) },
      { link_id: id, day: ago(89), people: 1_500, bots: 4 },
      { link_id: id, day: ago(91), people: 20, bots: 0, hosts: new Map([['old.example', 20]]) },
    ]),
  )
  const page = await browser.get(`/dashboard/links/${id}`)
  expect(page.text).toContain('<svg class="chart"')
  expectPage(
    page,
    200,
    'Today 30 7 days 30 30 days 30 All time 1,550',
    'In the last 90 days: 1,530 clicks by people, and 5 by bots',
    '(UTC): 1,530 clicks by people',
    'Site Clicks news.example 20',
    '1,510 other clicks: from more sites',
  )
  expect(page.text).not.toContain('old.example')
})

/** The address of a link to an action with a key. */
async function pathOf(action: string): Promise<string> {
  const { text } = await browser.get('/dashboard/keys')
  return new RegExp(`href="([^"]+)" aria-label="${action}"`).exec(text)?.[1] ?? ''
}

/** Fills in the form for a new key, and submits it. */
const createKey = (fields: Record<string, string | string[]>, form?: Page) =>
  browser.submit('/dashboard/keys', { owner: service.ownerId, ...fields }, form)

test('creates a key that can do what was selected, shows it once, rotates it and revokes it', async () => {
  const created = await createKey({
    name: 'Website',
    description: 'The shop’s footer',
    permissions: 'restricted',
    scopes: ['shortlinks:read'],
    domains: ['default'],
    expires: '30',
  })
  const key = keyIn(created.text)
  expect((await getList(asKey(key))).status).toBe(200)
  expect((await postForm(asKey(key), {})).status).toBe(403)
  const list = await browser.get('/dashboard/keys')
  expectPage(list, 200, 'Website', 'The shop’s footer', 'shortlinks:read, on some domains')
  expect(list.text).not.toContain(key)

  const renewed = keyIn((await browser.submit(await pathOf('Rotate: Website'))).text)
  expect((await getList(asKey(key))).status).toBe(401)
  expect((await getList(asKey(renewed))).status).toBe(200)

  const revoke = await pathOf('Revoke: Website')
  const asked = await browser.get(revoke)
  expectPage(asked, 200, 'Revoke “Website”?', ` ${renewed.slice(0, 8)}… `)
  expect((await browser.post(revoke)).location).toBe('/dashboard/keys')
  expect((await getList(asKey(renewed))).status).toBe(401)
})

test('creates one key if the form is submitted twice, and says so', async () => {
  const form = await browser.get('/dashboard/keys')
  const send = () => createKey({ name: 'Twice' }, form)
  const responses = await Promise.all([send(), send()])
  const [first, second] = responses.sort((a, b) => a.status - b.status)
  expect([first.status, second.status]).toEqual([200, 409])
  expect(second.text).toContain('You already submitted this form, and the key was created.')
  expect(second.text.match(/"Rotate: Twice"/g)).toHaveLength(1)
})

test('a rotated key works for the days that were chosen, and the form creates one new key', async () => {
  const old = keyIn((await createKey({ name: 'Overlap', expires: '30' })).text)
  const path = await pathOf('Rotate: Overlap')
  const form = await browser.get(path)
  const send = () => browser.submit(path, { keep: '7' }, form)
  const renewed = keyIn((await send()).text)
  expectPage(await send(), 409, 'this key is no longer valid.')
  const keys = service.database.db.selectFrom('api_keys').select('expires_at')
  const rows = await keys.where('name', '=', 'Overlap').orderBy('id').execute()
  const days = rows.map(({ expires_at }) => ((expires_at ?? 0) - Date.now()) / 86_400_000)
  expect(days.map(Math.round)).toEqual([7, 30])
  for (const key of [old, renewed]) expect((await getList(asKey(key))).status).toBe(200)
})

test('lets the form be submitted again if the key could not be written', async () => {
  const { db } = service.database
  const form = await browser.get('/dashboard/keys')
  const fail = sql`create trigger full before insert on api_keys begin select raise(abort, 'full'); end`
  await fail.execute(db)
  const failed = await createKey({ name: 'at last' }, form)
  await sql`drop trigger full`.execute(db)
  expect(failed.status).toBe(500)
  expect(keyIn((await createKey({ name: 'at last' }, form)).text)).not.toBe('')
})

test('creates a key that might also sign people in', async () => {
  const { text } = await createKey({ name: 'Other app', scopes: 'dashboard:sign_in' })
  expect((await requestSignIn(asKey(keyIn(text)))).status).toBe(201)
  expectPage(await browser.get('/dashboard/keys'), 200, 'All, dashboard:sign_in')

  const stop = await pathOf('Stop sign-in: Other app')
  const allow = stop.replace('stop', 'allow')
  const member = await signedInMember(asKey(keyIn(text)))
  expectPage(await browser.get(stop), 200, 'Stop sign-in with “Other app”?')
  expect(await isSignedIn(member)).toBe(true)
  expect((await browser.post(stop)).location).toBe('/dashboard/keys')
  expect(await isSignedIn(member)).toBe(false)
  expect((await requestSignIn(asKey(keyIn(text)))).status).toBe(403)
  await browser.post(allow)
  expect((await requestSignIn(asKey(keyIn(text)))).status).toBe(201)
  expect(await isSignedIn(member)).toBe(false)
  await browser.post(await pathOf('Revoke: Other app'))
  expect((await browser.post(allow)).status).toBe(409)
})

test.each([
  ['expires', { expires: '1e300' }, 'Choose when the key expires.'],
  ['owner', { owner: 'unknown' }, 'Choose a workspace.'],
])('creates no key with %s that the form does not offer', async (_name, odd, error) => {
  const page = await createKey({ name: 'Odd', ...odd })
  expectPage(page, 422, error)
  expect(keyIn(page.text)).toBe('')
})

test.each([{ owner: 'unknown' }, { owner: '' }, { owner: undefined }])(
  'does not share a domain record with everyone by mistake: %j',
  async (owner) => {
    const fields = { hostname: 'secret.example', ...owner }
    const { status, text } = await browser.submit('/dashboard/domains', fields)
    expect(status).toBe(422)
    expect(text).toContain('<small class="error" id="owner-error">Choose who can use it.</small>')
    expect(text).toContain('value="secret.example"')
  },
)

test('shows errors at their fields and keeps what was entered', async () => {
  const fields = { description: 'still here & safe', permissions: 'restricted' }
  const page = await createKey(fields)
  const name = 'Enter a name, so that you recognize the key later.'
  expectPage(page, 422, name, 'A restricted key needs at least one scope')
  expect(page.text).toContain('value="still here &amp; safe"')
  // The form is below all keys, so the page opens at the first error.
  expect(/<input [^>]*autofocus/.exec(page.text)?.[0]).toContain('name="name"')
  expect((await browser.get('/dashboard/keys')).text).not.toContain('autofocus')
})

test('adds a domain that can be used immediately', async () => {
  const wrong = { hostname: 'https://go.example/', id: '..', owner: 'everyone' }
  const rejected = await browser.submit('/dashboard/domains', wrong)
  expectPage(rejected, 422, 'is not a hostname', 'An ID can have at most 75 characters')
  const corrected = { hostname: 'Go.Example', id: 'go' }
  const added = await browser.submit('/dashboard/domains', corrected, rejected)
  expect(added.location).toBe('/dashboard/domains/go')
  const page = await browser.get('/dashboard/domains/go')
  expectPage(page, 200, 'go.example was added.', 'DNS was not checked', 'Everyone', '0 links')
  const { shortlink_url: url } = await newLink(service, { domain: 'go' })
  expect(url).toContain('https://go.example/')
  const list = await browser.get('/dashboard/domains')
  expect(list.text).toContain('<a href="/dashboard?domain=go">1 link</a>')
  const twice = await browser.submit('/dashboard/domains', { ...corrected, owner: 'everyone' })
  expect(twice.text).toContain('The domain record “go” already exists. Choose another ID.')
})

inDns.test(
  'says which DNS record a new domain needs, and then that it is correct',
  async ({ browser }) => {
    const zone: Parameters<typeof startDnsServer>[0] = { 'go.example.com': { A: ['203.0.113.7'] } }
    const dns = await startDnsServer(zone)
    onTestFinished(() => dns.close())
    const fields = { hostname: 's.example.com', owner: 'everyone' }
    const { location } = await browser.submit('/dashboard/domains', fields)
    const at = location ?? ''
    const create = 'Create a CNAME record for s.example.com with the value go.example.com.'
    expectPage(await browser.get(at), 200, create)
    zone['s.example.com'] = { CNAME: 'go.example.com' }
    const { text } = await browser.get(at)
    expect(text).not.toContain(create)
    expect(text).toContain('s.example.com leads to 203.0.113.7.')
    expect(text).toContain('<a href="https://s.example.com/">')
  },
)

test('sets where a hostname leads, which takes effect before the page says so', async () => {
  const at = '/dashboard/domains/default'
  const visit = async (path: string) => {
    const { status, headers } = await call(service.baseUrl + path)
    return headers.get('location') ?? status
  }
  const page = await browser.get(at)
  expect(plainText(page)).not.toMatch(/DNS|Remove/)
  const wrong = { home_url: 'https://home.example', not_found_url: `${service.baseUrl}/spring` }
  const rejected = await browser.post(at, wrong)
  expect(rejected.status).toBe(422)
  expect(rejected.text).toMatch(/id="not_found_url-error">This URL is on a short domain/)
  expect(rejected.text).toContain('value="https://home.example"')
  expect(await visit('/')).toBe(200)
  for (const [home_url, home] of [
    ['https://home.example', 'https://home.example/'],
    ['', 200],
  ] as const) {
    const urls = { home_url, not_found_url: 'https://help.example/' }
    expect((await browser.post(at, urls)).location).toBe(at)
    expect([await visit('/'), await visit('/no-such-link')]).toEqual([home, urls.not_found_url])
    const saved = await browser.get(at)
    expectPage(saved, 200, 'was changed.')
    expect(saved.text).toContain('value="https://help.example/"')
  }
  await browser.post(at)
  expect(await visit('/no-such-link')).toBe(404)
})

test('removes a domain record that never had a link, and says why it keeps others', async () => {
  const remove = async (id: string) => {
    const at = `/dashboard/domains/${id}`
    const { text } = await browser.get(at)
    // A confirmation comes first.
    expect(text).not.toMatch(/<details open/)
    expect(text.includes('Remove domain')).toBe(id === 'gone.example')
    return browser.post(at, { remove: 'true' })
  }
  const fields = { hostname: 'gone.example', owner: service.ownerId }
  const { location } = await browser.submit('/dashboard/domains', fields)
  expectPage(await browser.get(location ?? ''), 200, 'Test workspace')
  expect((await remove('gone.example')).location).toBe('/dashboard/domains')
  expect((await browser.get('/dashboard/domains')).text).not.toContain('gone.example')
  expect((await browser.get('/dashboard/domains/gone.example')).status).toBe(404)

  await addDomainRecord(service.database, 'kept')
  await newLink(service, { domain: 'kept' })
  expectPage(await remove('kept'), 409, '“kept” has links, which would stop working.')
  expect((await browser.get('/dashboard/domains/kept')).status).toBe(200)
})

test('shows many keys and domains on pages', async () => {
  const { db } = service.database
  const key = await db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
  const names = Array.from({ length: 101 }, (_, at) => `zz${String(at).padStart(3, '0')}`)
  const keys = names.map((name) => {
    const id = `ffffffff-0000-7000-8000-000000000${name.slice(2)}`
    return { ...key, id, name, hash: name, revoked_at: null }
  })
  const domains = names.map((id) => {
    return { id, domain_name: `${id}.example`, owner_id: null, created_at: Date.now() }
  })
  await db.insertInto('api_keys').values(keys).execute()
  await db.insertInto('domains').values(domains).execute()
  for (const path of ['/dashboard/keys', '/dashboard/domains']) {
    const first = await browser.get(path)
    const second = await browser.get(`${path}?page=2`)
    expect(first.text).toContain(`href="${path}?page=2"`)
    expect(first.text.includes('The form does not list all')).toBe(path.endsWith('keys'))
    expect(first.text).not.toContain('<bdi>zz100</bdi>')
    expect(second.text).toMatch(/zz100(?:<|\.example)/)
    expect(second.text).toContain(`href="${path}?page=1"`)
  }
  await db.deleteFrom('api_keys').where('id', 'like', 'ffffffff-%').execute()
  await db.deleteFrom('domains').where('id', 'like', 'zz%').execute()
})
