import { expect, test } from 'vitest'
import { signedIn } from '../../support/dashboard.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { call } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

describeOnEveryDatabase((opened) => {
  test('whatever is asked of it, the dashboard answers with pages', async () => {
    const service = await startService({ databaseUrl: opened.url })
    const browsing = await signedIn(service)
    const get = async (path: string) => (await browsing.get(path)).status
    expect((await browsing.get('/dashboard?q=a%00b')).text).toContain('No link holds “a b”.')
    expect(await get('/dashboard/links/%00')).toBe(404)
    expect(await get('/dashboard/links/%00/qr.png')).toBe(404)
    expect(await get('/dashboard/nothing')).toBe(404)
    expect(await get('/dashboard/')).toBe(200)
    for (const action of ['rotate', 'revoke']) {
      expect((await browsing.post(`/dashboard/keys/%00/${action}`)).status).toBe(303)
    }

    const cookie = [...browsing.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const post = (path: string, type: string, body: string) =>
      call(service.baseUrl + path, {
        method: 'POST',
        headers: { cookie, 'content-type': type },
        body,
      })
    const form = 'application/x-www-form-urlencoded'
    for (const [answer, status] of [
      [await post('/dashboard/keys', 'application/json', '{}'), 400],
      [await post('/dashboard/keys', form, 'a'.repeat(70_000)), 400],
      [await post('/dashboard/nothing', form, 'a=b'), 404],
    ] as const) {
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
    await service.close()
  })

  test('a form that a neighbour on the same site sends does nothing, CSRF token or not', async () => {
    const service = await startService({ databaseUrl: opened.url })
    const browsing = await signedIn(service)
    await browsing.get('/dashboard/domains')
    const wish = { hostname: 'planted.example' }
    const { status } = await browsing.post('/dashboard/domains', wish, {
      'sec-fetch-site': 'same-site',
    })
    expect(status).toBe(403)
    expect((await browsing.get('/dashboard/domains')).text).not.toContain('planted.example')
    await browsing.post('/dashboard/domains', wish, { 'sec-fetch-site': 'same-origin' })
    expect((await browsing.get('/dashboard/domains')).text).toContain('planted.example')
    await service.close()
  })
})

test('a fault of the service is a page as well', async () => {
  const broken = await startService()
  const browsing = await signedIn(broken)
  await broken.database.db.schema.dropTable('click_totals').execute()
  const { status, text, headers } = await browsing.get('/dashboard')
  expect(status).toBe(500)
  expect(text).toContain('Something went wrong here.')
  expect(text).not.toContain('click_totals')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  await broken.close()
})
