import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { SESSIONS_PATH, SIGN_INS_PATH } from '../../../src/contract/endpoints.ts'
import { SCOPES } from '../../../src/service/store/scopes.ts'
import {
  browse,
  expectPage,
  isSignedIn,
  plainText,
  requestSignIn,
  signedIn,
  signedInMember,
  signInAddress,
  signInCommand,
} from '../../support/dashboard.ts'
import { describeService, withService } from '../../support/fixtures.ts'
import { startService } from '../../support/service.ts'
import {
  call,
  type Caller,
  codeIn,
  errorsIn,
  keyWith,
  newOwner,
  request,
} from '../../support/service-calls.ts'

const MINUTE_MS = 60_000
let now = Date.parse('2027-03-01T12:00:00.000Z')

const insecure = withService({ publicUrl: 'http://go.example.com' })

const GONE = 410

describeService(
  (service) => {
    const endSessions = (query = '', caller: Caller = service) =>
      request(caller, 'DELETE', SESSIONS_PATH + query)

    test('a one-time link says who signs in where, and its button does it, once', async () => {
      const { status, body, headers } = await requestSignIn(service, { role: 'editor' })
      expect(status).toBe(201)
      expect(headers.get('cache-control')).toBe('no-store')
      const { url, expires_at } = (body as { data: { url: string; expires_at: string } }).data
      expect(expires_at).toBe(new Date(now + 5 * MINUTE_MS).toISOString())
      const { pathname, origin } = new URL(url)
      expect(origin).toBe(service.baseUrl)

      // Slack and programs that check links open it, any number of times.
      const tokens = service.database.db.selectFrom('dashboard_tokens').selectAll()
      const before = await tokens.execute()
      for (let visit = 0; visit < 2; visit++) {
        expect((await browse(service).get(pathname)).status).toBe(200)
      }
      expect(await tokens.execute()).toEqual(before)

      const browser = browse(service)
      const page = await browser.get(pathname)
      expectPage(
        page,
        200,
        'Backhalf Sign in Only go on if you are Ana García , because',
        'Name Ana García Workspace Test',
        `Link service ${new URL(service.baseUrl).host} `,
        'You can See, create, change and delete all links ',
        'If other Slack workspaces are connected to it, they share these links.',
        'The naming rules of your workspace don’t apply in the dashboard.',
        'Sign in as Ana García ',
      )
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      // Only the administrator's own link can press its button.
      expect(page.text).not.toContain('<script')

      expect((await browser.post(pathname)).location).toBe('/dashboard')
      expect(await isSignedIn(browser)).toBe(true)
      const replayed = browse(service)
      expect((await replayed.get(pathname)).status).toBe(GONE)
      await replayed.get('/dashboard/sign-in')
      expectPage(await replayed.post(pathname), GONE, 'In Slack, type /shorten dashboard')
      expect(await isSignedIn(replayed)).toBe(false)
    })

    test('if two people press the button at the same time, one is signed in', async () => {
      const path = await signInAddress(service)
      const second = await startService({ databaseUrl: service.databaseUrl, now: () => now })
      onTestFinished(() => second.close())
      const browsers = [browse(service), browse(service), browse(second)]
      for (const browser of browsers) await browser.get(path)
      const pages = await Promise.all(browsers.map((browser) => browser.post(path)))
      expect(pages.map(({ status }) => status).toSorted()).toEqual([303, GONE, GONE])
      const areSignedIn = await Promise.all(browsers.map(isSignedIn))
      expect(areSignedIn.filter(Boolean)).toHaveLength(1)
    })

    test('an address works for five minutes, and a session for an hour', async () => {
      const late = await signInAddress(service)
      const browser = browse(service)
      await browser.get(late)
      now += 5 * MINUTE_MS
      expect((await browser.post(late)).status).toBe(GONE)
      const member = await signedInMember(service)
      now += 60 * MINUTE_MS - 1
      expect(await isSignedIn(member)).toBe(true)
      now += 1
      expect(await isSignedIn(member)).toBe(false)
    })

    test('a clock that is set back makes neither an address nor a session last longer', async () => {
      const path = await signInAddress(service)
      const member = await signedInMember(service)
      now -= 2 * MINUTE_MS
      expect((await browse(service).get(path)).status).toBe(GONE)
      expect(await isSignedIn(member)).toBe(false)
      now += 2 * MINUTE_MS
    })

    test.each<[string, () => Promise<unknown>]>([
      ['is revoked', () => changeKey({ revoked_at: now })],
      ['expires', () => changeKey({ expires_at: now })],
      ['may no longer sign people in', () => changeKey({ scopes: '[]' })],
    ])('addresses and sessions end if their key %s', async (_what, change) => {
      const caller = await keyWith(service, { name: 'ends', scopes: ['dashboard:sign_in'] })
      const [path, member] = [await signInAddress(caller), await signedInMember(caller)]
      const other = await signedInMember(service)
      expect(await isSignedIn(member)).toBe(true)
      await change()
      expect(await isSignedIn(member)).toBe(false)
      expect((await browse(service).get(path)).status).toBe(GONE)
      expect(await isSignedIn(other)).toBe(true)
    })

    const changeKey = (values: object) =>
      service.database.db.updateTable('api_keys').set(values).where('name', '=', 'ends').execute()

    test('the holder of a key with this permission ends the sessions of a person, or all of the key, and no others', async () => {
      const same = await keyWith(service, { scopes: ['dashboard:sign_in'] })
      const [ana, ben] = [await signedInMember(service), await signedInMember(service, BEN)]
      const [address, elsewhere] = [await signInAddress(service), await signedInMember(same)]
      const other = await newOwner(service, 'other')
      expect(codeIn(await endSessions('', other))).toBe('200')
      expect(codeIn(await endSessions('', await keyWith(service)))).toBe('403 PERMISSION_DENIED')
      expect(await Promise.all([ana, ben].map(isSignedIn))).toEqual([true, true])
      expect(codeIn(await endSessions('?person_id=T0TEST-U0ANA'))).toBe('200')
      expect(await Promise.all([ana, ben, elsewhere].map(isSignedIn))).toEqual([false, true, true])
      expect((await browse(service).get(address)).status).toBe(GONE)
      expect(codeIn(await endSessions())).toBe('200')
      expect(await Promise.all([ben, elsewhere].map(isSignedIn))).toEqual([false, true])
    })

    test('the holder of a key ends only the sessions with a role', async () => {
      const admin = await signedInMember(service, { role: 'admin' })
      const editor = await signedInMember(service, { ...BEN, role: 'editor' })
      expect(codeIn(await endSessions('?person_id=T0TEST-U0BEN&role=admin'))).toBe('200')
      expect(await Promise.all([admin, editor].map(isSignedIn))).toEqual([true, true])
      expect(codeIn(await endSessions('?person_id=T0TEST-U0ANA&role=admin'))).toBe('200')
      expect(await Promise.all([admin, editor].map(isSignedIn))).toEqual([false, true])
      expect(codeIn(await endSessions('?role=owner'))).toBe('422 VALIDATION_ERROR')
    })

    test.each([
      [{ scopes: ['dashboard:sign_in'] }],
      [{ scopes: SCOPES.filter((scope) => scope !== 'shortlinks:delete') }],
      [{ scopes: SCOPES, domainIds: ['default'] }],
    ])('an admin can’t sign in with the limited key %j, but an editor can', async (limits) => {
      const limited = await keyWith(service, limits)
      expect(codeIn(await requestSignIn(limited, { role: 'admin' }))).toBe('403 PERMISSION_DENIED')
      expect(codeIn(await requestSignIn(limited, { role: 'editor' }))).toBe('201')
    })

    test.each([
      ['scopes', { scopes: JSON.stringify(['shortlinks:read', 'dashboard:sign_in']) }],
      ['domain records', { domain_ids: '["default"]' }],
    ])('an admin is an editor as soon as the key has limited %s', async (_what, limits) => {
      const key = await keyWith(service, { name: 'ends', scopes: SCOPES })
      const [admin, address] = [
        await signedInMember(key, { role: 'admin' }),
        await signInAddress(key, { ...BEN, role: 'admin' }),
      ]
      const sessions = service.database.db.selectFrom('dashboard_tokens').select('id')
      const { id } = await sessions.where('kind', '=', 'session').executeTakeFirstOrThrow()
      expect((await admin.get('/dashboard/keys')).status).toBe(200)
      await changeKey(limits)
      for (const path of ['/dashboard/keys', '/dashboard/sessions']) {
        expect((await admin.get(path)).status).toBe(403)
      }
      expect((await admin.post(`/dashboard/sessions/${id}/end`)).status).toBe(403)
      const late = browse(service)
      expect(plainText(await late.get(address))).not.toContain('see API keys')
      await late.post(address)
      expect((await late.get('/dashboard/sessions')).status).toBe(403)
    })

    test('the call needs a person, a role and the name of the workspace', async () => {
      const wrong = { role: 'owner' as 'admin', workspace: 'a\nb' }
      const role = ['Use creator, editor or admin.']
      const workspace = ['Use one line of at most 200 characters.']
      expect(errorsIn(await requestSignIn(service, wrong))).toEqual({ role, workspace })
      const headers = { 'x-api-key': service.apiKey }
      const unnamed = { method: 'POST', headers, body: new FormData() }
      expect(errorsIn(await call(service.baseUrl + SIGN_INS_PATH, unnamed))).toMatchObject({
        'X-Created-By': ['Send this header. It names the person who signs in.'],
      })
      expect(codeIn(await endSessions('?person_id='))).toBe('422 VALIDATION_ERROR')
      expect(codeIn(await endSessions('?person=x'))).toBe('422 VALIDATION_ERROR')
    })

    test('a browser that is signed in as someone else is asked before it changes', async () => {
      const browser = await signedIn(service, () => now)
      const path = await signInAddress(service)
      const signedInAs =
        'you are signed in as the administrator of this service. The button ends that session.'
      expectPage(await browser.get(path), 200, signedInAs)
      expect((await browser.get('/dashboard/keys')).status).toBe(200)
      const administrator = new Map(browser.cookies)
      await browser.get(path)
      await browser.post(path)
      expect((await browser.get('/dashboard/keys')).status).toBe(403)
      // The administrator's link waits for a click, too.
      const { pathname } = new URL(await signInCommand(service, 'link', () => now))
      const page = await browser.get(pathname)
      expect(plainText(page)).toContain('you are signed in as Ana García ( Test )')
      expect(page.text).not.toContain('<script')

      const earlier = browse(service)
      for (const [name, value] of administrator) earlier.cookies.set(name, value)
      expect(await isSignedIn(earlier)).toBe(false)

      // A colleague to whom the address was forwarded sees whose name would be used.
      const ben = await signedInMember(service, BEN)
      const forwarded = await ben.get(await signInAddress(service))
      const asked = 'Only go on if you are Ana García , because'
      expectPage(forwarded, 200, asked, 'you are signed in as Ben ( Test )')
    })

    test.each([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ])('a form of %s signs no one in', async (_name, headers) => {
      const path = await signInAddress(service)
      const browser = browse(service)
      await browser.get(path)
      expect((await browser.post(path, {}, headers)).status).toBe(403)
      expect((await browse(service).post(path)).status).toBe(403)
      expect(await isSignedIn(browser)).toBe(false)
      expect((await browser.get(path)).status).toBe(200)
    })

    test('no address, session or person is in the log', async () => {
      const path = await signInAddress(service)
      const browser = await signedInMember(service)
      await browser.get(path)
      await browser.get(`${path}%zz`)
      await browser.post(path, { padding: 'x'.repeat(100_000) })
      await browser.get('/dashboard/nowhere')
      const unused = await signInAddress(service)
      const rename = (from: string, to: string) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(service.database.db)
      await rename('dashboard_tokens', 'away')
      const failed = await browser.get(unused)
      await rename('away', 'dashboard_tokens')
      expect(failed.status).toBe(500)
      const logged = JSON.stringify(service.logLines)
      expect(logged).toContain('a request failed')
      for (const secret of [
        ...[path, unused].map((one) => one.split('/').at(-1) ?? ''),
        browser.cookies.get('backhalf_session') ?? '',
        'U0ANA',
        'Ana',
      ]) {
        expect(logged).not.toContain(secret)
      }
    })
  },
  { now: () => now },
)

const BEN = { id: 'T0TEST-U0BEN', name: 'Ben' }

insecure.test('no one is signed in over http, except on this machine', async ({ service }) => {
  const { body, status } = await requestSignIn(service)
  expect({ status, body }).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining('is not https') as string } },
  })
})
