import { expect } from 'vitest'
import { request } from 'undici'
import { hashPasswordsCheaply } from '../../support/cheap-passwords.ts'
import {
  browse,
  expectPage,
  isSignedIn,
  plainText,
  signedIn,
  signInCommand,
} from '../../support/dashboard.ts'
import { withService } from '../../support/fixtures.ts'

let now = Date.parse('2027-03-01T12:00:00.000Z')

const { test, service } = withService({ now: () => now })
const secure = withService({ publicUrl: 'https://go.example.com' })

test.beforeEach(() => hashPasswordsCheaply())

const command = (what: 'link' | 'password', running = service) =>
  signInCommand(running, what, () => now)

/** The status of a page that a browser asks for with this Host. */
async function statusAt({ baseUrl }: { baseUrl: string }, path: string, host: string) {
  const { statusCode, body } = await request(baseUrl + path, { headers: { host } })
  await body.dump()
  return statusCode
}

async function tryPassword(password: string, browser = browse(service)) {
  await browser.get('/dashboard/sign-in')
  return browser.post('/dashboard/sign-in', { password })
}

test('pages and forms redirect to the sign-in page', async () => {
  const browser = browse(service)
  const pages = ['', '/keys', '/domains', '/links/x', '/links.csv', '/import']
  for (const { status, location } of [
    ...(await Promise.all(pages.map((path) => browser.get(`/dashboard${path}`)))),
    await browser.post('/dashboard/links/new'),
  ]) {
    expect({ status, location }).toEqual({ status: 303, location: '/dashboard/sign-in' })
  }
})

test('the password works until it is replaced', async () => {
  const password = await command('password')
  const browser = browse(service)
  const { status, location, headers } = await tryPassword(password, browser)
  expect({ status, location }).toEqual({ status: 303, location: '/dashboard' })
  expect(headers.getSetCookie().join()).toMatch(
    /backhalf_session=[\w-]{43}; Path=\/dashboard; HttpOnly; SameSite=Lax/,
  )
  expect(await isSignedIn(browser)).toBe(true)
  await command('password')
  expect(await isSignedIn(browser)).toBe(false)
  expect((await tryPassword(password)).status).toBe(403)
})

secure.test('only this host sets the cookies if the public URL is https', async ({ service }) => {
  const browser = browse(service)
  const password = await command('password', service)
  const form = await browser.get('/dashboard/sign-in')
  const done = await browser.submit('/dashboard/sign-in', { password }, form)
  const cookies = [form, done].flatMap(({ headers }) => headers.getSetCookie())
  const attributes = '; Path=/; HttpOnly; Secure; SameSite=Lax'
  expect(cookies.map((cookie) => cookie.replace(/=[^;]+/, ''))).toEqual([
    `__Host-backhalf_csrf${attributes}`,
    `__Host-backhalf_session${attributes}`,
  ])
  expect(await isSignedIn(browser)).toBe(true)
  // Another host of the same site could have set this one.
  const session = browser.cookies.get('__Host-backhalf_session') ?? ''
  const cookie = `backhalf_session=${session}`
  const other = await fetch(`${service.baseUrl}/dashboard`, { headers: { cookie } })
  expect(other.url).toBe(`${service.baseUrl}/dashboard/sign-in`)
})

secure.test.for([
  ['go.example.com', 303],
  ['GO.example.com.:443', 303],
  ['localhost:8443', 303],
  ['second.example', 404],
  ['go.example.com.evil.example', 404],
] as const)('the dashboard answers at %s with %i', async ([host, status], { service }) => {
  for (const path of ['/dashboard', '/dashboard/keys']) {
    expect([path, await statusAt(service, path, host)]).toEqual([path, status])
  }
  const expected = status === 303 ? 200 : 404
  expect(await statusAt(service, '/dashboard/sign-in', host)).toBe(expected)
})

test('five wrong passwords lock the password for a while, but not one-time links', async () => {
  const password = await command('password')
  const wrong = await tryPassword('wrong')
  expect(wrong.status).toBe(403)
  expect(plainText(wrong)).toMatch(/ Backhalf Sign in .*This password is wrong\./)
  for (let tries = 2; tries <= 5; tries++) await tryPassword('wrong')
  expectPage(await tryPassword(password), 429, 'Try again in 15 minutes')
  expect(await isSignedIn(await signedIn(service, () => now))).toBe(true)
  now += 15 * 60_000
  expect((await tryPassword(password)).location).toBe('/dashboard')
})

test('counts each of many simultaneous attempts', async () => {
  const password = await command('password')
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, at) => tryPassword(`guess ${at}`)),
  )
  expect(guesses.some(({ status }) => status === 429)).toBe(true)
  expect((await tryPassword(password)).status).toBe(429)
})

test('a one-time link asks first, works once and expires after 15 minutes', async () => {
  const { pathname } = new URL(await command('link'))
  const browser = browse(service)
  // A program that checks links gets the page but does not press the button.
  expect((await browser.get(pathname)).text).toContain('signs you in')
  expect((await browser.post(pathname)).location).toBe('/dashboard')
  expect(await isSignedIn(browser)).toBe(true)
  const again = browse(service)
  await again.get('/dashboard/sign-in')
  for (const used of [await again.get(pathname), await again.post(pathname)]) {
    expectPage(used, 410, 'type npm run admin -- sign-in link there')
  }

  const late = new URL(await command('link')).pathname
  now += 15 * 60_000
  expect((await again.post(late)).status).toBe(410)
})

test('a session ends after 12 hours, or when the admin signs out', async () => {
  const browser = await signedIn(service, () => now)
  now += 12 * 3_600_000 - 1
  expect(await isSignedIn(browser)).toBe(true)
  now += 1
  expect(await isSignedIn(browser)).toBe(false)

  const other = await signedIn(service, () => now)
  const stolen = new Map(other.cookies)
  await other.get('/dashboard')
  expect((await other.post('/dashboard/sign-out')).location).toBe('/dashboard/sign-in')
  const thief = browse(service)
  for (const [name, value] of stolen) thief.cookies.set(name, value)
  expect(await isSignedIn(thief)).toBe(false)
})

test('tries no password and says why if the browser has no cookies', async () => {
  const password = await command('password')
  const browser = browse(service)
  await browser.get('/dashboard/sign-in')
  browser.cookies.clear()
  const page = await browser.post('/dashboard/sign-in', { password })
  expectPage(page, 403, 'your browser doesn’t accept the cookies of this service')
})

test('stores and logs no secret in plain text', async () => {
  const password = await command('password')
  const { pathname } = new URL(await command('link'))
  const token = pathname.split('/').at(-1) ?? ''
  const browser = browse(service)
  await browser.get(pathname)
  await browser.post(pathname)
  const { db } = service.database
  const stored = JSON.stringify([
    await db.selectFrom('dashboard_passwords').selectAll().execute(),
    await db.selectFrom('dashboard_tokens').selectAll().execute(),
    service.logLines,
  ])
  for (const secret of [password, token, browser.cookies.get('backhalf_session') ?? '?']) {
    expect(stored).not.toContain(secret)
  }
})
