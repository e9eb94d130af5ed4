import { pino } from 'pino'
import { expect, test } from 'vitest'
import { boltLogger } from '../../src/slack/bolt-logger.ts'

test('Bolt’s lines are ours, except those for debugging, which hold whole messages', () => {
  const lines: { level: number; msg: string; err?: { message: string } }[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[0])
  const logger = boltLogger(pino({ level: 'debug' }, { write }))
  logger.debug('Received a message: {"api_key":"secret"}')
  logger.info('connected')
  logger.error('it failed', new Error('why'))
  expect(lines).toMatchObject([
    { level: 30, msg: 'connected' },
    { level: 50, msg: 'it failed', err: { message: 'why' } },
  ])
})
