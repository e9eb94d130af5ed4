import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startMetrics } from '../../src/http/metrics-server.ts'
import { scrape, total } from '../support/scrape.ts'

async function start() {
  const started = await startMetrics({ host: '127.0.0.1', port: 0 })
  if (!started) throw new Error('nothing was started')
  onTestFinished(() => started.close())
  return started
}

test('starts nothing without a port', async () => {
  expect(await startMetrics(undefined)).toBeUndefined()
})

test('serves the metrics at /metrics, and nothing else', async () => {
  const { url } = await start()
  expect((await scrape(url)).has('backhalf_event_loop_delay_seconds')).toBe(true)
  for (const [path, method] of [
    ['/', 'GET'],
    ['/metrics/more', 'GET'],
    ['/metrics', 'POST'],
    ['/readyz', 'GET'],
  ] as const) {
    expect((await fetch(new URL(path, url), { method })).status, `${method} ${path}`).toBe(404)
  }
})

test('measures the event loop only once there is a server, because a start or a migration delays no one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { url, metrics } = await start()
  const measured = async () => {
    vi.advanceTimersByTime(1_000)
    return total(await scrape(url), 'backhalf_event_loop_delay_seconds')
  }
  expect(await measured()).toBe(0)
  metrics.http('service').watchReadiness(() => Promise.resolve(true))
  expect(await measured()).toBe(50)
})

test('scrapes that arrive together share one', async () => {
  const { url, metrics } = await start()
  const { promise: slow, resolve } = Promise.withResolvers<boolean>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>()
  let checks = 0
  metrics.http('app').watchReadiness(() => {
    checks++
    begin(undefined)
    return slow
  })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const requests = ['keep-alive', 'keep-alive', 'close'].map(
    (connection) => `GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`,
  )
  socket.write(requests.join(''))
  await begun
  resolve(true)
  const responses = await text(socket)
  expect(responses.match(/^backhalf_ready\{server="app"\} 1$/gm)).toHaveLength(3)
  expect(checks).toBe(1)
  expect(total(await scrape(url), 'backhalf_ready', { server: 'app' })).toBe(1)
  expect(checks).toBe(2)
})

test('idle connections don’t keep a scraper out', async () => {
  const { url } = await start()
  const { port, hostname } = new URL(url)
  for (let opened = 0; opened < 30; opened++) {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    if (opened % 2 === 0) continue
    // Kept alive after a response.
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket, 'data')
  }
  expect((await scrape(url)).size).toBeGreaterThan(0)
})
