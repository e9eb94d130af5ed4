import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import {
  created,
  failure,
  type Answer,
  type ForeignService,
} from '../../support/fake-link-service.ts'
import { qrPng } from '../../../src/qr/png.ts'
import type { PersonDriver } from '../../support/person.ts'
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

async function openForm(): Promise<PersonDriver> {
  const { ana, until } = app.slack
  await ana.types('/shorten', { in: 'general' })
  await until(() => ana.modal())
  return ana
}

test.each<[string, Answer, Record<string, string>]>([
  [
    'a taken back-half',
    failure(409, 'BACK_HALF_CONFLICT'),
    { back_half: '“spring” is taken on this domain. Choose another back-half.' },
  ],
  [
    'a duplicate destination',
    failure(409, 'DUPLICATE_DESTINATION_URL'),
    { destination_url: 'This link is shortened already on this domain. /shorten list shows it.' },
  ],
  [
    'a refused field',
    failure(422, 'VALIDATION_ERROR', { details: { fields: { title: ['Too long.'] } } }),
    { title: 'Too long.' },
  ],
])('%s, as the service finds it, appears at its field', async (_name, answer, expected) => {
  const ana = await openForm()
  service.answers(() => answer)
  ana.fills({ Destination: 'https://example.com', 'Back-half': 'spring' })
  await ana.submits()
  await app.slack.until(() => Object.keys(ana.modal()?.errors ?? {}).length > 0)
  expect(ana.modal()?.errors).toEqual(expected)
  await ana.closes()
})

test.each<[string, Answer | 'destroy', string]>([
  ['401', failure(401, 'AUTHENTICATION_REQUIRED'), 'doesn’t accept this workspace’s API key'],
  ['403', failure(403, 'PERMISSION_DENIED', { message: 'Read only.' }), '“Read only.”'],
  [
    '429',
    failure(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'retry-after': '60' } }),
    'Try again in 60 seconds',
  ],
  ['500', failure(500, 'INTERNAL_ERROR'), 'a problem of its own (error 500)'],
  ['HTML instead of JSON', { status: 200, body: '<html>Hello</html>' }, 'made no sense to me'],
])(
  '%s brings the form back with everything in it, and says why at its top',
  async (_name, answer, words) => {
    const ana = await openForm()
    service.answers(() => answer)
    ana.fills({ Destination: 'https://example.com/kept', Title: 'Kept', 'QR colour': '#102030' })
    await ana.submits()
    await app.slack.until(() => texts(ana.modal()).includes(words))
    expect(ana.form()).toMatchObject({
      destination_url: 'https://example.com/kept',
      title: 'Kept',
      qr_code_color: '#102030',
    })
    await ana.closes()
  },
)

test('a slow service: the form asks for patience, then shows the link, which is in the conversation too', async () => {
  const ana = await openForm()
  let answer: (answer: Answer) => void = () => undefined
  service.answers(() => new Promise((resolve) => (answer = resolve)))
  ana.fills({ Destination: 'https://example.com/slow' })
  const submitted = ana.submits()
  await app.slack.until(() => texts(ana.modal()).includes('Creating your link'))
  answer(created({ shortlink_url: 'https://go.example.com/slow' }))
  await submitted
  await app.slack.until(() => texts(ana.modal()).includes('https://go.example.com/slow'))
  await app.slack.until(() => texts(ana.newest('general')).includes('go.example.com/slow'))
  await ana.closes()
})

test('a slow failure brings the form back with everything in it, the image too', async () => {
  const ana = await openForm()
  await ana.presses('Add a custom preview')
  await app.slack.until(() => texts(ana.modal()).includes('preview_title'))
  ana.fills({ Destination: 'https://example.com/late', 'Preview title': 'Card' })
  ana.uploads('Preview image', { name: 'card.png', bytes: await qrPng('a picture') })
  let answer: (answer: Answer) => void = () => undefined
  service.answers(() => new Promise((resolve) => (answer = resolve)))
  const submitted = ana.submits()
  await app.slack.until(() => texts(ana.modal()).includes('Creating your link'))
  answer(failure(500, 'INTERNAL_ERROR'))
  await submitted
  await app.slack.until(() => texts(ana.modal()).includes('Image kept: *card.png*'))
  expect(texts(ana.modal())).toContain('a problem of its own')
  expect(ana.form()).toMatchObject({
    destination_url: 'https://example.com/late',
    preview_title: 'Card',
  })

  service.answers(() => created())
  service.received.length = 0
  await ana.submits()
  await app.slack.until(() => service.received.length > 0)
  expect(service.received[0]?.body).toContain('filename="card.png"')
  await app.slack.until(() => !ana.modal())
})

test('a failure that nobody could see in the form any more comes as a message, with all that was typed', async () => {
  const ana = await openForm()
  let answer: (answer: Answer) => void = () => undefined
  service.answers(() => new Promise((resolve) => (answer = resolve)))
  ana.fills({ Destination: 'https://example.com/closed', Title: 'My title', 'Back-half': 'mine' })
  const submitted = ana.submits()
  await app.slack.until(() => texts(ana.modal()).includes('Creating your link'))
  await ana.closes()
  answer(failure(401, 'AUTHENTICATION_REQUIRED'))
  await submitted
  const told = await app.slack.until(
    () => ana.newest('general')?.text.includes('API key') && ana.newest('general'),
  )
  for (const typed of ['https://example.com/closed', 'Title: My title', 'Back-half: mine']) {
    expect(texts(told)).toContain(typed)
  }
  expect(app.slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})

test('faults of the service that have no field of their own here say which field they mean', async () => {
  const ana = await openForm()
  service.answers(() =>
    failure(422, 'X', { details: { title: 'Too long.', utm_source: 'Not allowed.' } }),
  )
  ana.fills({ Destination: 'https://example.com/two', Title: 'x' })
  await ana.submits()
  await app.slack.until(() => texts(ana.modal()).includes('UTM source: Not allowed.'))
  expect(texts(ana.modal())).toContain('Title: Too long.')
  await ana.closes()
})
