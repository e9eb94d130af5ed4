import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import {
  created,
  failure,
  type Answer,
  type ForeignService,
} from '../../support/fake-link-service.ts'
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

const LINKS = ['https://example.com/one', 'https://example.com/two']

/** Ana runs the shortcut on a message with two links. @returns how many messages Ben sees then */
async function checklist(): Promise<number> {
  const { ana, ben, until } = app.slack
  const before = ben.sees('general').length
  await ben.types(LINKS.join(' '), { in: 'general' })
  const message = await until(() => ben.sees('general')[before])
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await until(() => ana.modal())
  ana.fills({ qr_code_enabled: [] })
  return before + 1
}

test('short links are left out though nobody has told the app their hostname', async () => {
  const { ana, ben, until } = app.slack
  service.answers(() => created({ shortlink_url: 'https://go.example.com/made-here' }))
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

test('each failure stands beside its link', async () => {
  const { ana, ben, until } = app.slack
  const seen = await checklist()
  service.received.length = 0
  service.answers(({ body }) =>
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
    { text: { text: ':warning: <https://example.com/two|example.com/two>\nNot &lt;this&gt;.' } },
  ])
  const keys = service.received.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(2)
})

test('where none could be made, the checklist is there again with the reasons, and nobody else learns of it', async () => {
  const { ana, ben, until } = app.slack
  const seen = await checklist()
  service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
  await ana.submits()
  await until(() => texts(ana.modal()).includes('None of the links could be shortened.'))
  expect(texts(ana.modal()).match(/doesn’t accept this workspace’s API key/g)).toHaveLength(1)
  expect(ana.form()).toMatchObject({ 'checklist:1': [{ value: 'on' }], qr_code_enabled: [] })
  expect(ben.sees('general')).toHaveLength(seen)

  service.answers(() => created())
  await ana.submits()
  await until(() => ben.sees('general')[seen])
  expect(ana.modal()).toBeUndefined()
})

test('where each failed for a reason of its own, it stands beside its link', async () => {
  const { ana, until } = app.slack
  await checklist()
  service.answers(({ body }) =>
    failure(422, 'VALIDATION_ERROR', {
      details: { fields: { destination_url: [body.includes('/two') ? 'Blocked.' : 'Too odd.'] } },
    }),
  )
  await ana.submits()
  await until(() => texts(ana.modal()).includes('example.com/one: Too odd.'))
  expect(texts(ana.modal())).toContain('example.com/two: Blocked.')
  await ana.closes()
})

test('while it takes longer than a form may wait, the checklist says so', async () => {
  const { ana, ben, until } = app.slack
  const seen = await checklist()
  const { promise, resolve } = Promise.withResolvers<Answer>()
  service.answers(() => promise)
  const submitted = ana.submits()
  await until(() => texts(ana.modal()).includes('Creating 2 short links'))
  resolve(created())
  await submitted
  await until(() => texts(ana.modal()).includes('as a reply to the message'))
  await until(() => ben.sees('general')[seen])
  await ana.closes()
})

test('whoever has closed it by then is told alone that it came to nothing', async () => {
  const { ana, ben, until } = app.slack
  const seen = await checklist()
  const { promise, resolve } = Promise.withResolvers<Answer>()
  service.answers(() => promise)
  const submitted = ana.submits()
  await until(() => texts(ana.modal()).includes('Creating 2 short links'))
  await ana.closes()
  resolve(failure(403, 'PERMISSION_DENIED'))
  await submitted
  const told = await until(() => ana.newest('app'))
  expect(texts(told)).toContain('None of the links could be shortened.')
  expect(texts(told)).toContain('https://example.com/two')
  expect(ben.sees('general')).toHaveLength(seen)
  expect(app.slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})
