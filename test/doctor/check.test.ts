import { expect, test } from 'vitest'
import {
  errorCode,
  masked,
  runCheck,
  withoutSecrets,
  type Finding,
} from '../../src/doctor/check.ts'
import { clockSkewMs, judgeClock } from '../../src/doctor/examine.ts'

const SECRET = 'xoxb-1111-2222-abcdefghijklmnop'

test.each([
  [SECRET, 'xoxb-…mnop'],
  ['xapp-1-A0123456-abcdefghijkl', 'xapp-…ijkl'],
  ['xoxe.xoxb-1-abcdefghijklmnop', 'xoxe.xoxb-…mnop'],
  ['bh_abcdefghijklmnopqrstuvwxyz', 'bh_…wxyz'],
  ['xoxb-short', 'xoxb-…'],
  ['hunter2', '…'],
  ['', '…'],
])('masks %j as %j', (secret, shown) => {
  expect(masked(secret)).toBe(shown)
})

test('masks every secret in a text', () => {
  expect(withoutSecrets(`${SECRET} and hunter2, ${SECRET}`, [SECRET, 'hunter2'])).toBe(
    'xoxb-…mnop and …, xoxb-…mnop',
  )
})

test('a check that takes too long is reported, and its signal aborts', async () => {
  let aborted = false
  const findings = await runCheck(
    'Slow',
    (signal) =>
      new Promise<Finding[]>(() => signal.addEventListener('abort', () => (aborted = true))),
    1,
  )
  expect(aborted).toBe(true)
  expect(findings).toMatchObject([{ name: 'Slow', status: 'unchecked' }])
  expect(findings[0]?.message).toContain('no answer within')
})

test('an unexpected error is reported without its message', async () => {
  const error = new TypeError(`bad token ${SECRET}`, { cause: new Error(SECRET) })
  const findings = await runCheck('Broken', () => Promise.reject(error))
  expect(findings).toMatchObject([{ name: 'Broken', status: 'unchecked' }])
  expect(JSON.stringify(findings)).toContain('TypeError')
  expect(JSON.stringify(findings)).not.toContain(SECRET)
})

test('an error is named by the code of its cause', () => {
  const cause = new AggregateError([Object.assign(new Error('no'), { code: 'ECONNREFUSED' })])
  expect(errorCode(new TypeError('fetch failed', { cause }))).toBe('ECONNREFUSED')
  expect(errorCode(new TypeError('fetch failed'))).toBe('TypeError')
  expect(errorCode('oh')).toBe('unknown error')
})

test.each([
  { what: 'the same second', date: 10_000, sentAt: 10_200, receivedAt: 10_700, skew: 0 },
  { what: 'a response that took long', date: 12_000, sentAt: 10_000, receivedAt: 19_000, skew: 0 },
  {
    what: 'a machine that is behind',
    date: 20_000,
    sentAt: 9_000,
    receivedAt: 10_000,
    skew: -10_000,
  },
  {
    what: 'a machine that is ahead',
    date: 10_000,
    sentAt: 21_500,
    receivedAt: 22_000,
    skew: 10_500,
  },
])('measures the clock with $what', ({ skew, ...time }) => {
  expect(clockSkewMs(time)).toBe(skew)
})

test.each([
  [-2_000, 'ok', 'at most a few seconds'],
  [-6_000, 'warning', '6 seconds behind'],
  [61_000, 'failed', '61 seconds ahead'],
  [-400_000, 'failed', '400 seconds behind'],
])('a clock that differs by %i ms is %s', (ms, status, message) => {
  const finding = judgeClock(ms)
  expect(finding.status).toBe(status)
  expect(finding.message).toContain(message)
})
