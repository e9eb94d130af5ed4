import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { boltLogger } from '../../../src/slack/platform/slack-client.ts'
import { isTemporary, slackErrorCode } from '../../../src/slack/platform/slack-errors.ts'

test('writes Bolt’s lines to our log, except debug lines, which contain whole messages', () => {
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

const failed = (data: unknown): Error => Object.assign(new Error('failed'), { data })

test('reads Slack’s code from a failed Web API call, and finds none elsewhere', () => {
  expect(slackErrorCode(failed({ ok: false, error: 'hash_conflict' }))).toBe('hash_conflict')
  const others = [failed({ error: 1 }), failed(null), new Error('x'), { data: { error: 'x' } }]
  expect(others.map(slackErrorCode)).toEqual(others.map(() => undefined))
})

test('counts what passes on Slack’s side as temporary, and neither refusals nor our own mistakes', () => {
  const temporary = [
    new WebAPIRequestError(new TypeError('fetch failed')),
    new WebAPIRateLimitedError(1),
    new WebAPIHTTPError(503, 'Service Unavailable', {}),
    failed({ ok: false, error: 'internal_error' }),
    failed({ ok: false, error: 'ratelimited' }),
  ]
  const lasting = [
    new WebAPIHTTPError(404, 'Not Found', {}),
    failed({ ok: false, error: 'invalid_blocks' }),
    new TypeError('x is not a function'),
    undefined,
  ]
  expect(temporary.filter((error) => !isTemporary(error))).toEqual([])
  expect(lasting.filter(isTemporary)).toEqual([])
})
