import { expect, test } from 'vitest'
import { DOMAINS_PATH, LIST_PATH, SHORTLINKS_PATH } from '../../../src/contract/endpoints.ts'
import { LINK_FIELD_NAMES } from '../../../src/contract/link-fields.ts'
import { cookieOf, importFile } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { call, callLink, create, newLink } from '../../support/service-calls.ts'

describeService((service, browser) => {
  test('responds to odd requests with pages', async () => {
    const get = async (path: string) => (await browser.get(path)).status
    expect((await browser.get('/dashboard?q=a%00b')).text).toContain('No links match “a b”.')
    expect(await get('/dashboard/links/%00')).toBe(404)
    expect(await get('/dashboard/links/%00/qr.png')).toBe(404)
    expect(await get('/dashboard/')).toBe(200)
    const post = (path: string, type: string, body: string) => {
      const headers = { cookie: cookieOf(browser), 'content-type': type }
      return call(service.baseUrl + path, { method: 'POST', headers, body })
    }
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

  test('a NUL in a path, a query or a field never gets a 5xx', async () => {
    const [id, nul] = ['%00', '\0']
    const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, nul]))
    const filters = ['q', 'owner', 'domain', 'tag', 'state', 'sort', 'page', 'from', 'color']
    const query = new URLSearchParams(named(filters)).toString()
    const failed: unknown[] = []
    const expectAnswer = (what: string, { status, text }: { status: number; text: string }) => {
      // An import has sent its status before it reads a row.
      if (status >= 500 || !/<\/html>|^\{/.test(text)) failed.push([what, status])
    }
    const link = `/links/${id}`
    const ofKey = ['destinations', 'rotate', 'revoke'].map((action) => `/keys/${id}/${action}`)
    const actions = [...ofKey, '/bulk/tags', '/keys', '/domains', '/links/new']
    const changes = ['turn-off', 'turn-on', 'delete', 'edit'].map((action) => `${link}/${action}`)
    const pictures = [`${link}/qr.png`, `${link}/preview-image`]
    const pages = ['', '/links.csv', '/import', `/domains/${id}`, '/tags', link, `/${id}`]
    const tag = `/tags/${service.ownerId}/${id}`
    for (const path of [...pages, ...pictures, ...changes, ...actions, tag, `/sign-in/${id}`]) {
      const { status } = await browser.get(`/dashboard${path}?${query}`)
      if (status >= 500) failed.push(path)
    }

    const ofKeys = ['name', 'description', 'expires', 'permissions', 'scopes', 'domains']
    const others = ['owner', 'link', 'destinations', 'hostname', 'id', 'password']
    const fields = named([...ofKeys, ...others, ...LINK_FIELD_NAMES])
    for (const path of [...changes, ...actions, `/sign-in/${id}`]) {
      const { status } = await browser.post(`/dashboard${path}`, fields)
      if (status >= 500) failed.push(`POST ${path}`)
    }
    const row = ['https://nul.test/', service.ownerId, `a${nul}`, `a${nul}`].join()
    const file = `destination_url,owner_id,domain,back_half\n${row}\n`
    for (const [owner, domain] of [
      [nul, nul],
      ['', 'default'],
    ] as const) {
      expectAnswer('import', await importFile(browser, file, { owner, domain }))
    }

    const destination_url = 'https://nul.test/api'
    const { name } = await newLink(service, { destination_url })
    for (const field of LINK_FIELD_NAMES) {
      const given = { [field]: `a${nul}` }
      expectAnswer(`create with ${field}`, await create(service, { destination_url, ...given }))
      expectAnswer(`change ${field}`, await callLink(service, 'PATCH', name, { fields: given }))
    }
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const options = method === 'PATCH' ? { fields: { title: 'a' } } : {}
      expectAnswer(method, await callLink(service, method, id, options))
    }
    const clicks = [name, id].map((one) => `${SHORTLINKS_PATH}/${one}/clicks`)
    const visits = [`/${id}`, `/${id}/qr.png`, `/preview-images/${id}`]
    for (const path of [LIST_PATH, DOMAINS_PATH, ...clicks, ...visits]) {
      const headers = { 'x-api-key': service.apiKey }
      expectAnswer(path, await call(`${service.baseUrl}${path}?${query}`, { headers }))
    }
    expect(failed).toEqual([])
  })
})
