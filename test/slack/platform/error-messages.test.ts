import { expect, test } from 'vitest'
import {
  ApiError,
  LinkExistsError,
  LinkGoneError,
  NetworkError,
  RateLimitedError,
  ResponseShapeError,
  StaleEditError,
  TimeoutError,
} from '../../../src/client/errors.ts'
import { explainError, isExpected } from '../../../src/slack/platform/error-messages.ts'
import { fieldErrorText, SlackInputError } from '../../../src/slack/platform/field-errors.ts'
import { DuplicateError } from '../../../src/slack/shorten/duplicate/find-duplicate.ts'
import { NotConnectedError } from '../../../src/workspaces/connection.ts'
import { KeyringError } from '../../../src/workspaces/keyring.ts'
import { DatabaseUnavailableError } from '../../../src/workspaces/write-if-installed.ts'

type Init = ConstructorParameters<typeof ApiError>[0]

const api = (status: number, init: Partial<Init> = {}): ApiError =>
  new ApiError({ status, message: 'The service’s words.', ...init })

const slackError = (error: string): Error =>
  Object.assign(new Error(error), { data: { ok: false, error } })

const duplicateError = (): DuplicateError => {
  const link = {
    destination_url: 'https://example.com/',
    shortlink_url: 'https://go.example.com/x',
  }
  return new DuplicateError(link, undefined, api(409))
}

const TRY_AGAIN = 'Try again in a minute.'
const LOOK_FIRST =
  'The link may have been created anyway: look at /shorten list before you try again.'

test('says that the database is unavailable', () => {
  const error = new DatabaseUnavailableError('its disk is full')
  expect(explainError(error)).toEqual([
    { message: `Backhalf can’t reach its database right now. ${TRY_AGAIN}` },
  ])
  expect(isExpected(error)).toBe(false) // It belongs in the log.
})

test('says that a link is gone, or has changed since it was opened', () => {
  expect(explainError(new LinkGoneError({ status: 404 }))).toEqual([
    {
      message:
        'The link service doesn’t have this link anymore. It was probably deleted: look at /shorten list.',
    },
  ])
  expect(explainError(new StaleEditError({ status: 412 }))).toEqual([
    {
      message:
        'This link has changed since you opened it, so your change was not made. Open it again to see how it is now.',
    },
  ])
})

test('puts the field’s label before a message that is not shown at its field', () => {
  expect(fieldErrorText({ field: 'back_half', message: 'Taken.' })).toBe('Back-half: Taken.')
  expect(fieldErrorText({ message: 'Not connected.' })).toBe('Not connected.')
})

test('does not change the issues with what the user typed', () => {
  const issues = [{ field: 'back_half', message: 'No.' }] as const
  const error = new SlackInputError(issues)
  expect(explainError(error)).toBe(issues)
  expect(error.message).toBe('No.')
})

const CHANGE =
  'Change something and try again. If that doesn’t help, ask the person who runs the link service.'

const EXPLAINED: Record<string, Error> = {
  'This workspace isn’t connected to a link service. Admins can connect it with /shorten connect.':
    new NotConnectedError(),
  'This workspace’s API key can’t be read anymore. An admin can replace it with /shorten connect.':
    new KeyringError('lost'),
  'The link service doesn’t accept this workspace’s API key anymore. An admin can replace it with /shorten connect.':
    api(401),
  'The link service refused this: “The service’s words.” The person who runs the link service can tell you more.':
    api(403),
  'The link service refused this: “The service’s words.” The person who runs the link service can tell you more. An admin can replace the API key with /shorten connect.':
    api(403, { code: 'PERMISSION_DENIED' }),
  'The link service refused this: “Your plan allows 100 links”. The person who runs the link service can tell you more.':
    api(403, { code: 'FEATURE_LIMIT_EXCEEDED', message: 'Your plan allows 100 links' }),
  [`The link service refused this: “The service’s words.” ${CHANGE}`]: api(413),
  'The link service’s address redirects to another one (error 301). Ask the person who runs Backhalf to check it.':
    api(301),
  [`The link service took too long to answer earlier requests, so it wasn’t asked for this. ${TRY_AGAIN}`]:
    new TimeoutError('unsent'),
  'There is no link service at the address that Backhalf uses. Ask the person who runs Backhalf to check it.':
    api(404),
  [`The link service can’t be reached right now. ${TRY_AGAIN}`]: new NetworkError('ECONNREFUSED', {
    reached: false,
  }),
  [`The link service can’t be reached right now. ${LOOK_FIRST}`]: new NetworkError('ECONNRESET', {
    reached: true,
  }),
  [`The link service took too long to answer. ${LOOK_FIRST}`]: new TimeoutError('headers'),
  [`The link service took too long to answer. ${TRY_AGAIN}`]: new TimeoutError('connect'),
  [`The link service had a problem of its own (error 500). ${LOOK_FIRST}`]: api(500),
  [`The link service had a problem of its own (error 503). ${TRY_AGAIN}`]: api(503),
  [`Backhalf couldn’t understand the link service’s answer. ${LOOK_FIRST} If this keeps happening, ask the person who runs Backhalf to check the service’s address.`]:
    new ResponseShapeError(200, 'HTML instead of JSON'),
  [`The link service is getting too many requests. ${TRY_AGAIN}`]: new RateLimitedError(
    { status: 429, message: 'Slow.' },
    1_000,
  ),
  'The link service is getting too many requests. Try again in 13 seconds.': new RateLimitedError(
    { status: 429, message: 'Slow.' },
    12_001,
  ),
  'The link service is getting too many requests. Try again in 15 minutes.': new RateLimitedError(
    { status: 429, message: 'Slow.' },
    900_000,
  ),
  'The link service is getting too many requests. Try again in about a day.': new RateLimitedError(
    { status: 429, message: 'Slow.' },
    86_400_000,
  ),
  'The link service is getting too many requests. Try again in about 6 hours.':
    new RateLimitedError({ status: 429, message: 'Slow.' }, 5 * 3_600_000 + 1),
  'The link service is getting too many requests. Try again in about 30 days.':
    new RateLimitedError({ status: 429, message: 'Slow.' }, 30 * 86_400_000),
  'This needs a permission that Backhalf doesn’t have in this workspace. An admin can grant it by installing the app again.':
    slackError('missing_scope'),
  'Slack couldn’t do what Backhalf asked for. Try again in a minute.': slackError('fatal_error'),
  'Something went wrong on our side, and it has been logged. Please try again.': new Error('a bug'),
}

test.each(Object.entries(EXPLAINED))(
  'explains an error and says what to do next: %s',
  (message, error) => {
    expect(explainError(error, {})).toEqual([{ message }])
  },
)

test('does not say that a link may exist if no link was requested', () => {
  expect(explainError(new TimeoutError('headers'))[0]?.message).toContain(TRY_AGAIN)
})

test('says what may have been done if the answer to a change got lost', () => {
  const error = Object.assign(new TimeoutError('headers'), { call: 'update' as const })
  expect(explainError(error)[0]?.message).toContain('The link may have been changed anyway')
})

test('shows at the back-half that it is taken', () => {
  const error = api(409, { code: 'BACK_HALF_CONFLICT', message: undefined })
  expect(explainError(error, { back_half: 'promo' })).toEqual([
    {
      field: 'back_half',
      message: '“promo” is taken on this domain. Choose another back-half.',
    },
  ])
})

test('shows a duplicate at the destination, with the existing link if it is known', () => {
  expect(explainError(api(409, { message: undefined }), {})).toEqual([
    {
      field: 'destination_url',
      message:
        'This destination already has a short link on this domain, but Backhalf couldn’t find it. Look for it with /shorten list, or ask the person who runs the link service.',
    },
  ])
  expect(explainError(duplicateError(), {})).toEqual([
    {
      field: 'destination_url',
      message: 'This destination already has a short link: https://go.example.com/x',
    },
  ])
})

test('names both causes of a conflict if the service’s answer leaves them open', () => {
  const error = api(409, { code: 'CONFLICT', message: undefined })
  expect(explainError(error, { back_half: 'promo' })).toEqual([
    {
      message:
        'Either the back-half is taken, or this destination already has a short link on this domain. Choose another back-half, or look at /shorten list.',
    },
  ])
})

test('shows the service’s own words about a conflict, on one line and within bounds', () => {
  const message = `“promo” was\nused before.${' Never again!'.repeat(100)}`
  const [issue] = explainError(api(409, { code: 'CONFLICT', message }), { back_half: 'promo' })
  expect(issue?.message).toMatch(
    /Choose another back-half, or look at \/shorten list\. The link service says: ““promo” was used before\. Never again! .*…”$/,
  )
  expect(issue?.message.length).toBeLessThan(500)
})

test('shows the link that may be the result of a create whose answer got lost', () => {
  const link = {
    name: 'a',
    destination_url: 'https://a.example/',
    shortlink_url: 'https://s.example/a',
  }
  expect(explainError(new LinkExistsError(link, api(502)), {})).toEqual([
    {
      field: 'destination_url',
      message:
        'The link service’s answer got lost, but this destination has a short link, which you can use: https://s.example/a',
    },
  ])
})

test('shows the service’s messages about fields at their fields', () => {
  const error = api(422, { fieldMessages: { title: 'Too long.', strange_thing: 'What?' } })
  expect(explainError(error, {})).toEqual([
    { field: 'title', message: 'Too long.' },
    { message: 'strange_thing: What?' },
  ])
})

test.each([400, 422])('says what to do next if the service names no field, for a %i', (status) => {
  const said = 'The link service refused this: “The service’s words.”'
  expect(explainError(api(status), {})).toEqual([{ message: `${said} ${CHANGE}` }])
  expect(explainError(api(status))).toEqual([
    { message: `${said} The person who runs the link service can tell you more.` },
  ])
  expect(explainError(api(status, { message: undefined }), {})).toEqual([
    { message: `The link service refused this without saying why (error ${status}). ${CHANGE}` },
  ])
})

test('expects errors of the user and of the link service, which need no line in the log', () => {
  const expected = [
    new SlackInputError([]),
    duplicateError(),
    new NotConnectedError(),
    api(500),
    new TimeoutError('connect'),
  ]
  expect(expected.map(isExpected)).toEqual(expected.map(() => true))
  const unexpected = [new Error('a bug'), new KeyringError('lost'), slackError('fatal_error'), 'x']
  expect(unexpected.map(isExpected)).toEqual(unexpected.map(() => false))
})
