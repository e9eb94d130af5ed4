import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browse, signedIn, type Browsing } from '../../support/dashboard.ts'
import { getList, postForm } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

let service: RunningService
let browsing: Browsing
let ownerId: string

beforeAll(async () => {
  service = await startService()
  browsing = await signedIn(service)
  const { id } = await service.database.db
    .selectFrom('owners')
    .select('id')
    .executeTakeFirstOrThrow()
  ownerId = id
  await shorten('spring', {
    title: 'Spring <script>alert(1)</script> sale',
    qr_code_enabled: 'true',
  })
  for (let at = 0; at < 26; at++) await shorten(`page-${at}`, { title: `100%_${at}` })
})
afterAll(() => service.close())

async function shorten(back_half: string, more: Record<string, string>): Promise<void> {
  const destination_url = `https://example.com/${back_half}`
  const answer = await postForm(service, { destination_url, domain: 'default', back_half, ...more })
  expect(answer.status).toBe(200)
}

const asKey = (key: string) => ({ baseUrl: service.baseUrl, apiKey: key })
const keyIn = (text: string) => /bh_\w{38}/.exec(text)?.[0] ?? ''

test('pages are kept nowhere, and run nothing but the copy button', async () => {
  const { headers } = await browsing.get('/dashboard')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none';style-src 'sha256-[^;]+';script-src 'sha256-[^;]+';img-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'$/,
  )
})

test('links are paged, newest first', async () => {
  const first = await browsing.get('/dashboard')
  expect(first.text).toContain('27 links')
  expect(first.text).toContain('Page 1 of 2')
  expect(first.text).toContain('/page-25</a>')
  expect(first.text).not.toContain('/spring</a>')
  expect((await browsing.get('/dashboard?sort=newest&page=2')).text).toContain('/spring</a>')
})

test('a page past the end is the last one', async () => {
  const { text } = await browsing.get('/dashboard?page=99')
  expect(text).toContain('Page 2 of 2')
  expect(text).toContain('/spring</a>')
})

test.each(['/dashboard/nothing', '/dashboard/links/none', '/dashboard/keys/none/revoke'])(
  '%s says so, and leads back',
  async (path) => {
    const { status, text } = await browsing.get(path)
    expect(status).toBe(404)
    expect(text).toContain('There is nothing here.')
    expect(text).toContain('Go back to the list')
  },
)

test('every page says which product it is', async () => {
  const signIn = await browse(service).get('/dashboard/sign-in')
  for (const { text } of [signIn, await browsing.get('/dashboard')]) {
    expect(text).toMatch(/<span class="brand"><img [^>]+\/>Backhalf<\/span>/)
  }
})

test('what people typed is text, not markup', async () => {
  const { text } = await browsing.get('/dashboard?q=spring')
  expect(text).toContain('Spring &lt;script>alert(1)&lt;/script> sale')
  expect(text).not.toContain('<script>alert')
})

test.each([
  ['SPRING', '1 link with “SPRING”'],
  ['100%_', '26 links with “100%_”'],
  ['page_1', 'No link holds “page_1”.'],
  ['"><img>', 'No link holds “&quot;>&lt;img>”.'],
])('a search for %s', async (text, said) => {
  const page = await browsing.get(`/dashboard?${new URLSearchParams({ q: text }).toString()}`)
  expect(page.text).toContain(said)
})

test.each(['page=0', 'page=x', 'sort=drop', 'page=99999999999', 'q=a&q=b', `q=${'x'.repeat(300)}`])(
  'an address that makes no sense (%s) still shows a page',
  async (query) => {
    expect((await browsing.get(`/dashboard?${query}`)).status).toBe(200)
  },
)

test('a link’s page has its QR code, to be downloaded', async () => {
  const list = await browsing.get('/dashboard?q=spring')
  const path = /href="(\/dashboard\/links\/[^"/]+)"/.exec(list.text)?.[1] ?? ''
  const page = await browsing.get(path)
  expect(page.text).toContain('QR code of ')
  expect(page.text).toContain('Nobody has followed this link yet.')
  expect((await browsing.get(`${path}/qr.png`)).headers.get('content-type')).toBe('image/png')
  expect((await browsing.get(`${path}/qr.svg`)).text).toMatch(/^<svg/)
})

test('a link’s page counts all clicks of people, and shows the last days with any', async () => {
  const list = await browsing.get('/dashboard?q=page-7')
  const [, path = '', id = ''] = /href="(\/dashboard\/links\/([^"/]+))"/.exec(list.text) ?? []
  const days = Array.from({ length: 31 }, (_, at) => new Date(at * 86_400_000).toISOString())
  const rows = days.map((day) => ({ link_id: id, day: day.slice(0, 10), people: 50, bots: 1 }))
  await service.database.db.insertInto('clicks').values(rows).execute()
  await service.database.db
    .insertInto('click_totals')
    .values({ link_id: id, people: 1550 })
    .execute()
  const { text } = await browsing.get(path)
  expect(text).toContain('People followed this link 1,550 times. Programs, such as crawlers')
  expect(text).toContain('Below are the last 30 days with any.')
  expect(text).not.toContain('1970-01-01')
})

test('a key is made, shown once, works, and is rotated and revoked', async () => {
  await browsing.get('/dashboard/keys')
  const made = await browsing.post('/dashboard/keys', {
    name: 'Website',
    description: 'The shop’s footer',
    owner: ownerId,
    permissions: 'read_only',
    expires: '30',
  })
  const key = keyIn(made.text)
  expect((await getList(asKey(key))).status).toBe(200)
  expect((await postForm(asKey(key), {})).status).toBe(403)
  const list = await browsing.get('/dashboard/keys')
  expect(list.text).toContain('Website')
  expect(list.text).toContain('The shop’s footer')
  expect(list.text).not.toContain(key)

  const rotate = /href="(\/dashboard\/keys\/[^"/]+\/rotate)" aria-label="Rotate: Website"/
  const path = rotate.exec(list.text)?.[1] ?? ''
  expect((await browsing.get(path)).text).toContain('The old one ends at once')
  const renewed = keyIn((await browsing.post(path)).text)
  expect((await getList(asKey(key))).status).toBe(401)
  expect((await getList(asKey(renewed))).status).toBe(200)

  const again = rotate.exec((await browsing.get('/dashboard/keys')).text)?.[1] ?? ''
  const revoke = again.replace('rotate', 'revoke')
  const asked = await browsing.get(revoke)
  expect(asked.text).toContain('Revoke “Website”?')
  expect(asked.text).toContain(`<code>${renewed.slice(0, 8)}…</code>`)
  expect((await browsing.post(revoke)).location).toBe('/dashboard/keys')
  expect((await getList(asKey(renewed))).status).toBe(401)
})

test('a form that is sent twice makes one key, and says so', async () => {
  await browsing.get('/dashboard/keys')
  const wish = { name: 'Twice', owner: ownerId, permissions: 'all', expires: '' }
  const send = () => browsing.post('/dashboard/keys', wish)
  const answers = await Promise.all([send(), send()])
  const [first, second] = answers.sort((a, b) => a.status - b.status)
  expect([first.status, second.status]).toEqual([200, 409])
  expect(second.text).toContain('That form was sent before, and its key was made then.')
  expect(second.text.match(/"Rotate: Twice"/g)).toHaveLength(1)

  const path = /href="(\/dashboard\/keys\/[^"/]+\/rotate)" aria-label="Rotate: Twice"/.exec(
    second.text,
  )?.[1]
  expect((await browsing.post(path ?? '')).status).toBe(200)
  const again = await browsing.post(path ?? '')
  expect(again.status).toBe(409)
  expect(again.text).toContain('That key ended before.')
  expect(again.text.match(/"Rotate: Twice"/g)).toHaveLength(1)
})

test('a form whose key could not be written can be sent again', async () => {
  const { db } = service.database
  const fields = { name: 'at last', owner: ownerId, permissions: 'all', expires: '' }
  await browsing.get('/dashboard/keys')
  await sql`create trigger full before insert on api_keys begin select raise(abort, 'full'); end`.execute(
    db,
  )
  const failed = await browsing.post('/dashboard/keys', fields)
  await sql`drop trigger full`.execute(db)
  expect(failed.status).toBe(500)
  expect(keyIn((await browsing.post('/dashboard/keys', fields)).text)).not.toBe('')
})

test('a restricted key does what was ticked', async () => {
  await browsing.get('/dashboard/keys')
  const made = await browsing.post('/dashboard/keys', {
    name: 'Writer',
    owner: ownerId,
    permissions: 'restricted',
    scopes: ['shortlinks:create'],
    domains: ['default'],
  })
  const key = keyIn(made.text)
  expect((await getList(asKey(key))).status).toBe(403)
  const wish = { destination_url: 'https://example.com/writer', domain: 'default' }
  expect((await postForm(asKey(key), wish)).status).toBe(200)
})

test.each([
  ['permissions', { permissions: 'everything' }, 'Permissions are all, read-only or restricted.'],
  ['expires', { expires: '1e300' }, 'Choose when it ends.'],
  ['owner', { owner: 'nobody' }, 'Choose an owner.'],
  ['domains', { domains: 'nowhere' }, 'has no domain record “nowhere”.'],
])('a key is not made with %s that the form does not offer', async (_name, odd, said) => {
  await browsing.get('/dashboard/keys')
  const wish = { name: 'Odd', owner: ownerId, permissions: 'restricted', scopes: 'shortlinks:read' }
  const { status, text } = await browsing.post('/dashboard/keys', { ...wish, ...odd })
  expect(status).toBe(422)
  expect(text).toContain(said)
  expect(keyIn(text)).toBe('')
})

test('a domain record is shared with everybody on purpose only', async () => {
  await browsing.get('/dashboard/domains')
  const wish = { hostname: 'secret.example', owner: 'nobody' }
  const { status, text } = await browsing.post('/dashboard/domains', wish)
  expect(status).toBe(422)
  expect(text).toContain('Choose who may use it.')
})

test('what is wrong stands at its field, and nothing typed is lost', async () => {
  await browsing.get('/dashboard/keys')
  const { status, text } = await browsing.post('/dashboard/keys', {
    name: '',
    description: 'kept & safe',
    owner: ownerId,
    permissions: 'restricted',
  })
  expect(status).toBe(422)
  expect(text).toContain('Give it a name, so that you know it again.')
  expect(text).toContain('A restricted key needs at least one scope')
  expect(text).toContain('value="kept &amp; safe"')
  // The form is below all keys: the page opens at the first fault.
  expect(/<input [^>]*autofocus/.exec(text)?.[0]).toContain('name="name"')
  expect((await browsing.get('/dashboard/keys')).text).not.toContain('autofocus')
})

test('a domain is added, and can be used at once', async () => {
  await browsing.get('/dashboard/domains')
  const refused = await browsing.post('/dashboard/domains', {
    hostname: 'https://go.example/',
    id: 'a b',
  })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('is no hostname')
  expect(refused.text).toContain('An ID is letters, digits')
  const added = await browsing.post('/dashboard/domains', {
    hostname: 'Go.Example',
    id: 'go',
    owner: '',
  })
  expect(added.location).toBe('/dashboard/domains')
  const answer = await postForm(service, {
    destination_url: 'https://example.com/go',
    domain: 'go',
  })
  expect(answer.body).toMatchObject({
    data: {
      shortlink: { shortlink_url: expect.stringContaining('https://go.example/') as string },
    },
  })
  await browsing.get('/dashboard/domains')
  const twice = await browsing.post('/dashboard/domains', { hostname: 'go.example', id: 'go' })
  expect(twice.text).toContain('There is a domain record “go” already. Choose another ID.')
})
