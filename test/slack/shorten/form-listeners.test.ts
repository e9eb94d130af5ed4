import { expect } from 'vitest'
import { withAppElsewhere } from '../../support/fixtures.ts'
import {
  created,
  failure,
  fieldsIn,
  type ReceivedRequest,
} from '../../support/fake-link-service.ts'
import { qrPng } from '../../../src/qr/qr-code.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

const { test, slack, ana, ben, until, service } = withAppElsewhere({ clock: createFakeClock() })

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
  service.received.length = 0
  await ana.submits()
  await until(() => ana.newest('general')?.blocks)
  expect(ana.modal()).toBeUndefined()

  expect(service.received).toHaveLength(1)
  const [request] = service.received as [ReceivedRequest]
  expect(request.headers['x-api-key']).toBe('key-1')
  expect(fieldsIn(request)).toEqual({
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
  expect(request.body).toContain('filename="card.png"')
})

test('refuses an image at its field, or below its name once the form has kept it, and removes it', async () => {
  const refusal =
    '“card.png” isn’t the kind of file that its name says it is. Save it again as png, jpg or svg.'
  await ben.opens('/shorten')
  service.received.length = 0
  await ben.presses('Add a custom preview')
  await ben.seesModal('preview_title')
  ben.fills({ Destination: 'https://example.com/image' })
  ben.uploads('Preview image', { name: 'card.png', bytes: Buffer.from('hello') })
  await ben.submits()
  expect(await ben.seesErrors()).toEqual({ preview_image: refusal })
  await ben.presses('Add UTM parameters')
  await ben.seesModal('Image kept')
  await ben.submits()
  await ben.seesModal(refusal)
  const { blocks } = ben.modal()?.view as { blocks: unknown[] }
  const kept = blocks.findIndex((block) => JSON.stringify(block).includes('Image kept'))
  expect(JSON.stringify(blocks[kept + 1])).toContain(refusal)
  expect(service.received).toEqual([])
  await ben.presses('Remove')
  await ben.seesModal('file_input')
  expect(texts(ben.modal())).not.toContain('Image kept')
})

test('sends the same idempotency key for the same form, and another for a corrected one', async () => {
  await ana.opens('/shorten')
  service.received.length = 0
  service.answers(() => failure(409, 'BACK_HALF_CONFLICT'))
  for (const [before, backHalf] of ['taken', 'taken', 'another'].entries()) {
    ana.fills({ Destination: 'https://example.com/again', 'Back-half': backHalf })
    await ana.submits()
    await until(() => service.received.length > before)
  }
  const [first, second, third] = service.received.map(({ headers }) => headers['idempotency-key'])
  expect(first).toBeTruthy()
  expect(second).toBe(first)
  expect(third).not.toBe(first)
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
