import { expect, test } from 'vitest'
import { CREATE_PATH, LIST_PATH, SHORTLINKS_PATH } from '../../../src/contract/endpoints.ts'
import { placedElements } from '../../../src/simulator/block-kit/placed-elements.ts'
import type { Message } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import { created, type Answer } from '../../support/fake-link-service.ts'

const LINK = {
  name: 'lnk_1',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/x7Kp2Qa',
}

/** The app in front of a service that has this OpenAPI document; absent: it has none. */
async function startWith(document?: unknown): Promise<AppElsewhere> {
  const answer = ({ method }: { method: string }): Answer =>
    method === 'POST' ? created() : { status: 200, body: { links: [LINK] } }
  const described = document
    ? { status: 200, body: document }
    : { status: 404, body: '<h1>Not found</h1>' }
  return startAppElsewhere({ answers: answer, document: described })
}

/** The app’s first answer to a command of Ana, an admin. */
async function answerTo({ slack }: AppElsewhere, command: string): Promise<Message> {
  const seen = slack.ana.sees('general').length
  await slack.ana.types(command, { in: 'general' })
  return slack.until(() => slack.ana.sees('general')[seen])
}

/** The elements of a message: each option of a menu, and each button. */
function elementsOf({ blocks }: Pick<Message, 'blocks'>): string[] {
  return placedElements(objects(blocks)).flatMap(({ element }) =>
    element['type'] === 'overflow'
      ? objects(element['options']).map(({ value }) => String(value))
      : [element['action_id']].filter((id) => typeof id === 'string'),
  )
}

const SIMPLE_MENU = ['qr:lnk_1', 'share:lnk_1', 'copy:lnk_1']

/** The app filters and searches its own record if the service can’t. */
const LIST_CONTROLS = ['list_filter', 'list_sort', 'list_search']

test('shows nothing new if the link service offers nothing', async () => {
  const app = await startWith()
  const { ana, until } = app.slack
  const made = await answerTo(app, '/shorten https://example.com/page qr=off')
  expect(elementsOf(made)).toEqual(['share_link'])
  const list = await answerTo(app, '/shorten list')
  expect(elementsOf(list)).toEqual([...SIMPLE_MENU, ...LIST_CONTROLS])
  expect(list.blocks?.[1]).toMatchObject({
    text: {
      text: '*<https://go.example.com/x7Kp2Qa|go.example.com/x7Kp2Qa>*\nexample.com/page',
    },
  })
  await ana.opensHome()
  const home = await until(() => JSON.stringify(ana.home() ?? {}).includes('x7Kp2Qa') && ana.home())
  expect(elementsOf({ blocks: objects(home['blocks']) })).toEqual([
    'open_shorten_form',
    'open_settings',
    ...SIMPLE_MENU,
    ...LIST_CONTROLS,
  ])
  await ana.chooses('Copy as text', { in: 'general', message: list })
  await until(() => JSON.stringify(ana.modal() ?? {}).includes('preformatted'))
  const asked = app.service.received.map(
    ({ method, url }) => `${method} ${url.split('?')[0] ?? ''}`,
  )
  expect(new Set(asked)).toEqual(new Set([`POST ${CREATE_PATH}`, `GET ${LIST_PATH}`]))
  await app.stop()
})

test('shows only what the link service offers, even in the first list', async () => {
  const app = await startWith({
    openapi: '3.1.0',
    paths: { [`${SHORTLINKS_PATH}/{id}`]: { delete: {} } },
  })
  const list = await answerTo(app, '/shorten list')
  expect(elementsOf(list)).toEqual(['delete:lnk_1', ...SIMPLE_MENU, ...LIST_CONTROLS])
  const made = await answerTo(app, '/shorten https://example.com/page qr=off')
  expect(elementsOf(made)).toEqual(['share_link', 'delete:lnk_1', ...SIMPLE_MENU])
  await app.stop()
})
