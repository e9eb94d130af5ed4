import { expect } from 'vitest'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { created, failure, type Answer } from '../../support/fake-link-service.ts'
import { qrPng } from '../../../src/qr/qr-code.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts, withoutRequestId } from '../../support/texts.ts'

const clock = createFakeClock()
const { test, slack, ana, until, service } = withAppElsewhere({ clock })

test.each<[string, Answer, Record<string, string>]>([
  [
    'a taken back-half',
    failure(409, 'BACK_HALF_CONFLICT'),
    { back_half: '“spring” is taken on this domain. Choose another back-half.' },
  ],
  [
    'a refused field',
    failure(422, 'VALIDATION_ERROR', { details: { fields: { title: ['Too long.'] } } }),
    { title: 'Too long.' },
  ],
])('shows %s at its field', async (_name, answer, expected) => {
  await ana.opens('/shorten')
  service.answers(() => answer)
  ana.fills({ Destination: 'https://example.com', 'Back-half': 'spring' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual(expected)
})

test.each<[string, Answer | 'destroy', string]>([
  [
    '401',
    failure(401, 'AUTHENTICATION_REQUIRED'),
    'The link service doesn’t accept this workspace’s API key anymore. An admin can replace it with /shorten connect.',
  ],
  [
    'HTML instead of JSON',
    { status: 200, body: '<html>Hello</html>' },
    'Backhalf couldn’t understand the link service’s answer. The link may have been created anyway: look at /shorten list before you try again. If this keeps happening, ask the person who runs Backhalf to check the service’s address.',
  ],
])(
  'explains %s at the top of the form, which keeps everything that the user typed',
  async (_name, answer, explanation) => {
    await ana.opens('/shorten')
    service.answers(() => answer)
    ana.fills({ Destination: 'https://example.com/kept', Title: 'Kept', 'QR color': '#102030' })
    await ana.submits()
    await until(() => withoutRequestId(texts(ana.modal())).includes(`:warning: ${explanation}"`))
    expect(ana.form()).toMatchObject({
      destination_url: 'https://example.com/kept',
      title: 'Kept',
      qr_code_color: '#102030',
    })
    await ana.closes()
  },
)

/** Submits the form to a service that answers when the test says so. The form asks to wait. */
async function submitsSlowly() {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  service.answers(() => promise)
  const submitted = ana.submits()
  await clock.endSleep(2_000)
  await ana.seesModal('Creating your link…')
  async function answer(late: Answer): Promise<void> {
    resolve(late)
    await submitted
    await clock.endSleep(500)
  }
  return { answer }
}

test('asks to wait for a slow service, then shows the link, also in the conversation', async () => {
  await ana.opens('/shorten')
  ana.fills({ Destination: 'https://example.com/slow' })
  const { answer } = await submitsSlowly()
  await answer(created({ shortlink_url: 'https://go.example.com/slow' }))
  await ana.seesModal('https://go.example.com/slow')
  await ana.gets('go.example.com/slow')
})

test('brings the form back after a slow failure, with everything in it, including the image', async () => {
  await ana.opens('/shorten')
  await ana.presses('Add a custom preview')
  await ana.seesModal('preview_title')
  ana.fills({ Destination: 'https://example.com/late', 'Preview title': 'Card' })
  ana.uploads('Preview image', { name: 'card.png', bytes: await qrPng('a picture') })
  const { answer } = await submitsSlowly()
  await answer(failure(500, 'INTERNAL_ERROR'))
  await ana.seesModal('Image kept: *card.png*')
  expect(texts(ana.modal())).toContain('The link service had a problem of its own (error 500).')
  expect(ana.form()).toMatchObject({
    destination_url: 'https://example.com/late',
    preview_title: 'Card',
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
  const { answer } = await submitsSlowly()
  await ana.closes()
  await answer(failure(401, 'AUTHENTICATION_REQUIRED'))
  const message = await ana.gets('API key')
  for (const typed of ['https://example.com/closed', 'Title: My title', 'Back-half: mine']) {
    expect(texts(message)).toContain(typed)
  }
  expect(slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})

test('names the fields of errors that have no input in the form', async () => {
  await ana.opens('/shorten')
  service.answers(() =>
    failure(422, 'X', { details: { title: 'Too long.', utm_source: 'Not allowed.' } }),
  )
  ana.fills({ Destination: 'https://example.com/two', Title: 'x' })
  await ana.submits()
  await ana.seesModal('UTM source: Not allowed.')
  expect(texts(ana.modal())).toContain('Title: Too long.')
})
