import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CREATE_PATH } from '../../../src/contract/endpoints.ts'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import {
  failure,
  type Answer,
  type Answering,
  type ForeignService,
} from '../../support/fake-link-service.ts'
import type { PersonDriver } from '../../support/person.ts'
import { texts } from '../../support/texts.ts'

/** A link service that shows nothing of the link that is there already. */
let service: ForeignService
let app: AppElsewhere

beforeAll(async () => {
  app = await startAppElsewhere(() => failure(500, 'NOT_YET'))
  service = app.service
})
afterEach(() => {
  expect(app.slack.takeRefusals()).toEqual([])
})
afterAll(() => app.stop())

const SHORT = 'https://go.example.com/there'
const CONFLICT = failure(409, 'DUPLICATE_DESTINATION_URL')
const LISTED = {
  name: 'lnk_9',
  destination_url: 'https://example.com/page?a=1',
  shortlink_url: SHORT,
}

/** Refuses every create, and lists these links. */
function refuses(links: object[], create: Answering = () => CONFLICT): void {
  service.answers((request) =>
    request.method === 'POST' ? create(request) : { status: 200, body: { data: { links } } },
  )
}

async function filledIn(values: Record<string, string | string[]>): Promise<PersonDriver> {
  const { ana, until } = app.slack
  await ana.types('/shorten', { in: 'general' })
  await until(() => ana.modal())
  ana.fills({ 'QR code': [], ...values })
  return ana
}

test('the link is found among the newest, however its destination is written', async () => {
  refuses([{ ...LISTED, name: 'other', destination_url: 'https://example.com/page' }, LISTED])
  const ana = await filledIn({ Destination: 'HTTPS://example.com:443/page?a=1' })
  service.received.length = 0
  await ana.submits()
  await app.slack.until(() => texts(ana.modal()).includes(SHORT))
  expect(service.received.map(({ method, url }) => [method, url])).toMatchObject([
    ['POST', CREATE_PATH],
    ['GET', expect.stringContaining('page=1&per_page=100&sort_by=most_recent') as string],
  ])
  await ana.submits()
  await app.slack.until(() => ana.newest('general')?.text === `Your short link: ${SHORT}`)
})

test.each<[string, Answer]>([
  ['it is not among them', { status: 200, body: { data: { links: [] } } }],
  ['the key may not list', failure(403, 'PERMISSION_DENIED')],
])('where %s, the form says how to see it', async (_name, list) => {
  service.answers(({ method }) => (method === 'POST' ? CONFLICT : list))
  const ana = await filledIn({ Destination: LISTED.destination_url, Title: 'Kept' })
  await ana.submits()
  await app.slack.until(() => Object.keys(ana.modal()?.errors ?? {}).length > 0)
  expect(ana.modal()?.errors).toEqual({
    destination_url: 'This link is shortened already on this domain. /shorten list shows it.',
  })
  expect(ana.form()).toMatchObject({ title: 'Kept' })
  await ana.closes()
})

test('a conflict that may be about either says so, and looks for nothing', async () => {
  refuses([LISTED], () => failure(409, 'CONFLICT'))
  const ana = await filledIn({ Destination: LISTED.destination_url, 'Back-half': 'mine' })
  service.received.length = 0
  await ana.submits()
  await app.slack.until(() =>
    texts(ana.modal()).includes('The back-half is taken, or this link is'),
  )
  expect(service.received).toHaveLength(1)
  await ana.closes()
})

test('where the service takes its time, the waiting form turns into the link', async () => {
  const { answers, conflicts } = slowly()
  refuses([LISTED], answers)
  const ana = await filledIn({ Destination: LISTED.destination_url, Title: 'Kept' })
  const submitted = ana.submits()
  await app.slack.until(() => texts(ana.modal()).includes('Creating your link'))
  conflicts()
  await submitted
  await app.slack.until(() => texts(ana.modal()).includes(SHORT))
  await ana.presses('Change something')
  await app.slack.until(() => ana.modal()?.view['callback_id'] === 'shorten_form')
  expect(ana.form()).toMatchObject({ destination_url: LISTED.destination_url, title: 'Kept' })
  await ana.closes()
})

test('whoever has closed the form meanwhile is told in a message, with what was typed', async () => {
  const { answers, conflicts } = slowly()
  refuses([LISTED], answers)
  const ana = await filledIn({ Destination: LISTED.destination_url, Title: 'Kept title' })
  const submitted = ana.submits()
  await app.slack.until(() => texts(ana.modal()).includes('Creating your link'))
  await ana.closes()
  conflicts()
  await submitted
  const answer = await app.slack.until(() =>
    ana.sees('general').find(({ text }) => text === `Already shortened: ${SHORT}`),
  )
  expect(texts(answer)).toContain('Title: Kept title')
  expect(texts(answer)).toContain('Use this link')
  expect(app.slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})

test('a form with more in it than a view can keep stays, and says it at its field', async () => {
  refuses([LISTED])
  const noise = Array.from({ length: 1_500 }, (_, at) =>
    String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
  ).join('')
  const ana = await filledIn({ Destination: LISTED.destination_url, Title: noise })
  await ana.submits()
  await app.slack.until(() => Object.keys(ana.modal()?.errors ?? {}).length > 0)
  expect(ana.modal()?.errors).toEqual({
    destination_url: `This link is shortened already: ${SHORT}`,
  })
  expect(ana.form()).toMatchObject({ title: noise })
  await ana.closes()
})

/** Creates are refused once the test says so. */
function slowly(): { answers: Answering; conflicts: () => void } {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  return { answers: () => promise, conflicts: () => resolve(CONFLICT) }
}
