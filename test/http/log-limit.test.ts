import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogLimit } from '../../src/http/log-limit.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function setUp() {
  const lines: unknown[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  const logger = pino({ base: null, timestamp: false }, { write })
  return { limit: createLogLimit(logger), logger, lines }
}

test('writes the first five lines of a kind in a minute, and then how many were left out', () => {
  const { limit, logger, lines } = setUp()
  const reject = (): void => limit.write('401', () => logger.info('rejected'))
  for (let time = 0; time < 1_000; time++) reject()
  expect(lines).toEqual(Array(5).fill({ level: 30, msg: 'rejected' }))
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(5)).toEqual([
    { level: 40, kind: '401', leftOut: 995, msg: 'more lines of this kind were left out' },
  ])
  reject()
  expect(lines.at(-1)).toEqual({ level: 30, msg: 'rejected' })
})

test('counts each kind separately, up to a limit', () => {
  const { limit, logger, lines } = setUp()
  for (let kind = 0; kind < 1_000; kind++) limit.write(String(kind), () => logger.info('rejected'))
  expect(lines).toHaveLength(50 + 5)
})
