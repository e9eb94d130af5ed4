import { beforeEach, expect, test } from 'vitest'
import { SCOPES } from '../../../src/service/store/scopes.ts'
import {
  browse,
  type DashboardBrowser,
  expectPage,
  isSignedIn,
  plainText,
  signedInMember,
  signInAddress,
  type TestMember,
} from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { keyWith, newOwner } from '../../support/service-calls.ts'

let now = Date.parse('2027-03-01T12:00:00.000Z')

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const ADMIN: TestMember = { id: 'T0TEST-U0ADA', name: 'Ada', role: 'admin' }
const BEN: TestMember = { id: 'T0TEST-U0BEN', name: 'Ben', role: 'editor' }

const sessions = async (browser: DashboardBrowser) =>
  plainText(await browser.get('/dashboard/sessions')).replace(/.* Actions /, '')

describeService(
  (service, administrator) => {
    const db = () => service.database.db

    beforeEach(async () => {
      await db().deleteFrom('dashboard_tokens').where('api_key_id', 'is not', null).execute()
    })

    const ofSessions = () =>
      db().selectFrom('dashboard_tokens').selectAll().where('kind', '=', 'session')
    const idOf = async (personId: string | null) => {
      const is = personId === null ? 'is' : '='
      return (await ofSessions().where('person_id', is, personId).executeTakeFirstOrThrow()).id
    }
    const end = (browser: DashboardBrowser, id: string) =>
      browser.post(`/dashboard/sessions/${id}/end`)

    test('an admin of a workspace sees and ends the sessions of the owner, and no others', async () => {
      const other = await newOwner(service, 'other')
      const second = await keyWith(service, { name: 'second', scopes: ['dashboard:sign_in'] })
      const admin = await signedInMember(service, ADMIN)
      const ben = await signedInMember(second, { ...BEN, workspace: 'Second' })
      const eve = await signedInMember(other, { id: 'T0OTHER-U0EVE', name: 'Eve' })
      const shown = await sessions(admin)
      expect(shown).toContain(
        'Ada T0TEST-U0ADA admin Test Backhalf app (automatic key) Test workspace Mar 1, 2027, 12:00 UTC Mar 1, 2027, 13:00',
      )
      expect(shown).toContain('Ben T0TEST-U0BEN editor Second second Test workspace')
      expect(shown).toContain('This session')
      expect(shown).not.toMatch(/Eve|Administrator/)
      for (const id of [await idOf('T0OTHER-U0EVE'), await idOf(null), 'x', crypto.randomUUID()]) {
        expect((await end(admin, id)).status).toBe(404)
      }
      expect(await Promise.all([eve, administrator].map(isSignedIn))).toEqual([true, true])
      expect((await end(admin, await idOf('T0TEST-U0BEN'))).location).toBe('/dashboard/sessions')
      expect(await isSignedIn(ben)).toBe(false)
      expect(await sessions(admin)).toContain(
        'Second second Test workspace Mar 1, 2027, 12:00 UTC Ended Mar 1, 2027, 12:00',
      )
    })

    test('a new role counts at once, in every session of the person with this key', async () => {
      const second = await keyWith(service, { name: 'second', scopes: SCOPES })
      const [phone, laptop] = [
        await signedInMember(service, ADMIN),
        await signedInMember(service, ADMIN),
      ]
      const elsewhere = await signedInMember(second, ADMIN)
      const mayEnd = async (browser: DashboardBrowser) =>
        (await browser.get('/dashboard/sessions')).status === 200
      expect(await Promise.all([phone, laptop].map(mayEnd))).toEqual([true, true])
      const unused = await signInAddress(service, ADMIN)
      await signInAddress(service, { ...ADMIN, role: 'creator' })
      const mayStillEnd = await Promise.all([phone, laptop, elsewhere].map(mayEnd))
      expect(mayStillEnd).toEqual([false, false, true])
      // So does an address from before that is used now, and a form that was open.
      const late = browse(service)
      await late.get(unused)
      await late.post(unused)
      expect(await mayEnd(late)).toBe(false)
      expect((await end(phone, await idOf('T0TEST-U0ADA'))).status).toBe(403)
      await signInAddress(service, ADMIN)
      expect(await mayEnd(phone)).toBe(true)
    })

    test('the administrator sees who signed in for 30 days, and ends any session', async () => {
      const ben = await signedInMember(service, BEN)
      const ana = await signedInMember(service)
      await ana.post('/dashboard/sign-out')
      const shown = await sessions(administrator)
      expect(shown).toContain(
        'Ben T0TEST-U0BEN editor Test Backhalf app (automatic key) Test workspace Mar 1',
      )
      expect(shown).toContain('Administrator administrator')
      expect(shown).toMatch(/Ana García .* creator .* Ended Mar 1, 2027, 12:00 UTC/)
      await end(administrator, await idOf('T0TEST-U0BEN'))
      expect(await isSignedIn(ben)).toBe(false)

      /** The administrator signed in just now. */
      const setTime = async (time: number) => {
        now = time
        await db()
          .updateTable('dashboard_tokens')
          .set({ created_at: now, expires_at: now + HOUR_MS })
          .where('api_key_id', 'is', null)
          .execute()
      }
      const start = now
      for (const [later, isShown] of [
        [30 * DAY_MS - 1, true],
        [30 * DAY_MS, false],
      ] as const) {
        await setTime(start + later)
        expect((await sessions(administrator)).includes('Ben')).toBe(isShown)
      }
      await signInAddress(service)
      expect(await ofSessions().execute()).toMatchObject([{ person_name: null }])
      await setTime(start)
    })

    test('a session ends when the app is uninstalled, and the list says when', async () => {
      const workspace = await newOwner(service, 'leaves')
      const ben = await signedInMember(workspace, BEN)
      expect(await isSignedIn(ben)).toBe(true)
      await db().executeQuery(service.service.withdraw('T0LEAVES'))
      expect(await isSignedIn(ben)).toBe(false)
      expect(await sessions(administrator)).toMatch(/Ben .* leaves .* Ended Mar 1, 2027, 12:00 UTC/)
    })

    test('only the newest sessions and addresses of a key are kept', async () => {
      const ben = await signedInMember(service, BEN)
      const row = await ofSessions()
        .where('person_id', '=', 'T0TEST-U0BEN')
        .executeTakeFirstOrThrow()
      const newer = { ...row, created_at: now + 1 }
      const hashes = Array.from({ length: 10_000 }, (_, at) => ({ ...newer, hash: String(at) }))
      for (let from = 0; from < hashes.length; from += 1_000) {
        const tokens = db().insertInto('dashboard_tokens')
        await tokens.values(hashes.slice(from, from + 1_000)).execute()
      }
      now += 2
      await signInAddress(service)
      expect(await isSignedIn(ben)).toBe(false)
      const kept = ofSessions().where('api_key_id', '=', row.api_key_id)
      expect((await kept.execute()).length).toBeLessThanOrEqual(10_000)
    })

    test('the administrator renames an owner, and members see the new name', async () => {
      const rename = `/dashboard/owners/${service.ownerId}/rename`
      await newOwner(service, 'taken')
      for (const [name, error] of [
        [' ', 'Enter a name.'],
        ['taken', 'Another workspace has this name.'],
        ['x'.repeat(201), 'Use one line of at most 200 characters.'],
      ] as const) {
        expectPage(await administrator.post(rename, { name }), 422, error)
      }
      const { location } = await administrator.post(rename, { name: 'Acme & Co' })
      expect(location).toBe('/dashboard/owners')
      expect((await administrator.get('/dashboard/owners')).text).toContain('Acme &amp; Co')
      const path = await signInAddress(service)
      expectPage(await browse(service).get(path), 200, 'belong to Acme &amp; Co')
      const admin = await signedInMember(service, ADMIN)
      expect((await admin.get('/dashboard/owners')).status).toBe(403)
      expect((await admin.post(rename, { name: 'Mine' })).status).toBe(403)
    })
  },
  { now: () => now },
)
