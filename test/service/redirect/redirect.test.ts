import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { expect } from 'vitest'
import { adminJson } from '../../support/admin.ts'
import { withService } from '../../support/fixtures.ts'
import { changeLink } from '../../support/links.ts'
import { addDomainRecord } from '../../support/rows.ts'
import { call, shorten } from '../../support/service-calls.ts'
import type { RunningService } from '../../support/service.ts'

const { test, service } = withService()
const proxied = withService({ publicUrl: 'https://go.example.com', trustProxy: '127.0.0.1' })
const unproxied = withService({ publicUrl: 'https://go.example.com' })

/** Requests a path with any Host, which fetch can't send. */
async function request(
  at: RunningService,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
) {
  const outgoing = httpRequest(at.baseUrl + path, { headers, method }).end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  incoming.resume()
  return { status: incoming.statusCode, location: incoming.headers.location }
}

const UTM = { utm_source: 'slack', utm_medium: 'chat' }
const WITH_UTM = { ...UTM, utm_analytics_enabled: 'true' }

test.each([
  ['plain', {}, 'https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['utm', WITH_UTM, 'https://a.example/?utm_medium=m#t', '/?utm_medium=m&utm_source=slack#t'],
  ['no-utm', UTM, 'https://a.example/?utm_medium=m#2', '/?utm_medium=m#2'],
  // A destination can't add a header.
  ['unicode', {}, 'https://a.example/ü?q=“a b”', '/%C3%BC?q=%E2%80%9Ca%20b%E2%80%9D'],
])('redirects with 302, also from memory: %s', async (backHalf, fields, destination, to) => {
  const url = await shorten(service, backHalf, { ...fields, destination_url: destination })
  const requests = [[url], [url], [url, 'HEAD'], [`${url}/`]] as const
  for (const [address, method = 'GET'] of requests) {
    const { status, headers, text } = await call(address, { method })
    const [location, cache] = [headers.get('location'), headers.get('cache-control')]
    expect({ status, text, location, cache }).toEqual({
      status: 302,
      text: '',
      location: new URL(to, 'https://a.example').href,
      cache: 'private, no-cache',
    })
  }
})

test.each(['/nothing', '/%00', '/a%2Fb', '/..%2f', `/${'a'.repeat(5000)}`, '/a/b', '/_?x=<b>'])(
  'returns a harmless 404 page for %s',
  async (path) => {
    const { status, headers, text } = await call(service.baseUrl + path)
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';style-src 'sha256-/)
    expect(text).toContain('<h1>This link doesn’t work.</h1>')
    expect(text).not.toContain('<script')
  },
)

test('distinguishes upper and lower case, and redirects a link that was requested before it was created', async () => {
  expect((await call(await shorten(service, 'CaSe'))).status).toBe(302)
  expect((await call(`${service.baseUrl}/case`)).status).toBe(404)
  const { headers } = await call(await shorten(service, 'case'))
  expect(headers.get('location')).toBe('https://example.com/case')
})

proxied.test('redirects a link on its own hostname only', async ({ service }) => {
  await addDomainRecord(service.database, 'brand')
  await shorten(service, 'a', { destination_url: 'https://example.com/built-in' })
  await shorten(service, 'a', { destination_url: 'https://example.com/brand', domain: 'brand' })
  const at = (host: string) => request(service, '/a', { host })
  const to = (location: string) => ({ status: 302, location })
  expect(await at('go.example.com')).toEqual(to('https://example.com/built-in'))
  expect(await at('Brand.Example:443')).toEqual(to('https://example.com/brand'))
  for (const host of ['evil.example', '.']) expect(await at(host)).toMatchObject({ status: 404 })
  const forwarded = { host: 'internal', 'x-forwarded-host': 'brand.example' }
  expect(await request(service, '/a', forwarded)).toEqual(to('https://example.com/brand'))
})

unproxied.test(
  'leads / and unknown back-halves of a hostname where it is told, and nothing else',
  async ({ service }) => {
    const [own, brand] = [{ host: 'go.example.com' }, { host: 'brand.example' }]
    const set = (id: string, ...urls: string[]) => adminJson(service, 'domains', 'set', id, ...urls)
    for (const id of ['brand', 'brand-2']) {
      await adminJson(service, 'domains', 'add', 'brand.example', '--id', id)
    }
    const notFoundUrl = ['--not-found-url', 'https://a.example/ü?q#x']
    await set('brand-2', ...notFoundUrl, '--home-url', 'https://a.example')
    const to = async (path: string, headers: Record<string, string>, method = 'GET') => {
      const { status, location } = await request(service, path, headers, method)
      return location ?? status
    }
    await shorten(service, 'known')
    await shorten(service, 'on-brand', { domain: 'brand' })
    await shorten(service, 'off', { domain: 'brand' })
    await changeLink(service.database, 'off', { enabled: 0 })
    await expect.poll(() => to('/', brand)).toBe('https://a.example/')
    const notFound = 'https://a.example/%C3%BC?q#x'
    for (const [path, headers, answer] of [
      ['/unknown', brand, notFound],
      ['/unknown/', brand, notFound],
      ['/not%20a%20back-half', brand, notFound],
      ['/on-brand', brand, 'https://example.com/on-brand'],
      ['/off', brand, 410],
      ['/on-brand/unknown', brand, 404],
      ['/unknown/qr.png', brand, 404],
      ['/robots.txt', brand, 200],
      ['/known', own, 'https://example.com/known'],
      ['/unknown', own, 404],
      ['/', own, 200],
      ['/', { host: 'unknown.example' }, 200],
    ] as const) {
      expect([path, await to(path, headers)]).toEqual([path, answer])
      expect([path, await to(path, headers, 'HEAD')]).toEqual([path, answer])
    }
    expect(await to('/unknown', brand, 'POST')).toBe(404)
    await set('brand', '--home-url', 'none')
    await set('default', '--home-url', 'https://b.example/')
    await expect.poll(() => to('/', own)).toBe('https://b.example/')
    await expect.poll(() => to('/', brand)).toBe(200)
  },
)
