import Fastify from 'fastify'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { DashboardRole } from '../../../src/contract/extension-calls.ts'
import { ServiceError } from '../../../src/service/api/errors.ts'
import { registerRateLimit } from '../../../src/service/api/rate-limit.ts'
import { dashboardRoutes } from '../../../src/service/dashboard/routes.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { SCOPES } from '../../../src/service/store/scopes.ts'
import {
  signedInMember,
  cookieOf,
  multipartForm,
  type DashboardBrowser,
} from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { call } from '../../support/service-calls.ts'
import { addDomainRecord, addLinks, addOwners, linkRow } from '../../support/rows.ts'

type Context = Parameters<typeof dashboardRoutes>[1]

/** Whether a route can be used: by a member, with a link of theirs only, or not at all. */
type Decision = 'yes' | 'own' | 'no'

const VIEWERS = ['creator', 'editor', 'admin', 'reader'] as const

type ViewerName = (typeof VIEWERS)[number]

/** Everyone who is signed in. */
const ALL: Decision[] = ['yes', 'yes', 'yes', 'yes']
const NONE: Decision[] = ['no', 'no', 'no', 'no']
/** Those who change links. */
const CHANGE: Decision[] = ['own', 'yes', 'yes', 'no']

/** Those who change some links. Which ones, the pages decide. */
const SOME: Decision[] = ['yes', 'yes', 'yes', 'no']
const IMPORT: Decision[] = ['no', 'yes', 'yes', 'no']
const ADMIN: Decision[] = ['no', 'no', 'yes', 'no']

/** A page with a form that is sent to its own path. */
const formAt = (path: string, decisions: Decision[]) => ({
  [`GET ${path}`]: decisions,
  [`POST ${path}`]: decisions,
})

/** For each route: what creators, editors, admins of the workspace, and editors with a read-only key can do. */
const DECISIONS: Record<string, Decision[]> = {
  'GET /dashboard': ALL,
  'GET /dashboard/*': ALL,
  'GET /dashboard/links.csv': ALL,
  'GET /dashboard/reports': ALL,
  'GET /dashboard/reports.csv': ALL,
  'GET /dashboard/links/:id': ALL,
  'GET /dashboard/links/:id/preview-image': ALL,
  'GET /dashboard/links/:id/qr.png': ALL,
  'GET /dashboard/links/:id/qr.svg': ALL,
  ...formAt('/dashboard/links/new', SOME),
  ...formAt('/dashboard/links/:id/edit', CHANGE),
  'POST /dashboard/links/:id/turn-off': CHANGE,
  'POST /dashboard/links/:id/turn-on': CHANGE,
  ...formAt('/dashboard/links/:id/delete', CHANGE),
  ...formAt('/dashboard/import', IMPORT),
  'POST /dashboard/import/columns': IMPORT,
  ...formAt('/dashboard/bulk/tags', SOME),
  ...formAt('/dashboard/bulk/expiry', SOME),
  ...formAt('/dashboard/bulk/turn-off', SOME),
  'POST /dashboard/bulk/turn-on': SOME,
  ...formAt('/dashboard/bulk/delete', SOME),
  'GET /dashboard/keys': ADMIN,
  'POST /dashboard/keys': NONE,
  ...formAt('/dashboard/keys/:id/rotate', NONE),
  ...formAt('/dashboard/keys/:id/revoke', NONE),
  ...formAt('/dashboard/keys/:id/allow-sign-in', NONE),
  ...formAt('/dashboard/keys/:id/stop-sign-in', NONE),
  ...formAt('/dashboard/keys/:id/destinations', NONE),
  'GET /dashboard/sessions': ADMIN,
  'POST /dashboard/sessions/:id/end': ADMIN,
  'GET /dashboard/tags': ALL,
  // All keys but the admin's are limited to a domain record.
  ...formAt('/dashboard/tags/:id/:name', ADMIN),
  'GET /dashboard/owners': NONE,
  ...formAt('/dashboard/owners/:id/erase-names', NONE),
  ...formAt('/dashboard/owners/:id/rename', NONE),
  ...formAt('/dashboard/domains', NONE),
  ...formAt('/dashboard/domains/:domain', NONE),
}

/** Routes for people who are not signed in. */
const PUBLIC = [
  'GET /dashboard/sign-in',
  'GET /dashboard/sign-in/:token',
  'POST /dashboard/sign-in',
  'POST /dashboard/sign-in/:token',
  'POST /dashboard/sign-out',
]

/** All routes of the dashboard, as Fastify has them. Those for viewers are checked by the hook. */
async function allRoutes(): Promise<string[]> {
  const routes: string[] = []
  const server = Fastify()
  server.addHook('onRoute', ({ method, url }) => {
    if (method !== 'HEAD') routes.push(`${String(method)} ${url}`)
  })
  const addresses = createAddresses('https://go.example.com')
  const context = { addresses, now: Date.now } as Context
  registerRateLimit(server, context)
  await server.register(dashboardRoutes, context)
  return routes.sort()
}

test('every route of the dashboard has a decision', async () => {
  expect(await allRoutes()).toEqual([...Object.keys(DECISIONS), ...PUBLIC].sort())
})

const ANA = { id: 'T0TEST-U0ANA', name: 'Ana' }
const BEN = { id: 'T0TEST-U0BEN', name: 'Ben' }

/** Texts of the links that members might not see: of another owner, and on a domain record that only the admin's key reaches. */
const SECRET = 'Secret'
const OUTSIDE = 'outside.example'

const secretsFor = (name: ViewerName) => (name === 'admin' ? [SECRET] : [SECRET, OUTSIDE])

describeService((service) => {
  const viewers = {} as Record<ViewerName, DashboardBrowser>
  const keys = {} as Record<'limited' | 'read' | 'unlimited', { id: string; key: string }>
  let count = 0

  const signIn = ({ key: apiKey }: { key: string }, role: DashboardRole, person = ANA) =>
    signedInMember({ baseUrl: service.baseUrl, apiKey }, { ...person, role })

  const addKey = (scopes: readonly string[], domainIds?: string[]) => {
    const key = { ownerId: service.ownerId, name: 'App', permissions: 'restricted' } as const
    return addApiKey(service.database.db, { ...key, scopes, domainIds }, 1)
  }

  /** Adds a link of each kind: of Ana, of Ben, on a domain record that limited keys can't reach, and of another owner. */
  async function addFour() {
    const add = async (values: object) => {
      const id = randomUUID()
      const row = linkRow(id, { owner_id: service.ownerId, back_half: `l${++count}`, ...values })
      await addLinks(service.database, { ...row, title: row.title ?? `Title ${count}` })
      return id
    }
    return {
      own: await add({ person_id: ANA.id, person_name: ANA.name, made_by: keys.limited.id }),
      colleague: await add({ person_id: BEN.id, person_name: BEN.name, made_by: keys.limited.id }),
      outside: await add({
        domain_id: 'outside',
        hostname: 'outside.example',
        person_id: ANA.id,
        title: `${OUTSIDE} ${count}`,
        destination_url: `https://${OUTSIDE}/${count}`,
      }),
      theirs: await add({
        owner_id: 'other',
        person_id: ANA.id,
        title: `${SECRET} ${count}`,
        destination_url: `https://x.example/${SECRET}${count}`,
      }),
    }
  }

  /** Everything that members must not change. */
  async function guarded() {
    const { db } = service.database
    const keys = db.selectFrom('api_keys').select(['id', 'hash', 'scopes', 'revoked_at'])
    return [
      (await allLinks()).filter(
        (link) => link.domain_id === 'outside' || link.owner_id === 'other',
      ),
      await keys.orderBy('id').execute(),
      await db.selectFrom('domains').selectAll().orderBy('id').execute(),
      await db.selectFrom('owners').selectAll().orderBy('id').execute(),
    ]
  }

  beforeAll(async () => {
    await addOwners(service.database, 'other')
    await addDomainRecord(service.database, 'outside')
    keys.unlimited = await addKey(SCOPES)
    keys.limited = await addKey(SCOPES, ['default'])
    keys.read = await addKey(['shortlinks:read', 'dashboard:sign_in'], ['default'])
    for (const role of ['creator', 'editor', 'admin'] as const) {
      // Another sign-in of a person with the same key changes the role of all their sessions.
      const person = role === 'creator' ? ANA : { id: `T0TEST-${role}`, name: role }
      viewers[role] = await signIn(keys[role === 'admin' ? 'unlimited' : 'limited'], role, person)
    }
    viewers.reader = await signIn(keys.read, 'editor')
    // A page with the token of their forms.
    for (const viewer of Object.values(viewers)) await viewer.get('/dashboard')
  })

  /** What a request does: it is served, refused with 403, or finds nothing. */
  async function use(name: ViewerName, route: string, id: string) {
    const browser = viewers[name]
    const [method = '', template = ''] = route.split(' ')
    const path = template.replace(':id', id).replace('*', 'nothing')
    const file = new File(['destination_url\n'], 'a.csv')
    const fields = path.endsWith('/import') ? multipartForm({ owner: 'other', file }) : {}
    const page = method === 'GET' ? await browser.get(path) : await browser.post(path, fields)
    for (const secret of secretsFor(name)) expect(`${route}: ${page.text}`).not.toContain(secret)
    expect(page.status).toBeLessThan(500)
    return page
  }

  test.each(Object.entries(DECISIONS))('%s follows the role and the key', async (route, row) => {
    for (const [at, name] of VIEWERS.entries()) {
      const decision = row[at] ?? 'no'
      const ids = await addFour()
      const before = await guarded()
      for (const link of ['own', 'colleague', 'outside', 'theirs'] as const) {
        if (name === 'admin' && link === 'outside') continue
        const { status } = await use(name, route, ids[link])
        const seen = { name, link, refused: status === 403, found: status !== 404 }
        const refused = decision === 'no' || (decision === 'own' && link === 'colleague')
        const hidden = /\/links\/:id/.test(route) && (link === 'outside' || link === 'theirs')
        // 404 for a picture that the link doesn't have, too, and no session or owner has the ID of a link.
        const isEmpty = /\*$|preview-image$|(?:sessions|tags)\/:id/.test(route)
        if (hidden && decision !== 'no') expect(seen).toMatchObject({ name, link, found: false })
        else expect(seen).toEqual({ name, link, refused, found: refused || !isEmpty })
        if (!route.includes(':id')) break
      }
      expect({ name, guarded: await guarded() }).toEqual({ name, guarded: before })
    }
  })

  test.each(
    Object.keys(DECISIONS).flatMap((route) => (route.startsWith('POST') ? route.slice(5) : [])),
  )('a forged form to %s changes nothing', async (template) => {
    const { own } = await addFour()
    const path = template.replace(':id', own)
    await viewers.admin.get('/dashboard')
    const [before, links] = [await guarded(), await allLinks()]
    const fields = { destination_url: 'https://example.com/forged', domain: 'default' }
    for (const site of ['same-site', 'cross-site']) {
      const { status } = await viewers.admin.post(path, fields, { 'sec-fetch-site': site })
      expect([site, status]).toEqual([site, 403])
    }
    // The token of another browser.
    const { text } = await viewers.editor.get('/dashboard')
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const values = { ...fields, _csrf }
    const headers = { cookie: cookieOf(viewers.admin) }
    const hasFile = /\/(?:new|edit|import|columns|bulk\/.*)$/.test(path)
    for (const body of [new URLSearchParams(values), ...(hasFile ? [multipartForm(values)] : [])]) {
      const { status } = await call(service.baseUrl + path, { method: 'POST', headers, body })
      expect(status).toBe(403)
    }
    expect([await guarded(), await allLinks()]).toEqual([before, links])
  })

  const allLinks = () => service.database.db.selectFrom('links').selectAll().orderBy('id').execute()

  test.each(['owner=other', 'domain=outside', 'state=deleted&domain=outside', `q=${SECRET}`])(
    'the list and its export with %s show nothing of others',
    async (query) => {
      const { outside } = await addFour()
      const { text } = await viewers.editor.get(`/dashboard?${query}`)
      const csv = (await viewers.editor.get(`/dashboard/links.csv?${query}`)).text
      for (const secret of [SECRET, outside, OUTSIDE, '>other<']) {
        expect(text.replaceAll(`“${SECRET}”`, '').replace(`value="${SECRET}"`, '')).not.toContain(
          secret,
        )
        expect(csv).not.toContain(secret)
      }
    },
  )

  test.each([
    ...['', 'owner=other', 'domain=outside', 'utm_campaign=Secret', 'tag=Secret', 'link=ID'],
    ...['creator=T0TEST-U0ANA', 'group_by=link', 'group_by=domain', 'group_by=tag'],
    'group_by=creator',
  ])(
    'a report and its CSV file with %s count no clicks on links that the member can’t reach',
    async (query) => {
      const ids = await addFour()
      const day = new Date().toISOString().slice(0, 10)
      const theirs = { link_id: ids.theirs, day, bots: 0, people: 123_456 }
      const outside = { link_id: ids.outside, day, bots: 0, people: 654_321 }
      await service.database.write(addClicks([theirs, outside]))
      for (const name of VIEWERS) {
        const browser = viewers[name]
        const path = query.replace('ID', ids.theirs)
        const { text } = await browser.get(`/dashboard/reports?${path}`)
        const csv = (await browser.get(`/dashboard/reports.csv?${path}`)).text
        const asked = text
          .replaceAll(/value="[^"]*"|href="[^"]*"|class="lead">[^<]*/g, '')
          .replace(`<b><bdi>${SECRET}</bdi></b>`, '')
        const hidden = name === 'admin' ? [] : ['654,321', ids.outside]
        for (const secret of [...secretsFor(name), '123,456', '>other<', ...hidden]) {
          expect(asked).not.toContain(secret)
          expect(csv).not.toContain(secret.replace(',', ''))
        }
      }
    },
  )

  test('a member’s lists, clicks, reports and exports wait for others of the same owner', async () => {
    const { own } = await addFour()
    const readers: string[] = []
    const inTurn = async (reader: string): Promise<never> => {
      readers.push(reader)
      throw new ServiceError('RATE_LIMIT_EXCEEDED', 'Too many reads.')
    }
    const server = Fastify()
    const addresses = createAddresses(service.baseUrl)
    const context = { ...service.database, addresses, now: Date.now, inTurn }
    registerRateLimit(server, context)
    await server.register(dashboardRoutes, context as unknown as Context)
    const headers = { cookie: cookieOf(viewers.editor) }
    const reports = ['/dashboard/reports', '/dashboard/reports.csv']
    for (const url of ['/dashboard', `/dashboard/links/${own}`, ...reports]) {
      const { statusCode, body } = await server.inject({ url, headers })
      expect(statusCode).toBe(429)
      expect(body).toContain('Reload this page in a minute.')
    }
    // Its status is sent before the first part is read.
    await server.inject({ url: '/dashboard/links.csv', headers }).catch(() => undefined)
    expect(readers).toEqual(Array<string>(5).fill(service.ownerId))
  })
})
