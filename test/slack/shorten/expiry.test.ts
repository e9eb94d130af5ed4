import { expect } from 'vitest'
import { endOfDay, parseExpiry } from '../../../src/slack/shorten/expiry.ts'
import { fieldsIn } from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { offersDocument } from '../../support/offers-document.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

const { test, ana, ben, service } = withAppElsewhere({
  clock: createFakeClock(),
  document: { status: 200, body: offersDocument() },
})

const NOW = Date.parse('2026-03-01T12:00:00Z')

test.each([
  ['12h', '2026-03-02T00:00:00.000Z'],
  ['30d', '2026-03-31T12:00:00.000Z'],
  ['2W', '2026-03-15T12:00:00.000Z'],
  ['2026-12-24', '2026-12-24T23:59:59.999Z'],
  ['2026-03-01', '2026-03-01T23:59:59.999Z'],
  ['2026-12-24T18:00:00+01:00', '2026-12-24T17:00:00.000Z'],
])('reads %s as %s', (text, end) => {
  expect(parseExpiry(text, NOW)).toEqual({ expiresAt: Date.parse(end) })
})

test('reads the same length of time as the same minute if Slack sends a request twice', () => {
  expect(parseExpiry('1h', NOW + 1)).toEqual(parseExpiry('1h', NOW + 20_000))
})

const EXAMPLES = 'Type hours, days, weeks or a date, such as 12h, 30d, 2w or 2030-12-24.'
const TOO_LATE =
  'The latest possible day is November 19, 2286. Choose an earlier one, or leave this out for a link that never expires.'

test.each([
  ...['0d', '1y', '3m', '2027-02-30', '-1d', 'soon'].map((text) => [
    text,
    `“${text}” isn’t a time that Backhalf understands. ${EXAMPLES}`,
  ]),
  ['2026-02-28', 'This is in the past. Choose a later time.'],
  ['2026-03-01T11:00:00Z', 'This is in the past. Choose a later time.'],
  ['99999d', TOO_LATE],
  ['2287-01-01', TOO_LATE],
])('says why %s can’t be an expiry', (text, message) => {
  expect(parseExpiry(text, NOW)).toEqual({ message })
})

test.each([
  ['2027-01-31', 'Europe/Berlin', '2027-01-31T22:59:59.999Z'],
  ['2027-01-31', 'America/Los_Angeles', '2027-02-01T07:59:59.999Z'],
  ['2027-03-28', 'Europe/Berlin', '2027-03-28T21:59:59.999Z'], // The clocks change in the morning.
  ['2027-10-31', 'Pacific/Kiritimati', '2027-10-31T09:59:59.999Z'],
  ['2027-02-30', 'Europe/Berlin', '2027-02-30'],
  ['30d', 'Europe/Berlin', '30d'],
  ['0001-01-01', 'Europe/Berlin', '0001-01-01'],
])('reads the end of %s in %s as %s', (text, timeZone, end) => {
  expect(endOfDay(text, timeZone)).toBe(end)
})

/** The instant that the newest create sent. */
function sentEnd(): string | undefined {
  const create = service.received.findLast(({ method }) => method === 'POST')
  return create && fieldsIn(create)['expires_at']
}

// The first test, because a command waits until the app knows what the service offers. A form doesn’t.
test('creates a link that expires from a command, and shows the time in the reader’s time zone', async () => {
  await ana.asks('/shorten https://example.com/page expires=2026-12-24', {
    for: 'expires <!date^1798156799^{date_long} at {time}|2026-12-24 23:59 UTC>',
  })
  expect(sentEnd()).toBe('2026-12-24T23:59:59.999Z')
})

test('offers a date picker in the form, and sends the instant', async () => {
  await ana.opens('/shorten', 'expires_at')
  // This service doesn't answer which tags are used most.
  expect(texts(ana.modal())).toContain('"Separated by commas."')
  ana.fills({ Destination: 'https://example.com/page', Expires: '2026-12-24T18:00:00Z' })
  await ana.submits()
  // The QR code might have followed already, so the answer need not be the newest message.
  await ana.gets('expires <!date^1798135200^')
  expect(sentEnd()).toBe('2026-12-24T18:00:00.000Z')
})

test('a date in a command is the end of that day in the user’s time zone, also in the form', async () => {
  const end = '2026-12-25T07:59:59.999Z'
  await ben.asks('/shorten https://example.com/page expires=2026-12-24', {
    for: 'expires <!date^1798185599^{date_long} at {time}|2026-12-25 07:59 UTC>',
  })
  expect(sentEnd()).toBe(end)
  await ben.asks('/shorten https://example.com/page color=pale expires=2026-12-24', {
    for: 'Change something',
  })
  await ben.presses('Change something', { in: 'general' })
  await ben.seesModal('expires_at')
  expect(ben.form()).toMatchObject({ expires_at: Math.floor(Date.parse(end) / 1000) })
})

test('shows an error in the form if its picker can’t show the expiry, so that the expiry isn’t lost', async () => {
  for (const [end, error] of [
    ['soon', '“soon” isn’t a time'],
    ['99999d', 'The latest possible day'],
  ] as const) {
    const refused = await ana.asks(`/shorten https://example.com/page expires=${end}`, {
      for: 'You typed:',
    })
    expect(texts(refused)).toContain(`/shorten https://example.com/page expires=${end}`)
    await ana.presses('Change something', { in: 'general', message: refused })
    await ana.seesModal(error)
    await ana.closesAll()
  }
})
