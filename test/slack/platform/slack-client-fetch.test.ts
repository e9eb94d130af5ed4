import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSlackFetch } from '../../../src/slack/platform/slack-client.ts'
import { SlackTimeoutError } from '../../../src/slack/platform/slack-errors.ts'
import { listenOnLoopback } from '../../support/free-port.ts'
import { createFakeClock } from '../../support/platform.ts'

/** What the server does with each request, in order; afterwards it returns 200. */
let faults: ((response: ServerResponse) => void)[]
let requests: number
let server: Server
let url: string

beforeEach(async () => {
  faults = []
  requests = 0
  server = createServer((_request, response) => {
    requests += 1
    const fault = faults.shift() ?? ((one) => one.end('{"ok":true}'))
    fault(response)
  })
  url = await listenOnLoopback(server)
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const status = (code: number) => (response: ServerResponse) =>
  void response.writeHead(code, { 'retry-after': '7' }).end()
const reset = (response: ServerResponse) => void response.destroy()

test('sends a request again after a broken connection and after a 5xx', async () => {
  const clock = createFakeClock()
  faults = [reset, status(503)]
  const answer = createSlackFetch(clock)(url)
  await clock.endSleep(300)
  await clock.endSleep(1_000)
  expect(await (await answer).json()).toEqual({ ok: true })
  expect(requests).toBe(3)
  expect(clock.sleeping()).toEqual([])
})

test('returns the last answer if Slack keeps failing', async () => {
  const clock = createFakeClock()
  faults = [status(500), status(500), status(502)]
  const answer = createSlackFetch(clock)(url)
  await clock.endSleep(300)
  await clock.endSleep(1_000)
  expect((await answer).status).toBe(502)
})

test('leaves a 429 and a 404 to the caller', async () => {
  faults = [status(429), status(404)]
  const slackFetch = createSlackFetch(createFakeClock())
  const limited = await slackFetch(url)
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
  expect((await slackFetch(url)).status).toBe(404)
})

test.each([
  ['before an answer', () => undefined],
  ['in the middle of an answer', (response: ServerResponse) => void response.write('{"ok"')],
])('gives up after 3 s if Slack hangs %s, and does not send it again', async (_when, hang) => {
  const clock = createFakeClock()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>()
  faults = [(response) => (hang(response), arrive(undefined))]
  const answer = createSlackFetch(clock)(url)
  const rejected = expect(answer).rejects.toBeInstanceOf(SlackTimeoutError)
  await arrived
  await clock.endSleep(3_000)
  await rejected
  expect(requests).toBe(1)
})

test('sends a request only once if its trigger works only once, or if it posts a message', async () => {
  for (const method of ['views.open', 'views.push', 'chat.postMessage']) {
    faults = [reset]
    requests = 0
    const answer = createSlackFetch(createFakeClock())(`${url}/api/${method}`)
    await expect(answer).rejects.toThrow('fetch failed')
    expect(requests).toBe(1)
  }
})
