import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ACTIONS, GLOBAL_SHORTCUT, MESSAGE_SHORTCUT, VIEWS } from '../../src/slack/ids.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { signed, type Signing } from '../support/mcp.ts'
import { SIGNING_SECRET } from '../support/workspace.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const get = (path: string): Promise<Response> => fetch(`${app.running.appUrl}${path}`)

test('reports that the app is alive and ready', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
  // Slack has not answered yet whether it accepts the token.
  await expect.poll(async () => (await get('/readyz')).status).toBe(200)
})

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

interface Change extends Signing {
  body?: string
  type?: string
  path?: string
}

/** Sends a slash command signed as Slack does it, except for the changes, and returns the status. */
async function command({
  body = 'command=%2Fshorten&text=help&team_id=T1&user_id=U1',
  type = FORM_TYPE,
  path = '/slack/events',
  ...signing
}: Change = {}): Promise<number> {
  const headers = { 'content-type': type, ...signed(body, signing) }
  const response = await fetch(app.running.appUrl + path, { method: 'POST', headers, body })
  return response.status
}

test('accepts a request that Slack signed, unless it is stale or signed with another secret', async () => {
  expect(await command()).toBe(200)
  expect(await command({ secret: 'another' })).toBe(401)
  expect(await command({ time: Math.floor(Date.now() / 1000) - 301 })).toBe(401)
})

test('rejects a body of more than 256 KB', async () => {
  expect(await command({ body: `a=${'x'.repeat(256 * 1024)}` })).toBe(413)
})

test.for([
  ['no signature', {}],
  [
    'a signature of another kind',
    { 'x-slack-signature': 'v0=a', 'x-slack-request-timestamp': 1e10 },
  ],
  ['an old time', { 'x-slack-signature': `v0=${'a'.repeat(64)}`, 'x-slack-request-timestamp': 1 }],
] as const)('refuses a request with %s before its body arrives', async ([, headers]) => {
  const sent = request(`${app.running.appUrl}/slack/events`, { method: 'POST', headers })
  onTestFinished(() => void sent.destroy())
  sent.on('error', () => undefined).setHeader('content-length', 1_000_000)
  sent.flushHeaders()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(401)
})

test('answers a percent-encoded path', async () => {
  expect(await command({ path: '/slack/%65vents' })).toBe(200)
  expect(await command({ path: '/slack/%65vents', secret: 'another' })).toBe(401)
})

test('accepts a content type with parameters and capital letters', async () => {
  expect(await command({ type: 'Application/X-WWW-Form-Urlencoded; charset=utf-8' })).toBe(200)
  const body = '{"type":"url_verification","challenge":"c"}'
  expect(await command({ type: 'application/json; charset=utf-8', body })).toBe(200)
})

test.each([
  [JSON_TYPE, 'null'],
  [JSON_TYPE, '"text"'],
  [JSON_TYPE, '[]'],
  [JSON_TYPE, '{'],
  [JSON_TYPE, '{"event":null}'],
  [JSON_TYPE, '{"event":"text"}'],
  [FORM_TYPE, 'payload=null'],
  [FORM_TYPE, 'payload=7'],
  [FORM_TYPE, 'payload='],
])('refuses the signed body %s %s', async (type, body) => {
  expect(await command({ type, body })).toBe(400)
  expect((await get('/readyz')).status).toBe(200)
})

/** The status of an answer to what a user does in Slack: 404 if no listener acknowledges it. */
const interaction = (payload: object): Promise<number> => {
  const user = { user: { id: 'U1' }, team: { id: 'T1' } }
  return command({ body: `payload=${encodeURIComponent(JSON.stringify({ ...user, ...payload }))}` })
}

const action = (action_id: string) => ({
  type: 'block_actions',
  container: {},
  actions: [{ type: 'button', block_id: 'b', action_id }],
})

const form = (callback_id: string) => ({
  type: 'view_submission',
  view: { id: 'V1', callback_id, private_metadata: '', blocks: [], state: { values: {} } },
})

const NOT_SUBMITTED = new Set<string>([
  ...[VIEWS.alerts, VIEWS.settings, VIEWS.settingsTemplates, VIEWS.notice],
])

test.for([
  ...Object.values(ACTIONS).map(action),
  ...Object.values(VIEWS)
    .filter((id) => !NOT_SUBMITTED.has(id))
    .map(form),
  { type: 'shortcut', callback_id: GLOBAL_SHORTCUT },
  { type: 'message_action', callback_id: MESSAGE_SHORTCUT, message: { ts: '1.0' } },
])('has a listener for everything that Slack sends back: %j', async (payload) => {
  expect(await interaction(payload)).toBe(200)
})

test('returns 404 at once if no listener matches, as for IDs that it did not send', async () => {
  expect(await command({ type: JSON_TYPE, body: '{}' })).toBe(404)
  const unknown = [action('unknown'), form('unknown'), form(VIEWS.notice)]
  for (const type of ['shortcut', 'message_action']) {
    expect(await interaction({ type, callback_id: 'unknown' })).toBe(404)
  }
  for (const payload of unknown) expect(await interaction(payload)).toBe(404)
})

test.for(['', 'https://example.com', 'nonsense', 'list', 'connect', 'settings', 'disconnect'])(
  'has a listener for “/shorten %s”',
  async (text) => {
    const body = new URLSearchParams({ command: '/shorten', text, team_id: 'T1', user_id: 'U1' })
    expect(await command({ body: String(body) })).toBe(200)
  },
)

test('answers a connection test of Slack, which is not signed', async () => {
  expect(await command({ secret: 'another', body: 'ssl_check=1&payload=null' })).toBe(200)
})

/** Few enough to run every time. Try more with `FC_RUNS=5000`. */
const numRuns = Number(process.env['FC_RUNS'] ?? 150)

const TYPES =
  'event_callback block_actions view_submission view_closed shortcut message_action block_suggestion dialog_submission'

const FIELDS =
  'event command text actions channel view user team authorizations response_url message container name is_enterprise_install callback_id trigger_id'

/** Bodies that look like Slack's at first. */
const bodies = fc
  .record(
    {
      type: fc.oneof(fc.constantFrom(...TYPES.split(' ')), fc.jsonValue()),
      ...Object.fromEntries(FIELDS.split(' ').map((name) => [name, fc.jsonValue()])),
      team_id: fc.constantFrom('T1', null, 7),
    },
    { requiredKeys: [] },
  )
  .map((body) => JSON.stringify(body))

test('answers any body, signed or not, and never with a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        bodies,
        bodies.map((body) => `payload=${encodeURIComponent(body)}`),
        fc.json(),
        fc.string(),
      ),
      fc.constantFrom(JSON_TYPE, FORM_TYPE, 'text/plain'),
      fc.constantFrom(SIGNING_SECRET, SIGNING_SECRET, SIGNING_SECRET, 'another'),
      async (body, type, secret) => {
        const status = await command({ body, type, secret })
        expect([200, 400, 401, 404]).toContain(status)
        if (secret !== SIGNING_SECRET) expect([200, 401]).toContain(status)
      },
    ),
    { numRuns },
  )
  expect((await get('/readyz')).status).toBe(200)
})
