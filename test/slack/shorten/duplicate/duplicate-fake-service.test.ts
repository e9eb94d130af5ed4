import { expect } from 'vitest'
import { CREATE_PATH } from '../../../../src/contract/endpoints.ts'
import { withAppElsewhere } from '../../../support/fixtures.ts'
import { failure, type Answer } from '../../../support/fake-link-service.ts'
import { createFakeClock } from '../../../support/platform.ts'
import { submitSlowly } from '../../../support/slow-service.ts'
import { texts } from '../../../support/texts.ts'

const clock = createFakeClock()
/** A link service that does not name the existing link when it refuses a duplicate. */
const { test, slack, ana, ben, until, service } = withAppElsewhere({ clock })

const SHORT = 'https://go.example.com/existing'
const CONFLICT = failure(409, 'DUPLICATE_DESTINATION_URL')
const LISTED = {
  name: 'lnk_9',
  destination_url: 'https://example.com/page?a=1#part',
  shortlink_url: SHORT,
}

/** Refuses every new link like this, and lists these links. */
function refuses(conflict: Answer, list: Answer): void {
  service.answers(({ method }) => (method === 'POST' ? conflict : list))
}

const listing = (...links: object[]): Answer => ({ status: 200, body: { data: { links } } })

const slowly = () => submitSlowly({ service, ana, clock }, 'Creating your link…', [LISTED])

/** Opens Ana's form and fills it in. */
async function fillsIn(values: Record<string, string | string[]>): Promise<void> {
  await ana.opens('/shorten')
  ana.fills({ 'QR code': [], Destination: LISTED.destination_url, ...values })
  service.received.length = 0
}

test('finds the existing link among the newest, however its destination is written', async () => {
  const others = ['https://example.com/page#part', 'https://example.com/page?a=1'].map((url) => ({
    ...LISTED,
    name: url,
    destination_url: url,
    shortlink_url: 'https://go.example.com/other',
  }))
  refuses(CONFLICT, listing(...others, LISTED))
  await fillsIn({ Destination: 'HTTPS://example.com:443/page?a=1#part' })
  await ana.submits()
  await ana.seesModal(SHORT)
  expect(service.received.map(({ method, url }) => [method, url])).toMatchObject([
    ['POST', CREATE_PATH],
    ['GET', expect.stringContaining('page=1&per_page=100&sort_by=most_recent') as string],
  ])
  await ana.submits()
  await until(() => ana.newest('general')?.text === `Your short link: ${SHORT}`)
})

test.each<[string, Answer]>([
  ['it is not among the newest', listing()],
  ['the key can’t list', failure(403, 'PERMISSION_DENIED')],
])('explains how to find the link if %s', async (_name, list) => {
  refuses(CONFLICT, list)
  await fillsIn({ Title: 'Kept' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    destination_url:
      'This destination already has a short link on this domain, but Backhalf couldn’t find it. Look for it with /shorten list, or ask the person who runs the link service.',
  })
  expect(ana.form()).toMatchObject({ title: 'Kept' })
})

test('explains a conflict that might be about the back-half, and searches nothing', async () => {
  refuses(failure(409, 'CONFLICT'), listing(LISTED))
  await fillsIn({ 'Back-half': 'mine' })
  await ana.submits()
  await ana.seesModal('Either the back-half is taken, or this destination already has')
  expect(service.received).toHaveLength(1)
})

test('shows an existing link whose short URL is too long for a button or a modal in a message', async () => {
  const long = `https://go.example.com/${'x'.repeat(1_976)}`
  refuses(CONFLICT, listing({ ...LISTED, shortlink_url: long }))
  await fillsIn({})
  await ana.submits()
  await ana.seesModal('This already has a short link: https://go.example.com/xxx')
  const answer = await ana.gets('This destination already has a short link:')
  expect(texts(answer)).not.toContain('Use this link')
  expect(texts(answer)).toContain('You typed')
})

test('brings the form back and sends the existing link as a message if the service is slow', async () => {
  await fillsIn({ Title: 'Kept' })
  const refuse = await slowly()
  await refuse(CONFLICT)
  await ana.seesModal(`This already has a short link: ${SHORT}.`)
  expect(ana.form()).toMatchObject({ destination_url: LISTED.destination_url, title: 'Kept' })
  await ana.gets('Use this link')
})

test('sends the existing link to the user alone, with what was typed, if the form is closed by then', async () => {
  const message = await ben.posts(LISTED.destination_url)
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal()
  ana.fills({ 'QR code': [], Title: 'Kept title' })
  const refuse = await slowly()
  await ana.closes()
  await refuse(CONFLICT)
  const answer = await ana.gets('Title: Kept title', { in: 'app' })
  expect(answer.text).toBe(`This destination already has a short link: ${SHORT}`)
  expect(texts(answer)).toContain('Use this link')
  await slack.until(() => slack.refusals().length > 0)
  expect(slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})
