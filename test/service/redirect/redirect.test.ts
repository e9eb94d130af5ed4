import { request as httpRequest } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, postForm } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

let service: RunningService
let publicService: RunningService

beforeAll(async () => {
  service = await startService()
  publicService = await startService({
    publicUrl: 'https://go.example.com',
    trustProxy: '127.0.0.1',
  })
})
afterAll(async () => {
  await service.close()
  await publicService.close()
})

async function shorten(
  destination_url: string,
  back_half: string,
  more: Record<string, string> = {},
  at = service,
): Promise<void> {
  const response = await postForm(at, { destination_url, domain: 'default', back_half, ...more })
  expect(response.status).toBe(200)
}

/** Requests a path with any Host, which fetch can't send. */
async function request(at: RunningService, path: string, headers: Record<string, string>) {
  const outgoing = httpRequest(at.baseUrl + path, { headers }).end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  incoming.resume()
  return { status: incoming.statusCode, location: incoming.headers.location }
}

test('redirects a short URL with 302, every time', async () => {
  await shorten('https://example.com/a?b=c#d', 'plain')
  for (const _time of ['first', 'cached']) {
    const { status, headers, text } = await call(`${service.baseUrl}/plain`)
    expect({
      status,
      text,
      location: headers.get('location'),
      cache: headers.get('cache-control'),
    }).toEqual({
      status: 302,
      text: '',
      location: 'https://example.com/a?b=c#d',
      cache: 'private, no-cache',
    })
  }
})

test('responds to HEAD as it does to GET', async () => {
  await shorten('https://example.com/head', 'head')
  const { status, headers } = await call(`${service.baseUrl}/head`, { method: 'HEAD' })
  expect({ status, location: headers.get('location') }).toEqual({
    status: 302,
    location: 'https://example.com/head',
  })
})

test('adds UTM parameters if they are enabled', async () => {
  const utm = { utm_source: 'slack', utm_medium: 'chat' }
  const destination = 'https://example.com/utm?utm_medium=mail#top'
  await shorten(destination, 'with-utm', { ...utm, utm_analytics_enabled: 'true' })
  await shorten(`${destination}2`, 'without-utm', utm)
  const locations = await Promise.all(
    ['with-utm', 'without-utm'].map(async (backHalf) =>
      (await call(`${service.baseUrl}/${backHalf}`)).headers.get('location'),
    ),
  )
  expect(locations).toEqual([
    'https://example.com/utm?utm_medium=mail&utm_source=slack#top',
    'https://example.com/utm?utm_medium=mail#top2',
  ])
})

test('a destination can’t add a header', async () => {
  await shorten('https://example.com/ü?q=“a b”', 'unicode')
  const { headers } = await call(`${service.baseUrl}/unicode`)
  expect(headers.get('location')).toBe('https://example.com/%C3%BC?q=%E2%80%9Ca%20b%E2%80%9D')
})

test('ignores a slash at the end', async () => {
  await shorten('https://example.com/slash', 'slash')
  const { headers } = await call(`${service.baseUrl}/slash/`)
  expect(headers.get('location')).toBe('https://example.com/slash')
})

test('shows a page if the service fails', async () => {
  const broken = await startService()
  await broken.database.close()
  const { status, text } = await call(`${broken.baseUrl}/anything`)
  expect(status).toBe(500)
  expect(text).toContain('<h1>Something went wrong here.</h1>')
  await broken.close()
})

test('distinguishes upper and lower case', async () => {
  await shorten('https://example.com/case', 'CaSe')
  expect((await call(`${service.baseUrl}/case`)).status).toBe(404)
})

test.each(['/nothing', '/%00', '/a%2Fb', '/..%2f', `/${'a'.repeat(5000)}`, '/a/b', '/_?x=<b>'])(
  'returns a harmless 404 page for %s',
  async (path) => {
    const { status, headers, text } = await call(service.baseUrl + path)
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';style-src 'sha256-/)
    expect(text).toContain('<h1>This link leads nowhere.</h1>')
    expect(text).not.toContain('<script')
  },
)

test('redirects a link that was requested before it was created', async () => {
  expect((await call(`${service.baseUrl}/early`)).status).toBe(404)
  await shorten('https://example.com/early', 'early')
  const { headers } = await call(`${service.baseUrl}/early`)
  expect(headers.get('location')).toBe('https://example.com/early')
})

test('redirects a link on its own hostname only', async () => {
  await publicService.database.db
    .insertInto('domains')
    .values({ id: 'brand', domain_name: 'brand.example', owner_id: null, created_at: 1 })
    .execute()
  await shorten('https://example.com/built-in', 'a', {}, publicService)
  await shorten('https://example.com/brand', 'a', { domain: 'brand' }, publicService)
  const at = (host: string) => request(publicService, '/a', { host })
  expect(await at('go.example.com')).toEqual({
    status: 302,
    location: 'https://example.com/built-in',
  })
  expect(await at('Brand.Example:443')).toEqual({
    status: 302,
    location: 'https://example.com/brand',
  })
  expect(await at('evil.example')).toEqual({ status: 404, location: undefined })
  expect(await at('.')).toEqual({ status: 404, location: undefined })
})

test('trusts X-Forwarded-Host only from a trusted proxy', async () => {
  await shorten('https://example.com/proxied', 'proxied', {}, publicService)
  const headers = { host: 'internal', 'x-forwarded-host': 'go.example.com' }
  expect((await request(publicService, '/proxied', headers)).status).toBe(302)
  const untrusting = await startService({ publicUrl: 'https://go.example.com' })
  await shorten('https://example.com/proxied', 'proxied', {}, untrusting)
  expect((await request(untrusting, '/proxied', headers)).status).toBe(404)
  await untrusting.close()
})
