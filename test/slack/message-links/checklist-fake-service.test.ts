import { expect, test } from 'vitest'
import { startAppElsewhere } from '../../support/app-elsewhere.ts'
import { created, failure, type Answer } from '../../support/fake-link-service.ts'
import { createFakeClock } from '../../support/platform.ts'
import { shareApp } from '../../support/shared-app.ts'
import { texts } from '../../support/texts.ts'

const clock = createFakeClock()
const app = shareApp(() => startAppElsewhere({ clock }))

const LINKS = ['https://example.com/one', 'https://example.com/two']

/** Opens the checklist of a message with two links. @returns how many messages Ben sees then */
async function openChecklist(): Promise<number> {
  const { ana, ben, until } = app.slack
  const before = ben.sees('general').length
  await ben.types(LINKS.join(' '), { in: 'general' })
  const message = await until(() => ben.sees('general')[before])
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await until(() => ana.modal())
  ana.fills({ qr_code_enabled: [] })
  return before + 1
}

test('leaves out short links made in Slack, even if the app does not know their hostname', async () => {
  const { ana, ben, until } = app.slack
  app.service.answers(() => created({ shortlink_url: 'https://go.example.com/made-here' }))
  await ana.types('/shorten https://example.com/first qr=off', { in: 'general' })
  await until(() => texts(ana.newest('general')).includes('made-here'))
  const before = ben.sees('general').length
  await ben.types(`http://go.example.com/made-here/ ${LINKS.join(' ')}`, { in: 'general' })
  const message = await until(() => ben.sees('general')[before])
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await until(() => ana.modal())
  expect(texts(ana.modal())).toContain('Left out: 1 link already short.')
  expect(texts(ana.modal())).not.toContain('made-here')
  await ana.closes()
})

test('shows each failure beside its link', async () => {
  const { ana, ben, until } = app.slack
  const seen = await openChecklist()
  app.service.received.length = 0
  app.service.answers(({ body }) =>
    body.includes('/two')
      ? failure(422, 'VALIDATION_ERROR', {
          details: { fields: { destination_url: ['Not <this>.'] } },
        })
      : created(),
  )
  await ana.submits()
  const reply = await until(() => ben.sees('general')[seen])
  expect(reply.blocks).toMatchObject([
    {
      text: {
        text: expect.stringMatching(/shortened 1 link; 1 could not be shortened:$/) as string,
      },
    },
    {
      text: {
        text: '<https://example.com/one|example.com/one>\n→ *<https://go.example.com/x7Kp2Qa|go.example.com/x7Kp2Qa>*',
      },
    },
    {
      text: {
        text: ':warning: <https://example.com/two|example.com/two>\nDestination: Not &lt;this&gt;.',
      },
    },
  ])
  const keys = app.service.received.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(2)
})

test('shows the checklist again, to the user alone, if no link could be made', async () => {
  const { ana, ben, until } = app.slack
  const seen = await openChecklist()
  app.service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
  await ana.submits()
  await until(() => texts(ana.modal()).includes('None of the links could be shortened.'))
  expect(
    texts(ana.modal()).split(
      ':warning: The link service doesn’t accept this workspace’s API key anymore. An admin can enter a new one with /shorten connect."',
    ),
  ).toHaveLength(2)
  expect(ana.form()).toMatchObject({ 'checklist:1': [{ value: 'on' }], qr_code_enabled: [] })
  expect(ben.sees('general')).toHaveLength(seen)

  app.service.answers(() => created())
  await ana.submits()
  await until(() => ben.sees('general')[seen])
  expect(ana.modal()).toBeUndefined()
})

test('shows the reason for each link if the reasons differ', async () => {
  const { ana, until } = app.slack
  await openChecklist()
  app.service.answers(({ body }) =>
    failure(422, 'VALIDATION_ERROR', {
      details: { fields: { destination_url: [body.includes('/two') ? 'Blocked.' : 'Too odd.'] } },
    }),
  )
  await ana.submits()
  await until(() => texts(ana.modal()).includes('example.com/one: Destination: Too odd.'))
  expect(texts(ana.modal())).toContain('example.com/two: Destination: Blocked.')
  await ana.closes()
})

test('asks to wait if the links take longer than Slack waits', async () => {
  const { ana, ben, until } = app.slack
  const seen = await openChecklist()
  const { answer } = await submitsSlowly()
  await answer(created())
  await until(() => texts(ana.modal()).includes('Done. The result is in a reply to the message.'))
  await until(() => ben.sees('general')[seen])
  await ana.closes()
})

test('tells the user alone that no link could be made, if the checklist is closed by then', async () => {
  const { ana, ben, until } = app.slack
  const seen = await openChecklist()
  const { answer } = await submitsSlowly()
  await ana.closes()
  await answer(failure(403, 'PERMISSION_DENIED'))
  const message = await until(() => ana.newest('app'))
  expect(texts(message)).toContain('None of the links could be shortened.')
  expect(texts(message)).toContain('https://example.com/two')
  expect(ben.sees('general')).toHaveLength(seen)
  expect(app.slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})

/** Submits the checklist to a service that answers when the test says so. */
async function submitsSlowly() {
  const { ana, until } = app.slack
  const { promise, resolve } = Promise.withResolvers<Answer>()
  app.service.answers(() => promise)
  const submitted = ana.submits()
  await clock.endSleep(2_000)
  await until(() =>
    texts(ana.modal()).includes(
      'Creating 2 short links… This may take a moment. The result will be posted as a reply to the message, so you can close this.',
    ),
  )
  async function answer(late: Answer): Promise<void> {
    resolve(late)
    await submitted
    await clock.endSleep(500)
  }
  return { answer }
}
