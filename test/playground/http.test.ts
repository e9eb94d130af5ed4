import { getGlobalDispatcher } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WorkspaceState } from '../../src/simulator/protocol.ts'
import { startWorkspaceWithPage } from '../support/page.ts'

let slack: Awaited<ReturnType<typeof startWorkspaceWithPage>>

beforeAll(async () => {
  slack = await startWorkspaceWithPage()
})
afterAll(() => slack.close())

/** Sends a request with headers, or a path, that fetch would change. @returns the status */
async function raw(
  path: string,
  options: { method?: 'POST'; headers?: Record<string, string>; body?: string } = {},
): Promise<number> {
  const { origin } = new URL(slack.pageUrl)
  const sent = { origin, path, method: 'GET' as const, ...options }
  const { statusCode, body } = await getGlobalDispatcher().request(sent)
  await body.dump()
  return statusCode
}

function act(action: unknown, viewer = slack.ana.id): Promise<Response> {
  return fetch(new URL(`actions?viewer=${viewer}`, slack.pageUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action),
  })
}

const WRITE = { type: 'write', conversation: 'C0GENERAL000', text: 'hello' }

test('serves the page with a policy that runs only its own scripts', async () => {
  const response = await fetch(slack.pageUrl)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/default-src 'none';/)
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/)
  expect(policy).toMatch(/frame-ancestors 'none'/)
  expect(await response.text()).toContain('modules/playground/page/main.ts')
})

test('redirects to the page if the slash is missing', async () => {
  const response = await fetch(slack.pageUrl.slice(0, -1), { redirect: 'manual' })
  expect(response.headers.get('location')).toBe('/playground/')
})

test.each([
  'modules/playground/page/../open-playground.ts',
  'modules/simulator/shared/../protocol.ts',
  'modules/playground/page/%2e%2e/open-playground.ts',
  'modules/playground/page/..%2fopen-playground.ts',
  'modules/playground/page/tsconfig.json',
  'modules/playground/open-playground.ts',
  'modules/simulator/protocol.ts',
  'modules/main.ts',
  'vendor/../../main.ts',
  'vendor/constructor',
  'vendor/__proto__',
  'vendor/nothing.js',
  'modules/playground/page/none.ts',
  'files/F0000000000',
])('does not serve %s', async (path) => {
  expect(await raw(`/playground/${path}`)).toBe(404)
})

test('sends the state at once, and after every change, by default the first person’s', async () => {
  for (const viewer of [slack.ben.id, 'U0NOBODY']) {
    const states = statesOf(await fetch(new URL(`events?viewer=${viewer}`, slack.pageUrl)))
    const shown = viewer === 'U0NOBODY' ? slack.ana.id : viewer
    expect((await states.next()).value).toMatchObject({ viewer: shown, modals: [] })
    await slack.ana.types(`hello ${viewer}`, { in: 'general' })
    const { value } = await states.next()
    expect(value?.messages.C0GENERAL000?.at(-1)?.text).toBe(`hello ${viewer}`)
    await states.return(undefined)
  }
})

async function* statesOf(response: Response): AsyncGenerator<WorkspaceState, undefined, undefined> {
  let text = ''
  const chunks = response.body?.pipeThrough(new TextDecoderStream()) ?? []
  for await (const chunk of chunks) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield JSON.parse(text.slice('data: '.length, end)) as WorkspaceState
      text = text.slice(end + 2)
    }
  }
}

test('performs an action and returns its result', async () => {
  expect(await (await act(WRITE)).json()).toEqual({ ok: true })
  expect(slack.ben.sees('general').at(-1)?.text).toBe('hello')
  const unknown = { ok: false, message: '/unknown is not a valid command.' }
  expect(await (await act({ ...WRITE, text: '/unknown' })).json()).toEqual(unknown)
})

test.each<[string, unknown, string?]>([
  ['an empty action', {}],
  ['an action with an unknown field', { ...WRITE, admin: true }],
  ['an unknown action', { type: 'delete_workspace' }],
  ['an action of an unknown person', WRITE, 'U0NOBODY'],
])('rejects %s with a reason', async (_name, action, viewer) => {
  const response = await act(action, viewer)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ ok: false, message: expect.any(String) as unknown })
})

test('keeps an upload, and serves it so that no script in it runs', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const url = new URL(`uploads?viewer=${slack.ana.id}&name=card.svg`, slack.pageUrl)
  const uploaded = await fetch(url, { method: 'POST', body: svg })
  const file = (await uploaded.json()) as { id: string; url: string }
  expect(file).toEqual({
    id: file.id,
    name: 'card.svg',
    mimetype: 'image/svg+xml',
    size: svg.length,
    url: `/playground/files/${file.id}`,
  })
  const served = await fetch(new URL(file.url, slack.pageUrl))
  expect(await served.text()).toBe(svg)
  expect(served.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*sandbox$/)
  expect(served.headers.get('x-content-type-options')).toBe('nosniff')
})

test('rejects an upload that is empty or larger than 10 MB', async () => {
  const url = new URL(`uploads?viewer=${slack.ana.id}&name=card.png`, slack.pageUrl)
  expect(await (await fetch(url, { method: 'POST' })).json()).toMatchObject({ ok: false })
  const large = await fetch(url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) })
  expect(await large.json()).toEqual({ ok: false, message: 'A file can be at most 10 MB.' })
})

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])(
  'rejects every request for the foreign host %s',
  async (host) => {
    for (const path of ['', 'events', 'api/auth.test', 'files-pri/T-F/x']) {
      const post = path.startsWith('api') && ({ method: 'POST' } as const)
      expect(await raw(`/playground/${path}`, { ...post, headers: { host } })).toBe(403)
    }
  },
)

test.each<[string, Record<string, string>]>([
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['an opaque origin', { origin: 'null' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another origin of the same site', { 'sec-fetch-site': 'same-site' }],
])('rejects an action, or a call to Slack, from a web page of %s', async (_name, headers) => {
  const seen = slack.ana.sees('general').length
  for (const path of [`actions?viewer=${slack.ana.id}`, 'api/Your%20computer%20is%20infected']) {
    const status = await raw(`/playground/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(WRITE),
    })
    expect(status).toBe(403)
  }
  expect(slack.ana.sees('general')).toHaveLength(seen)
  expect(slack.refusals()).toEqual([])
})
