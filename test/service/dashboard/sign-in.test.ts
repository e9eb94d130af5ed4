import { afterEach, beforeEach, expect, test } from 'vitest'
import { browse, signedIn, signInCommand, type Browsing } from '../../support/dashboard.ts'
import { startService, type RunningService } from '../../support/service.ts'

let now: number
let service: RunningService

beforeEach(async () => {
  now = Date.parse('2027-03-01T12:00:00.000Z')
  service = await startService({ now: () => now })
})
afterEach(() => service.close())

const command = (what: 'link' | 'password') => signInCommand(service, what, () => now)

async function tryPassword(password: string, browsing = browse(service)) {
  await browsing.get('/dashboard/sign-in')
  return browsing.post('/dashboard/sign-in', { password })
}

const mayLook = async (browsing: Browsing) => (await browsing.get('/dashboard')).status === 200

test.each(['/dashboard', '/dashboard/keys', '/dashboard/domains', '/dashboard/links/x'])(
  '%s leads whoever is not signed in to the sign-in',
  async (path) => {
    const { status, location } = await browse(service).get(path)
    expect({ status, location }).toEqual({ status: 303, location: '/dashboard/sign-in' })
  },
)

test('the password signs in, until it is replaced', async () => {
  const password = await command('password')
  const browsing = browse(service)
  const { status, location, headers } = await tryPassword(password, browsing)
  expect({ status, location }).toEqual({ status: 303, location: '/dashboard' })
  expect(headers.getSetCookie().join()).toMatch(
    /backhalf_session=[\w-]{43}; Path=\/dashboard; HttpOnly; SameSite=Lax/,
  )
  expect(await mayLook(browsing)).toBe(true)
  await command('password')
  expect(await mayLook(browsing)).toBe(false)
  expect((await tryPassword(password)).status).toBe(403)
})

test('where the world comes by https, cookies travel by nothing else', async () => {
  const secure = await startService({ publicUrl: 'https://go.example.com' })
  const { headers } = await browse(secure).get('/dashboard/sign-in')
  expect(headers.getSetCookie()).toEqual([expect.stringContaining('; Secure')])
  await secure.close()
})

test('after five wrong passwords none is tried for a while, and a one-time link still works', async () => {
  const password = await command('password')
  const wrong = await tryPassword('wrong')
  expect({ status: wrong.status, text: wrong.text }).toEqual({
    status: 403,
    text: expect.stringContaining('That isn’t the password.') as string,
  })
  for (let tries = 2; tries <= 5; tries++) await tryPassword('wrong')
  const locked = await tryPassword(password)
  expect(locked.status).toBe(429)
  expect(locked.text).toContain('Try again in 15 minutes')
  expect(await mayLook(await signedIn(service, () => now))).toBe(true)
  now += 15 * 60_000
  expect((await tryPassword(password)).location).toBe('/dashboard')
})

test('many tries at once are as many tries', async () => {
  const password = await command('password')
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, at) => tryPassword(`guess ${at}`)),
  )
  expect(guesses.some(({ status }) => status === 429)).toBe(true)
  expect((await tryPassword(password)).status).toBe(429)
})

test('a one-time link asks first, works once, and ends after 15 minutes', async () => {
  const { pathname } = new URL(await command('link'))
  const browsing = browse(service)
  // A program that looks at links only gets the page.
  expect((await browsing.get(pathname)).text).toContain('signs you in')
  expect((await browsing.post(pathname)).location).toBe('/dashboard')
  expect(await mayLook(browsing)).toBe(true)
  const again = browse(service)
  await again.get(pathname)
  const used = await again.post(pathname)
  expect(used.status).toBe(403)
  expect(used.text).toMatch(/role="alert">This link was used already/)
  expect(used.text).not.toContain('aria-invalid=')

  const late = new URL(await command('link')).pathname
  now += 15 * 60_000
  await again.get(late)
  expect((await again.post(late)).text).toContain('more than 15 minutes old')
})

test('a session ends by itself after 12 hours, and at once by signing out', async () => {
  const browsing = await signedIn(service, () => now)
  now += 12 * 3_600_000 - 1
  expect(await mayLook(browsing)).toBe(true)
  now += 1
  expect(await mayLook(browsing)).toBe(false)

  const other = await signedIn(service, () => now)
  const stolen = new Map(other.cookies)
  await other.get('/dashboard')
  expect((await other.post('/dashboard/sign-out')).location).toBe('/dashboard/sign-in')
  const thief = browse(service)
  for (const [name, value] of stolen) thief.cookies.set(name, value)
  expect(await mayLook(thief)).toBe(false)
})

test('a form that comes from elsewhere does nothing', async () => {
  const browsing = await signedIn(service, () => now)
  const elsewhere = browse(service)
  for (const [name, value] of browsing.cookies) elsewhere.cookies.set(name, value)
  const { status, text } = await elsewhere.post('/dashboard/keys', { name: 'stolen' })
  expect(status).toBe(403)
  expect(text).toContain('That page is out of date.')
  expect((await browsing.get('/dashboard/keys')).text).not.toContain('stolen')
})

test('whose browser keeps no cookies is told so, and no password is tried', async () => {
  const password = await command('password')
  const browsing = browse(service)
  await browsing.get('/dashboard/sign-in')
  browsing.cookies.clear()
  const { status, text } = await browsing.post('/dashboard/sign-in', { password })
  expect(status).toBe(403)
  expect(text).toContain('your browser doesn’t keep the cookies of this service')
})

test('nothing secret is kept in the clear, or logged', async () => {
  const password = await command('password')
  const { pathname } = new URL(await command('link'))
  const token = pathname.split('/').at(-1) ?? ''
  const browsing = browse(service)
  await browsing.get(pathname)
  await browsing.post(pathname)
  const { db } = service.database
  const kept = JSON.stringify([
    await db.selectFrom('dashboard_passwords').selectAll().execute(),
    await db.selectFrom('dashboard_tokens').selectAll().execute(),
    service.logLines,
  ])
  for (const secret of [password, token, browsing.cookies.get('backhalf_session') ?? '?']) {
    expect(kept).not.toContain(secret)
  }
})
