import { expect } from 'vitest'
import { CREATE_PATH, OPENAPI_PATH } from '../../../../src/contract/endpoints.ts'
import { withAppElsewhere } from '../../../support/fixtures.ts'
import { failure, type Answer, type Responder } from '../../../support/fake-link-service.ts'
import { createFakeClock } from '../../../support/platform.ts'
import { texts } from '../../../support/texts.ts'

const clock = createFakeClock()
/** A link service that does not name the existing link when it refuses a duplicate. */
const { test, slack, ana, until, service } = withAppElsewhere({
  answers: () => failure(500, 'NOT_YET'),
  clock,
})

const SHORT = 'https://go.example.com/existing'
const CONFLICT = failure(409, 'DUPLICATE_DESTINATION_URL')
const LISTED = {
  name: 'lnk_9',
  destination_url: 'https://example.com/page?a=1',
  shortlink_url: SHORT,
}

/** Refuses every new link, and lists these links. */
function refuses(links: object[], create: Responder = () => CONFLICT): void {
  service.answers((request) =>
    request.method === 'POST' ? create(request) : { status: 200, body: { data: { links } } },
  )
}

/** Opens Ana's form and fills it in. */
async function fillsIn(values: Record<string, string | string[]>): Promise<void> {
  await ana.opens('/shorten')
  ana.fills({ 'QR code': [], ...values })
}

test('finds the existing link among the newest, however its destination is written', async () => {
  refuses([{ ...LISTED, name: 'other', destination_url: 'https://example.com/page' }, LISTED])
  await fillsIn({ Destination: 'HTTPS://example.com:443/page?a=1' })
  service.received.length = 0
  await ana.submits()
  await ana.seesModal(SHORT)
  // The app asks in the background what the service offers.
  const received = service.received.filter(({ url }) => url !== OPENAPI_PATH)
  expect(received.map(({ method, url }) => [method, url])).toMatchObject([
    ['POST', CREATE_PATH],
    ['GET', expect.stringContaining('page=1&per_page=100&sort_by=most_recent') as string],
  ])
  await ana.submits()
  await until(() => ana.newest('general')?.text === `Your short link: ${SHORT}`)
})

test.each<[string, Answer]>([
  ['it is not among the newest', { status: 200, body: { data: { links: [] } } }],
  ['the key may not list', failure(403, 'PERMISSION_DENIED')],
])('explains how to find the link if %s', async (_name, list) => {
  service.answers(({ method }) => (method === 'POST' ? CONFLICT : list))
  await fillsIn({ Destination: LISTED.destination_url, Title: 'Kept' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    destination_url:
      'This destination already has a short link on this domain, but Backhalf couldn’t find it. Look for it with /shorten list, or ask the person who runs the link service.',
  })
  expect(ana.form()).toMatchObject({ title: 'Kept' })
})

test('explains a conflict that may be about the back-half, and searches nothing', async () => {
  refuses([LISTED], () => failure(409, 'CONFLICT'))
  await fillsIn({ Destination: LISTED.destination_url, 'Back-half': 'mine' })
  service.received.length = 0
  await ana.submits()
  await ana.seesModal(
    'Either the back-half is taken, or this destination already has a short link on this domain. Choose another back-half, or look at /shorten list.',
  )
  expect(service.received).toHaveLength(1)
})

test('brings the form back and sends the existing link as a message if the service is slow', async () => {
  await fillsIn({ Destination: LISTED.destination_url, Title: 'Kept' })
  const { refuse } = await submitsSlowly()
  await refuse()
  await ana.seesModal(`This already has a short link: ${SHORT}.`)
  expect(ana.form()).toMatchObject({ destination_url: LISTED.destination_url, title: 'Kept' })
  await ana.gets('Use this link')
})

test('sends the existing link as a message, with what was typed, if the form is closed by then', async () => {
  await fillsIn({ Destination: LISTED.destination_url, Title: 'Kept title' })
  const { refuse } = await submitsSlowly()
  await ana.closes()
  await refuse()
  const answer = await ana.gets('Title: Kept title')
  expect(answer.text).toBe(`This destination already has a short link: ${SHORT}`)
  expect(texts(answer)).toContain('Use this link')
  expect(slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})

/** Submits the form to a service that refuses the duplicate when the test says so. */
async function submitsSlowly() {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  refuses([LISTED], () => promise)
  const submitted = ana.submits()
  await clock.endSleep(2_000)
  await ana.seesModal('Creating your link…')
  async function refuse(): Promise<void> {
    resolve(CONFLICT)
    await submitted
    await clock.endSleep(500)
  }
  return { refuse }
}
