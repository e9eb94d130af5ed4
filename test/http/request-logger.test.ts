import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createHttpServer } from '../../src/http/server.ts'

/** A server whose `/log` logs a line, and whose `/quiet` logs nothing. Both respond with the request's ID. */
function startServer() {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const server = createHttpServer({
    logger,
    trustProxy: undefined,
    isReady: () => Promise.resolve(true),
  })
  onTestFinished(() => server.close())
  server.get('/quiet', ({ id }) => id)
  server.get('/log', ({ id, log }) => {
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const)
      log[level]({ level: level.length }, 'a line of %s', level)
    log.child({ part: 'one' }).info('a line of a part')
    return id
  })
  return { server, lines, logger }
}

test('logs a request’s lines with its ID, on every level', async () => {
  const { server, lines } = startServer()
  const { body: requestId } = await server.inject('/log')
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(logged.map(({ msg }) => msg)).toEqual([
    ...['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => `a line of ${level}`),
    'a line of a part',
  ])
  expect(logged.every((line) => line['requestId'] === requestId)).toBe(true)
  expect(logged.at(-1)).toMatchObject({ part: 'one' })
})

test('makes no child logger for a request that logs nothing', async () => {
  const { server, logger } = startServer()
  await server.ready()
  const child = vi.spyOn(Object.getPrototypeOf(logger) as typeof logger, 'child')
  onTestFinished(() => child.mockRestore())
  await server.inject('/quiet')
  expect(child).not.toHaveBeenCalled()
  await server.inject('/log')
  expect(child).toHaveBeenCalled()
})

test('gives each request an ID that no other process gives', async () => {
  const ids: string[] = []
  for (const { server } of [startServer(), startServer()]) {
    for (let at = 0; at < 3; at++) ids.push((await server.inject('/quiet')).body)
  }
  expect(new Set(ids).size).toBe(6)
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
})
