import { expect, test } from 'vitest'
import { ApiError, type ApiFault } from '../../src/client/errors/api-error.ts'
import { NetworkError } from '../../src/client/errors/network-error.ts'
import { RateLimitedError } from '../../src/client/errors/rate-limited-error.ts'
import { ResponseShapeError } from '../../src/client/errors/response-shape-error.ts'
import { TimeoutError } from '../../src/client/errors/timeout-error.ts'
import { AlreadyShortenedError } from '../../src/slack/already-shortened-error.ts'
import { explain } from '../../src/slack/explain.ts'
import { SlackInputError } from '../../src/slack/input/slack-input-error.ts'
import { KeyringError } from '../../src/workspaces/keyring-error.ts'
import { NotConnectedError } from '../../src/slack/not-connected-error.ts'

const api = (status: number, more: Partial<ApiFault> = {}): ApiError =>
  new ApiError({ status, message: 'The service’s words.', ...more })

const slackError = (error: string): Error =>
  Object.assign(new Error(error), { data: { ok: false, error } })

const AGAIN = 'Try again in a minute.'
const LOOK_FIRST =
  'The link may have been made all the same: look at /shorten list before you try again.'

test('faults of what was typed stay as they are', () => {
  const faults = [{ field: 'back_half', message: 'No.' }] as const
  expect(explain(new SlackInputError(faults))).toBe(faults)
})

test.each<[Error, string]>([
  [new NotConnectedError(), '/shorten connect'],
  [new KeyringError('lost'), 'An admin can enter it again with /shorten connect'],
  [api(401), 'An admin can enter a new one with /shorten connect'],
  [api(403), 'refused this: “The service’s words.” Whoever runs the service can say more'],
  [api(404), 'Ask whoever runs Backhalf to check'],
  [new NetworkError('ECONNREFUSED', { reached: false }), `can’t be reached just now. ${AGAIN}`],
  [new NetworkError('ECONNRESET', { reached: true }), LOOK_FIRST],
  [new TimeoutError('headers'), LOOK_FIRST],
  [new TimeoutError('connect'), AGAIN],
  [api(500), `(error 500). ${LOOK_FIRST}`],
  [api(503), `(error 503). ${AGAIN}`],
  [new ResponseShapeError(200, 'HTML instead of JSON'), LOOK_FIRST],
  [new RateLimitedError({ status: 429, message: 'Slow.' }, 4_200), 'Try again in 5 seconds.'],
  [new RateLimitedError({ status: 429, message: 'Slow.' }, 900_000), 'Try again in 15 minutes.'],
  [new RateLimitedError({ status: 429, message: 'Slow.' }, 86_400_000), 'Try again in 24 hours.'],
  [slackError('missing_scope'), 'An admin can grant it by installing the app again.'],
  [slackError('fatal_error'), 'Something went wrong on our side'],
  [new Error('a bug of ours'), 'Something went wrong on our side'],
])('%s says what to do next', (error, expected) => {
  const faults = explain(error, {})
  expect(faults).toHaveLength(1)
  expect(faults[0]?.field).toBeUndefined()
  expect(faults[0]?.message).toContain(expected)
})

test('when nothing was to be made, nothing may have been made', () => {
  expect(explain(new TimeoutError('headers'))[0]?.message).toContain(AGAIN)
})

test('a taken back-half belongs to the back-half', () => {
  const error = api(409, { code: 'BACK_HALF_CONFLICT' })
  expect(explain(error, { back_half: 'promo' })).toEqual([
    {
      field: 'back_half',
      message: '“promo” is taken on this domain. Choose another back-half.',
    },
  ])
})

test('a destination that is shortened already belongs to the destination, with the link if it is known', () => {
  expect(explain(api(409), {})).toEqual([
    {
      field: 'destination_url',
      message: 'This link is shortened already on this domain. /shorten list shows it.',
    },
  ])
  const shortlink = {
    name: 'lnk_1',
    destination_url: 'https://example.com/',
    shortlink_url: 'https://go.example.com/x',
  }
  const existing = { shortlink, utm: {} }
  expect(explain(new AlreadyShortenedError(existing, undefined, api(409)), {})).toEqual([
    {
      field: 'destination_url',
      message: 'This link is shortened already: https://go.example.com/x',
    },
  ])
})

test('a conflict that nothing tells apart names both', () => {
  const [fault] = explain(api(409, { code: 'CONFLICT' }), { back_half: 'promo' })
  expect(fault?.field).toBeUndefined()
  expect(fault?.message).toMatch(/back-half is taken, or this link is shortened already/)
})

test('the service’s words about fields stand at their fields', () => {
  const error = api(422, { fieldMessages: { title: 'Too long.', strange_thing: 'What?' } })
  expect(explain(error, {})).toEqual([
    { field: 'title', message: 'Too long.' },
    { message: 'strange_thing: What?' },
  ])
})

test('and where it names none, for the whole', () => {
  expect(explain(api(422), {})).toEqual([
    { message: 'The link service refused this: “The service’s words.”' },
  ])
})
