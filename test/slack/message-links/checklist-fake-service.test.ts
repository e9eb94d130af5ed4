import { expect } from 'vitest'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { created, failure } from '../../support/fake-link-service.ts'
import { createFakeClock } from '../../support/platform.ts'
import { submitSlowly } from '../../support/slow-service.ts'
import { texts } from '../../support/texts.ts'

const clock = createFakeClock()
const { test, slack, ana, ben, until, service } = withAppElsewhere({ clock })

const WAITING =
  'Creating 2 short links… This can take a moment. The result will be posted as a reply to the message, so you can close this.'

const LINKS = ['https://example.com/one', 'https://example.com/two']

/** Opens the checklist of a message with two links. @returns how many messages Ben sees then */
async function openChecklist(): Promise<number> {
  const message = await ben.posts(LINKS.join(' '))
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal()
  ana.fills({ qr_code_enabled: [] })
  return ben.sees('general').length
}

test('leaves out short links created in Slack, even if the app does not know their hostname', async () => {
  service.answers(() => created({ shortlink_url: 'https://go.example.com/made-here' }))
  await ana.asks('/shorten https://example.com/first qr=off', { for: 'made-here' })
  const message = await ben.posts(`http://go.example.com/made-here/ ${LINKS.join(' ')}`)
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal()
  expect(texts(ana.modal())).toContain('Left out: 1 link already short.')
  expect(texts(ana.modal())).not.toContain('made-here')
})

test('shows each failure beside its link', async () => {
  const seen = await openChecklist()
  service.received.length = 0
  service.answers(({ body }) =>
    body.includes('/two')
      ? failure(422, 'VALIDATION_ERROR', {
          details: { fields: { destination_url: ['Not <this>'], title: ['Too long'] } },
        })
      : created(),
  )
  await ana.submits()
  const reply = await until(() => ben.sees('general')[seen])
  expect(reply.blocks?.map((block) => (block['text'] as { text: string }).text)).toEqual([
    expect.stringMatching(/shortened 1 link; 1 could not be shortened:$/),
    'example.com/one\n→ *<https://go.example.com/x7Kp2Qa>*',
    ':warning: example.com/two\nDestination: Not &lt;this&gt;; Title: Too long',
  ])
  const keys = service.received.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(2)
})

test('shows the checklist again, to the user alone, if no link could be created', async () => {
  const seen = await openChecklist()
  service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
  await ana.submits()
  await ana.seesModal('None of the links could be shortened.')
  expect(
    texts(ana.modal()).split(
      ':warning: The link service doesn’t accept this workspace’s API key anymore. An admin can replace it with /shorten connect."',
    ),
  ).toHaveLength(2)
  expect(ana.form()).toMatchObject({ 'checklist:1': [{ value: 'on' }], qr_code_enabled: [] })
  expect(ben.sees('general')).toHaveLength(seen)

  service.answers(() => created())
  await ana.submits()
  await until(() => ben.sees('general')[seen])
  expect(ana.modal()).toBeUndefined()
})

test('shows the reason for each link if the reasons differ', async () => {
  await openChecklist()
  service.answers(({ body }) =>
    failure(422, 'VALIDATION_ERROR', {
      details: { fields: { destination_url: [body.includes('/two') ? 'Blocked.' : 'Too <odd>.'] } },
    }),
  )
  await ana.submits()
  await ana.seesModal('example.com/one: Destination: Too &lt;odd&gt;.')
  expect(texts(ana.modal())).toContain('example.com/two: Destination: Blocked.')
})

test('asks to wait if the links take longer than Slack waits', async () => {
  const seen = await openChecklist()
  const answer = await submitSlowly({ service, ana, clock }, WAITING)
  await answer(created())
  await ana.seesModal('Done. The result is in a reply to the message.')
  await until(() => ben.sees('general')[seen])
})

test('tells the user alone that no link could be created, if the checklist is closed by then', async () => {
  const seen = await openChecklist()
  const answer = await submitSlowly({ service, ana, clock }, WAITING)
  await ana.closes()
  await answer(failure(403, 'PERMISSION_DENIED'))
  const message = await until(() => ana.newest('app'))
  expect(texts(message)).toContain('None of the links could be shortened.')
  expect(texts(message)).toContain('https://example.com/two')
  expect(ben.sees('general')).toHaveLength(seen)
  expect(slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})
