import { expect } from 'vitest'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { created, failure } from '../../support/fake-link-service.ts'
import { qrPng } from '../../../src/qr/qr-code.ts'
import { createFakeClock } from '../../support/platform.ts'
import { submitSlowly } from '../../support/slow-service.ts'
import { texts, withoutRequestId } from '../../support/texts.ts'

const clock = createFakeClock()
const { test, slack, ana, until, service } = withAppElsewhere({ clock })

const slowly = () => submitSlowly({ service, ana, clock }, 'Creating your link…')

test('explains an error to the user alone, with the command but without the API key', async () => {
  service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
  const answer = await ana.asks('/shorten https://example.com/page spring qr=off')
  expect(answer.ephemeral).toBe(true)
  expect(withoutRequestId(texts(answer))).toContain(
    ':warning: The link service doesn’t accept this workspace’s API key anymore. An admin can replace it with /shorten connect."',
  )
  expect(texts(answer)).toContain('"/shorten https://example.com/page spring qr=off"')
  expect(texts(answer)).not.toContain('key-1')
})

test('names the fields of errors that have no input in the form', async () => {
  await ana.opens('/shorten')
  service.answers(() =>
    failure(422, 'X', { details: { title: 'Too long.', utm_source: 'Not allowed.' } }),
  )
  ana.fills({ Destination: 'https://example.com/two', Title: 'x' })
  await ana.submits()
  await ana.seesModal('UTM source: Not allowed.')
  expect(texts(ana.modal())).toContain('":warning: Too long."') // Below the title's input.
})

test('asks to wait for a slow service, then shows the link, also in the conversation', async () => {
  await ana.opens('/shorten')
  ana.fills({ Destination: 'https://example.com/slow' })
  const answer = await slowly()
  await answer(created({ shortlink_url: 'https://go.example.com/slow' }))
  await ana.seesModal('https://go.example.com/slow')
  await ana.gets('go.example.com/slow')
})

test('brings the form back after a slow failure, with everything in it, including the image', async () => {
  await ana.runsShortcut('shorten_link')
  await ana.seesModal()
  ana.fills({ 'Show the result in': 'marketing' })
  await ana.presses('Add a custom preview')
  await ana.seesModal('preview_title')
  ana.fills({ Destination: 'https://example.com/late', 'Preview title': 'Card' })
  ana.uploads('Preview image', { name: 'card.png', bytes: await qrPng('a picture') })
  const answer = await slowly()
  await answer(failure(500, 'INTERNAL_ERROR'))
  await ana.seesModal('Image kept: *card.png*')
  expect(texts(ana.modal())).toContain('The link service failed (error 500).')
  expect(ana.form()).toMatchObject({
    destination_url: 'https://example.com/late',
    preview_title: 'Card',
    conversation: 'C0MARKETING0',
  })

  service.answers(() => created())
  service.received.length = 0
  await ana.submits()
  await until(() => service.received.length > 0)
  expect(service.received[0]?.body).toContain('filename="card.png"')
  await until(() => !ana.modal())
})

test('sends a slow failure as a message, with everything typed, if the form is closed by then', async () => {
  await ana.opens('/shorten')
  ana.fills({ Destination: 'https://example.com/closed', Title: 'My title', 'Back-half': 'mine' })
  const answer = await slowly()
  await ana.closes()
  await answer(failure(401, 'AUTHENTICATION_REQUIRED'))
  const message = await ana.gets('https://example.com/closed')
  for (const typed of ['API key', 'Title: My title', 'Back-half: mine']) {
    expect(texts(message)).toContain(typed)
  }
  expect(slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})
