import { expect, test } from 'vitest'
import { cookieOf } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { call } from '../../support/service-calls.ts'

describeService((service, browser) => {
  test('responds to odd requests with pages', async () => {
    const get = async (path: string) => (await browser.get(path)).status
    expect((await browser.get('/dashboard?q=a%00b')).text).toContain('No links match “a b”.')
    expect(await get('/dashboard/links/%00')).toBe(404)
    expect(await get('/dashboard/links/%00/qr.png')).toBe(404)
    expect(await get('/dashboard/nothing')).toBe(404)
    expect(await get('/dashboard/')).toBe(200)
    for (const action of ['rotate', 'revoke']) {
      expect((await browser.post(`/dashboard/keys/%00/${action}`)).status).toBe(303)
    }

    const cookie = cookieOf(browser)
    const post = (path: string, type: string, body: string) =>
      call(service.baseUrl + path, {
        method: 'POST',
        headers: { cookie, 'content-type': type },
        body,
      })
    const form = 'application/x-www-form-urlencoded'
    for (const [response, status] of [
      [await post('/dashboard/keys', 'application/json', '{}'), 400],
      [await post('/dashboard/keys', form, 'a'.repeat(70_000)), 400],
      [await post('/dashboard/nothing', form, 'a=b'), 404],
    ] as const) {
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })

  test('rejects a form from another host of the same site, even with a CSRF token', async () => {
    await browser.get('/dashboard/domains')
    const fields = { hostname: 'planted.example' }
    const { status } = await browser.post('/dashboard/domains', fields, {
      'sec-fetch-site': 'same-site',
    })
    expect(status).toBe(403)
    expect((await browser.get('/dashboard/domains')).text).not.toContain('planted.example')
    await browser.post('/dashboard/domains', fields, { 'sec-fetch-site': 'same-origin' })
    expect((await browser.get('/dashboard/domains')).text).toContain('planted.example')
  })
})
