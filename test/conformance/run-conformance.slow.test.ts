import { createServer as createTcpServer } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/timing/clock.ts'
import { isPrivateAddress } from '../../src/http/public-hostname.ts'
import { RULES } from '../../src/conformance/rules/rules.ts'
import { runConformance } from '../../src/conformance/run-conformance.ts'
import { failure, startFakeLinkService, type Responder } from '../support/fake-link-service.ts'
import { withService } from '../support/fixtures.ts'
import { freePort, listenOnLoopback } from '../support/free-port.ts'

const { test, service: real } = withService()

const API_KEY = 'bh_hunter2"%'

/** Runs the command without a terminal. */
async function run(argv: string[], more: Partial<Parameters<typeof runConformance>[1]> = {}) {
  let [out, err] = ['', '']
  const code = await runConformance(argv, {
    apiKey: API_KEY,
    out: (text) => (out += text),
    err: (text) => (err += text),
    clock: { ...systemClock, sleep: () => systemClock.sleep(5) },
    ...more,
  })
  return { code, out, err }
}

async function startFake(responder: Responder) {
  const service = await startFakeLinkService(responder)
  onTestFinished(() => service.close())
  return service
}

const argumentsFor = (baseUrl: string, ...more: string[]): string[] => [
  ...['--base-url', baseUrl, '--domain', 'go', '--yes', ...more],
]

/** Checks our own service. */
const runReal = (...more: string[]) =>
  run(argumentsFor(real.baseUrl, '--domain', real.domain.name, ...more), { apiKey: real.apiKey })

test('checks single sections, and deletes the links that it created', async () => {
  for (const section of ['1', '2', '2.1', '2.2', '4', '4.1', '4.2', '4.3', '5', '7', '8', '9']) {
    const { code, out, err } = await runReal('--only', section, '--json')
    expect(err).toContain('creates up to 12 links')
    expect(code).toBe(0)
    const { rules, links } = JSON.parse(out) as {
      rules: { section: string }[]
      links: { deleted: number; left: number }
    }
    expect(links.deleted, `§${section}`).toBeLessThanOrEqual(12)
    expect(links.left).toBe(0)
    for (const rule of rules) expect(`${rule.section}.`).toContain(`${section}.`)
  }
})

test('prints a table, and exits with 0 because our own service breaks no rule', async () => {
  const { code, out, err } = await runReal()
  expect(code).toBe(0)
  expect(out).toContain('  ✓  §4.2  A list without any parameters returns 200.\n')
  expect(out).toContain('  –  §1    A link can have a QR code.\n')
  expect(out).not.toContain('✗')
  const uncheckable = RULES.filter(({ check }) => typeof check === 'string')
  expect(out).toContain(`Rules: ${RULES.length - uncheckable.length} hold, 0 broken,`)
  expect(out).toContain('Links created and deleted: 12\n')
  expect(err).toContain('The specification has no way to delete links')
  expect(err).not.toContain('unencrypted')
  expect(out + err).not.toContain(real.apiKey)
})

test('warns of a key that is sent unencrypted to another machine, and creates no link unless the person at the terminal confirms', async () => {
  const service = await startFake(() => ({ status: 200, body: { data: [] } }))
  // The port responds on all of 127.0.0.0/8, and this name leads there, but it does not look like a loopback address.
  const url = service.baseUrl.replace('127.0.0.1', '0.0.0.0')
  const questions: string[] = []
  const confirm = async (question: string) => questions.push(question) === 0
  const { code, err } = await run(['--base-url', url, '--domain', 'go'], { confirm })
  expect({ code, questions }).toEqual({ code: 1, questions: ['Check this service now?'] })
  expect(err).toContain('so they stay')
  expect(err).toContain('the API key is sent unencrypted')
  expect(service.received.map(({ method }) => method)).toEqual(['GET'])
})

test.each([
  [[], 'Set --base-url URL and --domain ID'],
  [['--base-url', 'ftp://x', '--domain', 'go', '--yes'], 'The link service’s URL must'],
  [['--base-url', 'http://127.0.0.1:1', '--domain', 'go'], 'Add --yes'],
  [argumentsFor('http://127.0.0.1:1', '--only', '6'), '--only must be a section'],
  [argumentsFor('http://127.0.0.1:1', '--api-key', 'x'), '--api-key'],
  [[API_KEY], '[API key]'],
])('exits with 2 for the arguments %j', async (argv, message) => {
  const { code, err, out } = await run(argv)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(message)
})

test('exits with 2 without an API key, and prints its help', async () => {
  const { code, err } = await run(argumentsFor('http://127.0.0.1:1'), { apiKey: undefined })
  expect(code).toBe(2)
  expect(err).toContain('SHORTLINK_API_KEY')
  expect(await run(['--help'])).toMatchObject({ code: 0, err: '' })
})

test('says that nothing responds, in one line', async () => {
  const { code, out, err } = await run(argumentsFor(`http://127.0.0.1:${await freePort()}`))
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe('The service can’t be used: no connection (ECONNREFUSED).\n')
})

const REDIRECT = { status: 301, headers: { location: 'https://go.example.com/' }, body: '' }

test.each([
  ['breaks connections', 'destroy', 'the connection broke'],
  ['hangs', 'hang', 'no complete response within 0.3 seconds'],
  ['refuses the key', { status: 401, body: { key: API_KEY } }, 'refuses this API key'],
  ['redirects', REDIRECT, 'Its response: 301 to https://go.example.com/'],
] as const)('stops at once if the service %s', async (_, response, message) => {
  const service = await startFake(() => response)
  const { code, err } = await run(argumentsFor(service.baseUrl), { deadlineMs: 300 })
  expect(code).toBe(1)
  expect(err).toContain(message)
  expect(err).not.toContain(API_KEY)
  expect(service.received).toHaveLength(1)
})

test('stops at once if the port speaks another protocol', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined).resume()
    socket.end('220 mail.example.com ESMTP\r\n')
  })
  const url = await listenOnLoopback(server)
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { code, err } = await run(argumentsFor(url))
  expect(code).toBe(1)
  expect(err).toContain('something that is not HTTP')
})

test.each([
  ['hangs in every create', 'hang'],
  ['breaks the connection in every create', 'destroy'],
  ['answers creates with HTML', { status: 200, body: '<p>Hello' }],
  ['answers creates with ten megabytes', { status: 200, body: 'x'.repeat(10_000_000) }],
  ['answers creates with a deep array', { status: 200, body: '['.repeat(100_000) }],
] as const)('reports what is broken in a service that %s', async (_, response) => {
  const service = await startFake(({ method }) =>
    method === 'GET' ? { status: 200, body: { data: [] } } : response,
  )
  const { code, out } = await run(argumentsFor(service.baseUrl), { deadlineMs: 300 })
  expect(code).toBe(1)
  expect(out).toContain('✗')
  for (const line of out.split('\n')) expect(line.length).toBeLessThan(400)
})

/** A key in the spellings in which a service might repeat it, and characters that a terminal obeys. */
const ECHOED = {
  key: API_KEY,
  url: encodeURIComponent(API_KEY),
  inPath: new URL(`https://a.example/${API_KEY}`).href,
  inJson: JSON.stringify({ headers: { 'x-api-key': API_KEY } }),
  text: '\u001b[31m\u202e\u0007',
}

test.each([
  ['errors', { status: 418, body: `${JSON.stringify(ECHOED)}${API_KEY}\u001b[2J` }],
  ['a header', { status: 302, headers: { location: ECHOED.inPath }, body: ECHOED }],
  ['new links', { status: 201, body: { data: { shortlink: { shortlink_url: ECHOED.inPath } } } }],
])('shows no API key and no control characters of %s', async (_, response) => {
  const service = await startFake(({ method }) =>
    method === 'GET' ? { status: 200, body: { data: [], ...ECHOED } } : response,
  )
  for (const more of [[], ['--json']]) {
    const { code, out, err } = await run(argumentsFor(service.baseUrl, ...more))
    expect(code).toBe(1)
    expect(out).toContain('[API key]')
    expect(out + err).not.toMatch(/hunter2/i)
    expect(out + err).not.toMatch(/[^\P{C}\n]/u)
  }
})

test('opens no private address in the responses of a service that has a public one', async () => {
  const inside = await startFake(() => ({ status: 200, body: 'private' }))
  const { port } = new URL(inside.baseUrl)
  const opened = ['localhost', '127.0.0.1', '2130706433', '[::ffff:127.0.0.1]'].map(
    (host) => `http://${host}:${port}/`,
  )
  let shortUrl = ''
  const service = await startFake(({ method, url }) => {
    if (url === '/redirect')
      return { status: 302, headers: { location: `http://localhost:${port}/` }, body: '' }
    const shortlink = { name: 'a', shortlink_url: shortUrl }
    return { status: method === 'POST' ? 201 : 200, body: { data: { shortlink } } }
  })
  // Another address of this machine stands for a public one.
  const baseUrl = service.baseUrl.replace('127.0.0.1', '0.0.0.0')
  const isPrivate = (address: string): boolean => address !== '0.0.0.0' && isPrivateAddress(address)
  for (shortUrl of [...opened, `${baseUrl}/redirect`]) {
    const { out } = await run(argumentsFor(baseUrl, '--only', '1'), { isPrivate })
    expect(out, shortUrl).toContain('would open a private address, though the service has a public')
  }
  expect(inside.received).toEqual([])
})

test('waits as long as the service asks, and then goes on', async () => {
  let requests = 0
  const service = await startFake(({ headers }) => {
    if (requests++ === 1) return { status: 429, headers: { 'retry-after': '7' }, body: {} }
    const isKnown = headers['x-api-key'] === API_KEY
    return isKnown ? { status: 200, body: { data: [] } } : failure(401, 'UNKNOWN')
  })
  const waits: number[] = []
  const sleep = async (ms: number): Promise<void> => void waits.push(ms)
  const { out } = await run(argumentsFor(service.baseUrl, '--only', '5.3'), {
    clock: { ...systemClock, sleep },
  })
  expect(out).toContain('✓  §5.3  A list with an unknown API key is refused with 401.')
  expect(waits).toEqual([7_000])
})
