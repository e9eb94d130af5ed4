import { expect } from 'vitest'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { created, failure, type ReceivedRequest } from '../../support/fake-link-service.ts'
import { qrPng } from '../../../src/qr/qr-code.ts'
import { texts } from '../../support/texts.ts'

const { test, slack, ana, ben, until, service } = withAppElsewhere()

test('keeps everything that the user typed when parts are revealed, and sends it', async () => {
  service.answers(() => created({ title: 'Spring' }))
  await ana.opens('/shorten')
  ana.fills({
    Destination: 'https://example.com/page',
    'Back-half': 'spring',
    Title: 'Spring',
    'QR color': '#123456',
  })
  await ana.presses('Add UTM parameters')
  await ana.seesModal('utm_source')
  ana.fills({ 'UTM source': 'newsletter', 'UTM ID': '7' })
  await ana.presses('Add a custom preview')
  await ana.seesModal('preview_title')
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
  await until(() => ana.newest('general')?.blocks)
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

test('shows the URL that visitors will reach, whatever the link service offers', async () => {
  await ana.opens('/shorten')
  // The values of the link that she made before may still be on their way to the database.
  if (texts(ana.modal()).includes('Add UTM parameters')) await ana.presses('Add UTM parameters')
  await ana.seesModal('utm_source')
  ana.fills({ Destination: 'https://example.com/page#top', 'UTM source': 'newsletter' })
  await ana.presses('Show')
  await ana.seesModal('https://example.com/page?utm_source=newsletter#top')
  expect(ana.form()).not.toHaveProperty('domain') // There is only one.
  service.received.length = 0
  await ana.submits()
  const { body } = await until(() => service.received[0])
  expect(body).toContain('name="destination_url"\r\n\r\nhttps://example.com/page#top')
  expect(body).toContain('name="utm_source"\r\n\r\nnewsletter')
  expect(body).toContain('name="domain"\r\n\r\ndom_1')
})

test('shows errors at their fields, and sends nothing', async () => {
  await ana.opens('/shorten')
  service.received.length = 0
  ana.fills({ Destination: 'https://example.com', 'QR color': '#ffffee' })
  await ana.submits()
  const { errors } = await until(() => {
    const modal = ana.modal()
    return Object.keys(modal?.errors ?? {}).length > 0 && modal
  })
  expect(errors).toEqual({
    qr_code_color: '#ffffee is too pale: phones couldn’t scan it on white. Choose a darker color.',
  })
  expect(service.received).toEqual([])
})

test('removes an uploaded image', async () => {
  await ana.opens('/shorten')
  await ana.presses('Add a custom preview')
  await ana.seesModal('preview_title')
  ana.uploads('Preview image', { name: 'card.png', bytes: await qrPng('a picture') })
  await ana.presses('Show')
  await ana.seesModal('Image kept')
  await ana.presses('Remove')
  await ana.seesModal('file_input')
  expect(texts(ana.modal())).not.toContain('Image kept')
})

test.each([
  [
    'too large',
    { name: 'card.png', bytes: new Uint8Array(512_001) },
    'This image is larger than 500 KB. Please choose a smaller one.',
  ],
  [
    'not of the kind that its name says',
    { name: 'card.png', bytes: Buffer.from('hello') },
    '“card.png” isn’t the kind of file that its name says it is. Save it again as png, jpg or svg.',
  ],
])('refuses an image that is %s at its field, and makes no link', async (_name, file, message) => {
  await ana.opens('/shorten')
  service.received.length = 0
  await ana.presses('Add a custom preview')
  await ana.seesModal('preview_title')
  ana.fills({ Destination: 'https://example.com/image' })
  ana.uploads('Preview image', file)
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({ preview_image: message })
  expect(service.received).toEqual([])
})

test('sends the same idempotency key for the same form, and another for a corrected one', async () => {
  await ana.opens('/shorten')
  service.received.length = 0
  service.answers(() => failure(409, 'BACK_HALF_CONFLICT'))
  ana.fills({ Destination: 'https://example.com/again', 'Back-half': 'taken' })
  await ana.submits()
  await until(() => service.received.length === 1)
  await ana.submits()
  await until(() => service.received.length === 2)
  ana.fills({ 'Back-half': 'free' })
  service.answers(() => created())
  await ana.submits()
  await until(() => service.received.length === 3)
  const [first, second, third] = service.received.map(({ headers }) => headers['idempotency-key'])
  expect(first).toBeTruthy()
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  await until(() => !ana.modal())
})

test('loses nothing if two buttons are pressed at once: Slack refuses one, which can be pressed again', async () => {
  await ben.opens('/shorten')
  ben.fills({ Title: 'Stays' })
  await Promise.all([ben.presses('Add UTM parameters'), ben.presses('Add a custom preview')])
  await until(() => slack.refusals().length === 1)
  expect(slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'hash_conflict' }])
  const other = texts(ben.modal()).includes('utm_source')
    ? 'Add a custom preview'
    : 'Add UTM parameters'
  await ben.presses(other)
  await until(
    () => texts(ben.modal()).includes('utm_source') && texts(ben.modal()).includes('preview_title'),
  )
  expect(ben.form()).toMatchObject({ title: 'Stays' })
})
