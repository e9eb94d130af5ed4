import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import {
  created,
  failure,
  type Answer,
  type ForeignService,
} from '../../support/fake-link-service.ts'
import { texts } from '../../support/texts.ts'

let service: ForeignService
let app: AppElsewhere

beforeAll(async () => {
  app = await startAppElsewhere()
  service = app.service
})
afterEach(() => {
  expect(app.slack.takeRefusals()).toEqual([])
})
afterAll(() => app.stop())

/** What Ana is told after a command. */
async function told(command: string): Promise<string> {
  const { ana, until } = app.slack
  const seen = ana.sees('general').length
  await ana.types(command, { in: 'general' })
  const answer = await until(() =>
    ana
      .sees('general')
      .slice(seen)
      .find(({ author }) => author.kind === 'app'),
  )
  expect(answer.ephemeral).toBe(true)
  return texts(answer)
}

const SHORTEN = '/shorten https://example.com/page spring qr=off'

test.each<[string, Answer, string]>([
  ['401', failure(401, 'AUTHENTICATION_REQUIRED'), 'doesn’t accept this workspace’s API key'],
  ['403', failure(403, 'FEATURE_LIMIT_EXCEEDED', { message: 'All used up.' }), '“All used up.”'],
  ['409 for the back-half', failure(409, 'BACK_HALF_CONFLICT'), '“spring” is taken'],
  ['409 for the destination', failure(409, 'DUPLICATE_DESTINATION_URL'), 'shortened already'],
  ['409 for who knows what', failure(409, 'CONFLICT'), 'The back-half is taken, or this link'],
  ['422', failure(422, 'X', { details: { back_half: 'Too short.' } }), 'Too short.'],
  ['429', failure(429, 'X', { headers: { 'retry-after': '90' } }), 'Try again in 90 seconds.'],
  ['500', failure(500, 'INTERNAL_ERROR'), 'look at /shorten list before you try again'],
  ['HTML instead of JSON', { status: 200, body: '<html>' }, 'made no sense to me'],
  ['an HTML error page', { status: 404, body: '<html>' }, 'Ask whoever runs Backhalf to check'],
])('%s has its own words', async (_name, answer, words) => {
  service.answers(() => answer)
  const said = await told(SHORTEN)
  expect(said).toContain(words)
  expect(said).toContain(SHORTEN)
  expect(said).not.toContain('key-1')
})

test('a list that fails has words too', async () => {
  service.answers(() => failure(500, 'INTERNAL_ERROR'))
  expect(await told('/shorten list')).toContain('Try again in a minute')
})

test('an answer that got lost is asked for again, and the link comes once', async () => {
  service.received.length = 0
  service.answers(() => (service.received.length === 1 ? 'destroy' : created()))
  expect(await told(SHORTEN)).toContain('https://go.example.com/x7Kp2Qa')
  const [first, second] = service.received.map(({ headers }) => headers['idempotency-key'])
  expect(service.received).toHaveLength(2)
  expect(second).toBe(first)
})

test('a service that is down has its own words', async () => {
  await service.close()
  expect(await told(SHORTEN)).toContain('can’t be reached just now')
})
