import { expect, test } from 'vitest'
import { rootErrorCode, masked, runCheck, withoutSecrets } from '../../src/doctor/check.ts'
import { judgeClock } from '../../src/doctor/run-doctor.ts'
import { finding } from './finding.ts'

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
  let given: AbortSignal | undefined
  const findings = await runCheck('Slow', (signal) => new Promise(() => (given = signal)), 1)
  expect(given?.aborted).toBe(true)
  expect(findings).toEqual([finding('unchecked', 'no response within')])
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
  expect(rootErrorCode(new TypeError('fetch failed', { cause }))).toBe('ECONNREFUSED')
  expect(rootErrorCode(new TypeError('fetch failed'))).toBe('TypeError')
  expect(rootErrorCode('oh')).toBe('unknown error')
})

test.each([
  [-59_000, 'ok', 'less than a minute'],
  [61_000, 'failed', '61 seconds ahead'],
  [-400_000, 'failed', '400 seconds behind'],
] as const)('a clock that differs by %i ms is %s', (ms, status, message) => {
  expect(judgeClock(ms)).toEqual(finding(status, message))
})
