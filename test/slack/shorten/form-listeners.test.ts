import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import {
  created,
  failure,
  type ForeignService,
  type ReceivedRequest,
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

test('everything that was typed survives every reveal, and is sent', async () => {
  service.answers(() => created({ title: 'Spring' }))
  const ana = await openForm()
  ana.fills({
    Destination: 'https://example.com/page',
    'Back-half': 'spring',
    Title: 'Spring',
    'QR colour': '#123456',
  })
  await ana.presses('Add UTM parameters')
  await app.slack.until(() => texts(ana.modal()).includes('utm_source'))
  ana.fills({ 'UTM source': 'newsletter', 'UTM ID': '7' })
  await ana.presses('Add a custom preview')
  await app.slack.until(() => texts(ana.modal()).includes('preview_title'))
  ana.fills({ 'Preview title': 'Hello', 'Preview description': 'Two\nlines' })
  const png = await qrPng('a picture')
  ana.uploads('Preview image', { name: 'card.png', bytes: png })
  expect(ana.form()).toMatchObject({
    destination_url: 'https://example.com/page',
    back_half: 'spring',
    title: 'Spring',
    qr_code_color: '#123456',
    utm_source: 'newsletter',
    preview_title: 'Hello',
  })
  service.received.length = 0
  await ana.submits()
  await app.slack.until(() => ana.newest('general')?.blocks)
  expect(ana.modal()).toBeUndefined()

  expect(service.received).toHaveLength(1)
  const [{ headers, body }] = service.received as [ReceivedRequest]
  expect(headers['x-api-key']).toBe('key-1')
  const fields = [...body.matchAll(/name="(\w+)"\r\n\r\n([^]*?)\r\n--/g)].map(([, name, value]) => [
    name,
    value,
  ])
  expect(Object.fromEntries(fields)).toEqual({
    destination_url: 'https://example.com/page',
    domain: 'dom_1',
    back_half: 'spring',
    title: 'Spring',
    utm_analytics_enabled: 'true',
    utm_source: 'newsletter',
    utm_id: '7',
    is_custom_preview: 'true',
    preview_title: 'Hello',
    preview_description: 'Two\nlines',
    qr_code_enabled: 'true',
    qr_code_color: '#123456',
  })
  expect(body).toContain('filename="card.png"')
})

test('faults of what was typed appear at their fields, and nothing is sent', async () => {
  const ana = await openForm()
  service.received.length = 0
  ana.fills({ Destination: 'https://example.com', 'QR colour': '#ffffee' })
  await ana.submits()
  const { errors } = await app.slack.until(() => {
    const modal = ana.modal()
    return Object.keys(modal?.errors ?? {}).length > 0 && modal
  })
  expect(errors).toEqual({ qr_code_color: expect.stringContaining('too pale') as string })
  expect(service.received).toEqual([])
  await ana.closes()
})

test('an image that was kept can be taken away again', async () => {
  const ana = await openForm()
  await ana.presses('Add a custom preview')
  await app.slack.until(() => texts(ana.modal()).includes('preview_title'))
  ana.uploads('Preview image', { name: 'card.png', bytes: await qrPng('a picture') })
  await ana.presses('Add UTM parameters')
  await app.slack.until(() => texts(ana.modal()).includes('Image kept'))
  await ana.presses('Remove')
  await app.slack.until(() => texts(ana.modal()).includes('file_input'))
  expect(texts(ana.modal())).not.toContain('Image kept')
  await ana.closes()
})

test.each([
  ['too large', { name: 'card.png', bytes: new Uint8Array(512_001) }, 'larger than 500 KB'],
  [
    'another kind than its name says',
    { name: 'card.png', bytes: Buffer.from('hello') },
    'isn’t what its name says',
  ],
])(
  'an image that is %s is refused at its field, before any link is made',
  async (_name, file, words) => {
    const ana = await openForm()
    service.received.length = 0
    await ana.presses('Add a custom preview')
    await app.slack.until(() => texts(ana.modal()).includes('preview_title'))
    ana.fills({ Destination: 'https://example.com/image' })
    ana.uploads('Preview image', file)
    await ana.submits()
    await app.slack.until(() => Object.keys(ana.modal()?.errors ?? {}).length > 0)
    expect(ana.modal()?.errors).toEqual({ preview_image: expect.stringContaining(words) as string })
    expect(service.received).toEqual([])
    await ana.closes()
  },
)

test('a second submission of the same form is the same create, a mended one is another', async () => {
  const ana = await openForm()
  service.received.length = 0
  service.answers(() => failure(409, 'BACK_HALF_CONFLICT'))
  ana.fills({ Destination: 'https://example.com/again', 'Back-half': 'taken' })
  await ana.submits()
  await app.slack.until(() => service.received.length === 1)
  await ana.submits()
  await app.slack.until(() => service.received.length === 2)
  ana.fills({ 'Back-half': 'free' })
  service.answers(() => created())
  await ana.submits()
  await app.slack.until(() => service.received.length === 3)
  const [first, second, third] = service.received.map(({ headers }) => headers['idempotency-key'])
  expect(first).toBeTruthy()
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  await app.slack.until(() => !ana.modal())
})

test('two quick reveals: Slack takes one, the other can be pressed again, and nothing is lost', async () => {
  const ana = await openForm()
  ana.fills({ Title: 'Stays' })
  await Promise.all([ana.presses('Add UTM parameters'), ana.presses('Add a custom preview')])
  await app.slack.until(() => app.slack.refusals().length === 1)
  expect(app.slack.takeRefusals()).toMatchObject([
    { where: 'views.update', error: 'hash_conflict' },
  ])
  const other = texts(ana.modal()).includes('utm_source')
    ? 'Add a custom preview'
    : 'Add UTM parameters'
  await ana.presses(other)
  await app.slack.until(
    () => texts(ana.modal()).includes('utm_source') && texts(ana.modal()).includes('preview_title'),
  )
  expect(ana.form()).toMatchObject({ title: 'Stays' })
  await ana.closes()
})
