import { existsError } from '../../../src/client/lost-create.ts'
import { expect, test } from 'vitest'
import { failedCall, goneError } from '../../support/failed-call.ts'
import {
  LinkServiceError,
  NetworkError,
  ResponseShapeError,
  TimeoutError,
} from '../../../src/port/failures.ts'
import { explainError, isExpected } from '../../../src/slack/platform/error-messages.ts'
import { SlackInputError, type FieldError } from '../../../src/slack/platform/field-errors.ts'
import { DuplicateError } from '../../../src/slack/shorten/duplicate/find-duplicate.ts'
import { NotConnectedError } from '../../../src/workspaces/connection.ts'
import { KeyringError } from '../../../src/workspaces/keyring.ts'
import { DatabaseUnavailableError } from '../../../src/workspaces/write-if-installed.ts'

const CREATE = { call: 'create' } as const
const api = (status: number, init: Partial<Parameters<typeof failedCall>[0]> = {}) =>
  Object.assign(failedCall({ status, message: 'The service’s words.', ...init }), CREATE)

const limited = (retryAfterMs: number) =>
  new LinkServiceError('Slow.', { failure: { kind: 'busy', retryAfterMs } })

const slackError = (error: string): Error =>
  Object.assign(new Error(error), { data: { ok: false, error } })

const TRY_AGAIN = 'Try again in a minute.'
const LOOK_FIRST =
  'The link might have been created anyway: look at /shorten list before you try again.'

const CHANGE =
  'Change something and try again. If that doesn’t help, ask the person who runs the link service.'

const EXPLAINED: Record<string, Error> = {
  [`Backhalf can’t reach its database right now. ${TRY_AGAIN}`]: new DatabaseUnavailableError(
    'full',
  ),
  'The link service doesn’t have this link anymore. It was probably deleted: look at /shorten list.':
    goneError(),
  'Not saved: this link changed since you opened it. Reopen it to see the latest version.': api(
    412,
    { isAboutLink: true },
  ),
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
  [`The link service is responding slowly, so this wasn’t sent. ${TRY_AGAIN}`]: new TimeoutError(
    'unsent',
  ),
  'There is no link service at the address that Backhalf uses. Ask the person who runs Backhalf to check it.':
    api(404),
  [`The link service can’t be reached right now. ${TRY_AGAIN}`]: new NetworkError('ECONNREFUSED', {
    reached: false,
  }),
  [`The link service can’t be reached right now. ${LOOK_FIRST}`]: new NetworkError('ECONNRESET', {
    reached: true,
  }),
  [`The link service took too long to respond. ${LOOK_FIRST}`]: new TimeoutError('headers'),
  [`The link service took too long to respond. ${TRY_AGAIN}`]: new TimeoutError('connect'),
  [`The link service failed (error 500). ${LOOK_FIRST}`]: api(500),
  [`The link service failed (error 503). ${TRY_AGAIN}`]: api(503),
  [`Backhalf couldn’t understand the link service’s response. ${LOOK_FIRST} If this keeps happening, ask the person who runs Backhalf to check the service’s address.`]:
    new ResponseShapeError(200, 'HTML instead of JSON'),
  [`The link service is getting too many requests. ${TRY_AGAIN}`]: limited(1_000),
  'The link service is getting too many requests. Try again in 2 minutes.': limited(60_001),
  'The link service is getting too many requests. Try again in 15 minutes.': limited(900_000),
  'The link service is getting too many requests. Try again in about 6 hours.': limited(
    5 * 3_600_000 + 1,
  ),
  'The link service is getting too many requests. Try again in about 24 hours.':
    limited(86_400_000),
  'The link service is getting too many requests. Try again in about 30 days.': limited(
    30 * 86_400_000,
  ),
  'This needs a permission that Backhalf doesn’t have in this workspace. An admin can grant it by installing the app again.':
    slackError('missing_scope'),
  'Slack couldn’t do what Backhalf asked for. Try again in a minute.': slackError('fatal_error'),
  'Something went wrong on our side, and it has been logged. Please try again.': new Error('a bug'),
}

test.each(Object.entries(EXPLAINED))(
  'explains an error and says what to do next: %s',
  (message, error) => {
    expect(explainError(Object.assign(error, CREATE))).toEqual([{ message }])
  },
)

test('says what might have been done if a response got lost, unless nothing was to be changed', () => {
  expect(explainError(new TimeoutError('headers'))[0]?.message).toContain(TRY_AGAIN)
  const error = Object.assign(new TimeoutError('headers'), { call: 'update' })
  expect(explainError(error)[0]?.message).toContain('The link might have been changed anyway')
})

const LINK = {
  name: 'a',
  destination_url: 'https://a.example/',
  shortlink_url: 'https://s.example/a',
}

const conflict = (code: string) => api(409, { code, message: undefined })

test.each<[string, Error, FieldError['field'], string]>([
  [
    'a back-half that is taken',
    conflict('BACK_HALF_CONFLICT'),
    'back_half',
    'This back-half is taken on this domain. Choose another back-half.',
  ],
  [
    'a duplicate that can’t be found',
    conflict('DUPLICATE_DESTINATION_URL'),
    'destination_url',
    'This destination already has a short link on this domain, but Backhalf couldn’t find it. Look for it with /shorten list, or ask the person who runs the link service.',
  ],
  [
    'a duplicate',
    new DuplicateError(LINK, undefined, api(409)),
    'destination_url',
    'This destination already has a short link: https://s.example/a',
  ],
  [
    'a conflict whose cause the service leaves open',
    conflict('CONFLICT'),
    undefined,
    'Either the back-half is taken, or this destination already has a short link on this domain. Choose another back-half, or look at /shorten list.',
  ],
  [
    'a link that might be the result of a create whose response got lost',
    existsError(LINK, api(502)),
    'destination_url',
    'The link service’s response got lost, but this destination has a short link, which you can use: https://s.example/a',
  ],
])('shows %s at the field, if it has one', (_what, error, field, message) => {
  const issue = field ? { field, message } : { message }
  expect(explainError(Object.assign(error, CREATE))).toEqual([issue])
})

test('shows the service’s messages about fields, at their inputs if the form has them', () => {
  const fields = { title: 'Too long.', strange_thing: 'What?' }
  expect(explainError(api(422, { details: { fields } }))).toEqual([
    { field: 'title', message: 'Too long.' },
    { message: 'strange_thing: What?' },
  ])
})

test('shows the service’s own words about a conflict, on one line and within bounds', () => {
  const message = `“promo” was\nused before.${' Never again!'.repeat(100)}`
  const [issue] = explainError(api(409, { code: 'CONFLICT', message }))
  expect(issue?.message).toMatch(
    /Choose another back-half, or look at \/shorten list\. The link service says: ““promo” was used before\. Never again! .*…”$/,
  )
  expect(issue?.message.length).toBeLessThan(500)
})

test.each([400, 422])('says what to do next if the service names no field, for a %i', (status) => {
  const said = 'The link service refused this: “The service’s words.”'
  expect(explainError(api(status))).toEqual([{ message: `${said} ${CHANGE}` }])
  expect(explainError(Object.assign(api(status), { call: 'update' }))).toEqual([
    { message: `${said} The person who runs the link service can tell you more.` },
  ])
  expect(explainError(api(status, { message: undefined }))).toEqual([
    { message: `The link service refused this without saying why (error ${status}). ${CHANGE}` },
  ])
})

test('expects errors of the user and of the link service, which need no line in the log', () => {
  const expected = [
    new SlackInputError([]),
    new DuplicateError(LINK, undefined, api(409)),
    new NotConnectedError(),
    api(500),
    new TimeoutError('connect'),
  ]
  expect(expected.map(isExpected)).toEqual(expected.map(() => true))
  const unexpected = [
    new Error('a bug'),
    new DatabaseUnavailableError('full'),
    new KeyringError('lost'),
    slackError('fatal_error'),
    'x',
  ]
  expect(unexpected.map(isExpected)).toEqual(unexpected.map(() => false))
})
