import { expect, test } from 'vitest'
import { DOMAINS_PATH, LIST_PATH, SHORTLINKS_PATH } from '../../../src/contract/endpoints.ts'
import { LINK_FIELD_NAMES } from '../../../src/contract/link-fields.ts'
import { cookieOf, multipartForm } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { call, callLink, linkIn, postForm } from '../../support/service-calls.ts'

describeService((service, browser) => {
  test('responds to odd requests with pages', async () => {
    const get = async (path: string) => (await browser.get(path)).status
    expect((await browser.get('/dashboard?q=a%00b')).text).toContain('No links match “a b”.')
    expect(await get('/dashboard/links/%00')).toBe(404)
    expect(await get('/dashboard/links/%00/qr.png')).toBe(404)
    expect(await get('/dashboard/nothing')).toBe(404)
    expect(await get('/dashboard/')).toBe(200)
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

  test('a NUL in a path, a query or a field never gets a 5xx', async () => {
    const [id, nul] = ['%00', '\0']
    const query = new URLSearchParams(
      ['q', 'owner', 'domain', 'tag', 'state', 'sort', 'page', 'from', 'color'].map((name) => [
        name,
        nul,
      ]),
    ).toString()
    const failed: unknown[] = []
    const expectAnswer = (what: string, { status, text }: { status: number; text: string }) => {
      // An import has sent its status before it reads a row.
      if (status >= 500 || !/<\/html>|^\{/.test(text)) failed.push([what, status])
    }
    const link = ['', '/edit', '/delete', '/qr.png', '/preview-image'].map(
      (end) => `/links/${id}${end}`,
    )
    const pages = [
      '',
      '/links/new',
      '/links.csv',
      '/import',
      '/keys',
      '/domains',
      `/domains/${id}`,
      '/tags',
      `/${id}`,
    ]
    const keys = ['rotate', 'revoke'].map((action) => `/keys/${id}/${action}`)
    const tag = `/tags/${service.ownerId}/${id}`
    for (const path of [...link, ...pages, ...keys, tag, `/sign-in/${id}`]) {
      const page = await browser.get(`/dashboard${path}?${query}`)
      if (page.status >= 500) failed.push(path)
    }

    const names = [
      'owner',
      'hostname',
      'id',
      'name',
      'description',
      'password',
      'expires',
      'permissions',
      'scopes',
      'domains',
    ]
    const fields = Object.fromEntries([...names, ...LINK_FIELD_NAMES].map((name) => [name, nul]))
    await browser.get('/dashboard/keys')
    const actions = ['turn-off', 'turn-on', 'delete', 'edit'].map(
      (action) => `/links/${id}/${action}`,
    )
    for (const path of [...actions, ...keys, '/links/new', '/keys', '/domains', `/sign-in/${id}`]) {
      const { status } = await browser.post(`/dashboard${path}`, fields)
      expect([path, status < 500]).toEqual([path, true])
    }
    const row = [service.ownerId, `a${nul}`, `a${nul}`].join()
    const file = new File(
      [`destination_url,owner_id,domain,back_half\nhttps://nul.test/,${row}\n`],
      'a.csv',
    )
    for (const choices of [
      { owner: nul, domain: nul },
      { owner: '', domain: 'default' },
    ]) {
      await browser.get('/dashboard/import')
      expectAnswer(
        'import',
        await browser.post('/dashboard/import', multipartForm({ ...choices, file })),
      )
    }

    const destination_url = 'https://nul.test/api'
    const { name } = linkIn(await postForm(service, { domain: 'default', destination_url }))
    for (const field of LINK_FIELD_NAMES) {
      const given = { [field]: `a${nul}` }
      const created = await postForm(service, { domain: 'default', destination_url, ...given })
      expectAnswer(`create with ${field}`, created)
      expectAnswer(`change ${field}`, await callLink(service, 'PATCH', name, { fields: given }))
    }
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const options = method === 'PATCH' ? { fields: { title: 'a' } } : {}
      expectAnswer(method, await callLink(service, method, id, options))
    }
    const api = [
      LIST_PATH,
      DOMAINS_PATH,
      `${SHORTLINKS_PATH}/${name}/clicks`,
      `${SHORTLINKS_PATH}/${id}/clicks`,
    ]
    for (const path of [...api, `/${id}`, `/${id}/qr.png`, `/preview-images/${id}`]) {
      const headers = { 'x-api-key': service.apiKey }
      expectAnswer(path, await call(`${service.baseUrl}${path}?${query}`, { headers }))
    }
    expect(failed).toEqual([])
  })
})
