import { expect } from 'vitest'
import { CREATED_BY_HEADER } from '../../../src/contract/endpoints.ts'
import { parsePerson } from '../../../src/contract/person.ts'
import { PEOPLE, TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { MESSAGE_SHORTCUT, WORKFLOW_STEP } from '../../../src/slack/ids.ts'
import { created, oneLink, success, WHOLE_LINK } from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { offersDocument } from '../../support/offers-document.ts'
import { createFakeClock } from '../../support/platform.ts'
import { recordingLogger } from '../../support/recording-logger.ts'

const clock = createFakeClock()
const log = recordingLogger('debug')

const { test, slack, ana, ben, until, service } = withAppElsewhere({
  clock,
  logger: log.logger,
  document: { status: 200, body: offersDocument() },
  answers: ({ method, url }) => {
    if (method === 'POST') return created()
    if (method === 'DELETE') return success({})
    return url.includes('lnk_1') ? oneLink() : { status: 200, body: { links: [WHOLE_LINK] } }
  },
})

const ANA = { id: `${TEAM.id}-${PEOPLE[0].id}`, name: 'Ana M.' }
const WORKFLOW = { id: `${TEAM.id}-workflow`, name: 'Workflow' }

/** Waits for the next create, change or deletion. @returns the person whom it names */
async function nextActor() {
  const call = await until(() => service.received.find(({ method }) => method !== 'GET'))
  return parsePerson(String(call.headers[CREATED_BY_HEADER]))
}

async function menu(option: string): Promise<void> {
  const list = await ana.asks('/shorten list', { for: 'Page 1' })
  await ana.chooses(option, { in: 'general', message: list, of: 'link_menu' })
}

const WAYS: [string, () => Promise<unknown>, typeof ANA][] = [
  ['a command', () => ana.asks('/shorten https://example.com/page qr=off'), ANA],
  ['a link’s menu', () => menu('Turn off'), ANA],
  [
    'the links of a message',
    async () => {
      const message = await ben.posts('https://example.com/one https://example.com/two')
      await ana.runsMessageShortcut(MESSAGE_SHORTCUT, 'general', message)
      await ana.seesModal('example.com/two')
      await ana.submits()
    },
    ANA,
  ],
  [
    'an edit',
    async () => {
      await menu('Edit')
      await ana.seesModal('"title"')
      ana.fills({ title: 'New' })
      await ana.submits()
    },
    ANA,
  ],
  [
    'a deletion',
    async () => {
      await menu('Delete')
      await ana.seesModal('for good?')
      await ana.submits()
    },
    ANA,
  ],
  [
    'a workflow',
    () => ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com/page' }),
    WORKFLOW,
  ],
]

test.each(WAYS)('names who acts with the display name: %s', async (_way, acts, person) => {
  await acts()
  expect(await nextActor()).toEqual(person)
  expect(log.lines.join('')).not.toMatch(new RegExp(`${person.id}|${person.name}`))
})

test('uses the real name of a user without a display name', async () => {
  await ben.asks('/shorten https://example.com/page qr=off')
  expect(await nextActor()).toMatchObject({ name: 'Ben Okafor' })
})

test('creates the link with the user name if Slack doesn’t respond, or refuses to return more', async () => {
  const { gil, failNext } = slack
  failNext('users.info', { hangs: true })
  await gil.types('/shorten https://example.com/page qr=off', { in: 'general' })
  await clock.endSleep(1_000)
  expect(await nextActor()).toMatchObject({ name: 'gil' })
  await clock.endSleep(3_000)
  service.received.length = 0

  clock.advance(60_000)
  failNext('users.info', { error: 'missing_scope' })
  await gil.asks('/shorten https://example.com/page qr=off')
  expect(await nextActor()).toMatchObject({ name: 'gil' })
})
