import { expect, test } from 'vitest'
import { setMaxLinks } from '../../../src/service/store/owners.ts'
import { SCOPES } from '../../../src/service/store/scopes.ts'
import {
  expectPage,
  importFile,
  signedInMember,
  type DashboardBrowser,
  type TestMember,
} from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { addDomainRecord } from '../../support/rows.ts'
import {
  type Caller,
  callLink,
  getList,
  keyWith,
  newLink,
  newOwner,
} from '../../support/service-calls.ts'

let now = Date.parse('2027-03-01T12:00:00.000Z')

const BEN = { id: 'T0TEST-U0BEN', name: 'Ben' }

const EVERYTHING = ['read', 'create', 'update', 'delete'].map((what) => `shortlinks:${what}`)

describeService(
  (service) => {
    const member = (more?: TestMember, caller: Pick<Caller, 'apiKey'> = service) =>
      signedInMember({ baseUrl: service.baseUrl, apiKey: caller.apiKey }, more)

    let count = 0

    /** Creates a link in the dashboard. @returns the path of its page */
    async function create(browser: DashboardBrowser, more: Record<string, string> = {}) {
      const fields = { destination_url: `https://example.com/${++count}`, ...more }
      const { location, text } = await browser.submit('/dashboard/links/new', fields)
      if (location === null) throw new Error(text)
      return location
    }

    const idOf = (path: string) => path.split('/').at(-1) ?? ''

    /** The hour and the minute that it will be. */
    const timeIn = (minutes: number) => new Date(now + minutes * 60_000).toISOString().slice(11, 16)

    test('the header says who is signed in, where, as what and until when, and each role has its sections', async () => {
      const sections = async (browser: DashboardBrowser) => {
        const { text } = await browser.get('/dashboard')
        const nav = /<nav aria-label="Dashboard">(.*?)<\/nav>/s.exec(text)?.[1] ?? ''
        return [...nav.matchAll(/>([^<]+)<\/a>/g)].map(([, name]) => name).join(', ')
      }
      const ana = await member()
      const header = `Ana García (creator) in Test , signed in until ${timeIn(60)} UTC`
      expectPage(await ana.get('/dashboard'), 200, header)
      expect(await sections(ana)).toBe('Links, Reports, Tags, API docs')
      const admin = await member({ ...BEN, role: 'admin' })
      expectPage(await admin.get('/dashboard'), 200, 'Ben (workspace admin)')
      expect(await sections(admin)).toBe('Links, Reports, Tags, API keys, Sessions, API docs')
      await ana.get('/dashboard')
      expect((await ana.post('/dashboard/sign-out')).location).toBe('/dashboard/sign-in')
    })

    test('the header says when a key ends the session before its hour is over', async () => {
      const key = await keyWith(service, {
        scopes: ['shortlinks:read', 'dashboard:sign_in'],
        expiresAt: now + 10 * 60_000,
      })
      const limited = await member({}, key)
      expectPage(await limited.get('/dashboard'), 200, `signed in until ${timeIn(10)} UTC`)
    })

    test('an admin of the workspace sees the keys of their owner, and no way to change them', async () => {
      await newOwner(service, 'elsewhere')
      const admin = await member({ role: 'admin' })
      const { text } = await admin.get('/dashboard/keys')
      expect(text).toContain('Backhalf app')
      for (const absent of ['elsewhere', 'Rotate', 'Revoke', 'New key']) {
        expect(text).not.toContain(absent)
      }
    })

    test('the requests of a key’s holder and of the people whom it signed in count together', async () => {
      const key = await keyWith(service, { scopes: SCOPES, requestsPerMinute: 4 })
      const ana = await member({}, key)
      const used = await getList(key)
      expect(used.headers.get('ratelimit-remaining')).toBe('2')
      expect((await ana.get('/dashboard')).status).toBe(200)
      expect((await ana.get('/dashboard')).status).toBe(200)
      const page = await ana.get('/dashboard')
      expectPage(page, 429, 'Reload this page in a minute.')
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(1)
      expect((await getList(key)).status).toBe(429)
      expect((await (await member()).get('/dashboard')).status).toBe(200)
    })

    test('the page of a link names the members who created and changed it, beside the key', async () => {
      const ana = await member()
      const path = await create(ana)
      const ben = await member({ ...BEN, role: 'editor' })
      expect((await ben.submit(`${path}/edit`, { title: 'By Ben' })).location).toBe(path)
      const created = 'Created Ana García with Backhalf app'
      const changed = 'Title: none → “By Ben” Ben with Backhalf app'
      expectPage(await ana.get(path), 200, created, changed)
    })

    test('a creator changes their own links, and sees others without the buttons', async () => {
      const ana = await member()
      const theirs = await create(await member(BEN))
      const own = await create(ana)
      // Also one that they created in Slack.
      const headers = { 'x-created-by': 'T0TEST-U0ANA Ana' }
      const { name: inSlack } = await newLink(service, {}, headers)
      for (const path of [own, `/dashboard/links/${inSlack}`]) {
        expect((await ana.submit(`${path}/edit`, { title: 'Mine' })).location).toBe(path)
        expect((await ana.get(path)).text).toContain(`${path}/delete`)
      }
      const { text } = await ana.get(theirs)
      for (const action of ['edit', 'turn-off', 'delete']) {
        expect(text).not.toContain(`${theirs}/${action}`)
      }
      const reason =
        'You can change only links that you created. To change this one, ask the person who created it, or an admin of your Slack workspace. Nothing was changed.'
      expectPage(await ana.post(`${theirs}/delete`), 403, reason)
    })

    test('a key that is reduced during a session counts at the next request', async () => {
      const scopes = [...EVERYTHING, 'dashboard:sign_in']
      const key = await keyWith(service, { name: 'reduced', scopes })
      const editor = await member({ ...BEN, role: 'editor' }, key)
      const own = await create(editor)
      const form = await editor.get(`${own}/edit`)
      const reduced = { scopes: JSON.stringify(['shortlinks:read', 'dashboard:sign_in']) }
      const keys = service.database.db.updateTable('api_keys').set(reduced)
      await keys.where('name', '=', 'reduced').execute()
      const refused = await editor.submit(`${own}/edit`, { title: 'Too late' }, form)
      const reason =
        'The API key of Test doesn’t allow this (shortlinks:update). The administrator of this link service can change that. Nothing was changed.'
      expectPage(refused, 403, reason)
      const { text } = await editor.get(own)
      expect(text).not.toContain('Too late')
      expect(text).not.toContain(`${own}/edit`)
      expect((await editor.get('/dashboard')).text).not.toContain('New link')
    })

    test('a form can name neither another owner nor a domain record that the key can’t reach', async () => {
      const other = await newOwner(service, 'victim')
      const owners = service.database.db.selectFrom('owners').select('id')
      const { id: victim } = await owners.where('name', '=', 'victim').executeTakeFirstOrThrow()
      await addDomainRecord(service.database, 'far')
      const scopes = [...EVERYTHING, 'dashboard:sign_in']
      const key = await keyWith(service, { scopes, domainIds: ['default'] })
      const editor = await member({ role: 'editor' }, key)
      const path = await create(editor, { owner: victim })
      expect((await callLink(service, 'GET', idOf(path))).status).toBe(200)
      expect((await callLink(other, 'GET', idOf(path))).status).toBe(404)
      expect((await editor.get('/dashboard/links/new')).text).not.toContain('far.example')
      const far = { destination_url: 'https://example.com/far', domain: 'far' }
      for (const form of ['/dashboard/links/new', `${path}/edit`]) {
        const page = await editor.submit(form, far)
        expectPage(page, 422, 'There is no domain record with this ID that can be used here.')
        expect(page.text).toContain('value="https://example.com/far"')
      }

      // An earlier short URL there belongs to the link, so the key can't change the link any more.
      const all = await member({ ...BEN, role: 'editor' })
      await all.submit(`${path}/edit`, { domain: 'far', back_half: 'far-away' })
      await all.submit(`${path}/edit`, { domain: 'default', back_half: 'near' })
      for (const [form, fields] of [
        [`${path}/edit`, { title: 'Kept' }],
        [`${path}/delete`, {}],
      ] as const) {
        const page = await editor.submit(form, fields)
        expectPage(page, 403, 'This link has an earlier short URL on a domain')
        if (form.endsWith('edit')) expect(page.text).toContain('value="Kept"')
      }
    })

    test('an import creates links of the member’s owner, and confirms none of others', async () => {
      const other = await newOwner(service, 'rival')
      const { destination_url } = await newLink(other, { back_half: 'rivals' })
      // Its name is the text at which the page is cut in two.
      const workspace = 'the-result-comes-here'
      const editor = await member({ ...BEN, role: 'editor', workspace })
      const form = await editor.get('/dashboard/import')
      expect(form.text).not.toContain('Workspace of the links')
      const rows = [
        'destination_url,back_half,owner_id',
        'https://example.com/imported,imported,someone',
        `${destination_url},rivals,`,
      ]
      const page = await importFile(editor, rows.join('\n'))
      expect(page.text).toMatch(/<\/html>\s*$/)
      expectPage(page, 200, '1 link created', 'This back-half is taken on this domain.')
      const { text } = await editor.get('/dashboard?q=imported')
      expect(text).toContain('<bdi>Ben</bdi>')
    })

    test('the quota of the owner holds for members', async () => {
      const ana = await member()
      await setMaxLinks(service.database.db, service.ownerId, 1)
      const fields = { destination_url: 'https://example.com/over' }
      const page = await ana.submit('/dashboard/links/new', fields)
      await setMaxLinks(service.database.db, service.ownerId, null)
      expectPage(page, 409, 'quota of short links (1) is used up')
    })

    test('after an hour, a page says how to go on, and that a form was not saved', async () => {
      const ana = await member()
      const path = await create(ana)
      const form = await ana.get(`${path}/edit`)
      now += 60 * 60_000
      const next =
        'Your session has ended. Open the dashboard again: in Slack, type /shorten dashboard .'
      expectPage(await ana.get(path), 403, next)
      const ended = await ana.submit(`${path}/edit`, { title: 'Not lost' }, form)
      expectPage(ended, 403, 'Nothing was saved yet. Keep this tab open')
    })

    test('a member without the permission to read gets a page that says so', async () => {
      const key = await keyWith(service, { scopes: ['dashboard:sign_in'] })
      const page = await (await member({}, key)).get('/dashboard')
      expectPage(page, 403, 'doesn’t allow this (shortlinks:read)', 'Sign out')
    })

    test('members never see where a deleted link led', async () => {
      const ana = await member()
      const path = await create(ana, { destination_url: 'https://example.com/hidden-page' })
      await ana.submit(`${path}/delete`)
      const { status, text } = await ana.get(path)
      expect(status).toBe(200)
      expect(text).not.toContain('hidden-page')
    })
  },
  { now: () => now },
)
