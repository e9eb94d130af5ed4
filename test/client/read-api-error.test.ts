import { expect, test } from 'vitest'
import { RateLimitedError } from '../../src/client/errors.ts'
import { readApiError } from '../../src/client/read-api-error.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

function read(status: number, error: unknown, headers: Record<string, string> = {}) {
  const response = {
    status,
    text: JSON.stringify({ error }),
    header: (name: string) => headers[name],
  }
  return readApiError(response, { apiKey: 'bh_hunter2', now: NOW })
}

test('falls back to a message of our own, member by member', () => {
  expect(read(400, { code: 'BAD_REQUEST', message: ' ', details: 'none' })).toMatchObject({
    message: 'The link service responded with 400 and no explanation.',
    code: 'BAD_REQUEST',
    details: {},
  })
})

test('shortens a message to 500 characters', () => {
  expect(read(400, { message: 'x'.repeat(10_000) }).message).toBe('x'.repeat(500))
})

test('waits two seconds after a 429 without Retry-After', () => {
  const error = read(429, { message: 'Slow down.' })
  expect(error).toBeInstanceOf(RateLimitedError)
  expect(error).toMatchObject({ retryAfterMs: 2_000, retryable: true })
})

test.each([
  ['req-7', 'req-7'],
  ['two words', undefined],
  ['x'.repeat(101), undefined],
])('reads the request id “%s” as %s', (header, requestId) => {
  expect(read(400, {}, { 'x-request-id': header }).requestId).toBe(requestId)
})
