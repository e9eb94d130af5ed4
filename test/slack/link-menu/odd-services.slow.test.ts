import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { CREATE_PATH, LIST_PATH, SHORTLINKS_PATH } from '../../../src/contract/endpoints.ts'
import type { Message } from '../../../src/simulator/protocol.ts'
import { objects, placedElements } from '../../../src/simulator/shared/slack-json.ts'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import {
  clickAnswer,
  created,
  failure,
  oneLink,
  success,
  type Answer,
} from '../../support/fake-link-service.ts'
import { offersDocument } from '../../support/offers-document.ts'
import { texts } from '../../support/texts.ts'

const LINK = {
  name: 'lnk_1',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/x7Kp2Qa',
}

type Call = 'get' | 'patch' | 'delete' | 'clicks' | 'search'

const ONE_LINK = `${SHORTLINKS_PATH}/{name}`

/**
 * Uses the app in front of a service that offers only these calls, and answers all others with 405.
 *
 * @param options.document its OpenAPI document; by default, one with these calls
 */
async function withCalls(
  calls: readonly Call[],
  use: (app: AppElsewhere) => Promise<void>,
  {
    link = LINK,
    expiry = false,
    document,
    answers = {},
  }: {
    link?: Record<string, unknown>
    expiry?: boolean
    document?: Answer
    answers?: { [C in Call]?: Answer }
  } = {},
): Promise<void> {
  const answer = ({ method, url }: { method: string; url: string }): Answer => {
    const { pathname, searchParams } = new URL(url, 'http://service')
    if (method === 'POST') return created(link)
    const isOne = pathname.startsWith(`${SHORTLINKS_PATH}/lnk_`)
    if (!isOne && !(searchParams.has('q') && !calls.includes('search'))) {
      return { status: 200, body: { links: [link] } }
    }
    const call = pathname.endsWith('/clicks') ? 'clicks' : method.toLowerCase()
    const given = answers[call as Call]
    if (given) return given
    if (!calls.includes(call as Call)) return failure(405, 'BAD_REQUEST')
    if (call === 'clicks') return clickAnswer([{ date: '2026-03-01', people: 1, bots: 0 }])
    return call === 'delete' ? success({}) : oneLink(link)
  }
  const all = offersDocument().paths
  const methods = Object.entries(all[ONE_LINK]).filter(([name]) => calls.includes(name as Call))
  const paths = {
    [ONE_LINK]: Object.fromEntries(methods),
    ...(calls.includes('clicks') && { [`${ONE_LINK}/clicks`]: { get: {} } }),
    ...(expiry && { [CREATE_PATH]: all[CREATE_PATH] }),
    ...(calls.includes('search') && {
      '/api/v1/shortlinks/get_shortlinks': { get: { parameters: [{ in: 'query', name: 'q' }] } },
    }),
  }
  const body = { openapi: '3.1.0', paths }
  const app = await startAppElsewhere({
    answers: answer,
    document: document ?? { status: 200, body },
  })
  await use(app)
  expect(app.slack.refusals()).toEqual([])
  await app.stop()
}

/** Chooses from the menu of the link in a list. */
async function choosesAtOnce({ slack: { ana } }: AppElsewhere, option: string): Promise<void> {
  const list = await ana.asks('/shorten list')
  await ana.chooses(option, { in: 'general', message: list, of: 'link_menu' })
}

/** The same, for a choice with a modal. Waits until the modal has more than “One moment…”. */
async function chooses(app: AppElsewhere, option: string): Promise<string> {
  await choosesAtOnce(app, option)
  const { ana, until } = app.slack
  return until(
    () => ana.modal() && !texts(ana.modal()).includes('One moment') && texts(ana.modal()),
  )
}

test.each([
  [
    'an HTML page',
    { status: 200, body: '<h1>Sign in</h1>' },
    'The link might have been deleted anyway: look at /shorten list',
  ],
  [
    'a conflict',
    failure(409, 'CONFLICT'),
    'refused this: “Words for CONFLICT.” Look at /shorten list to see how the link is now',
  ],
])('does not say that a link is deleted after %s', (_what, answer, text) =>
  withCalls(
    ['delete'],
    async (app) => {
      expect(await chooses(app, 'Delete')).not.toContain('turn it off')
      await app.slack.ana.submits()
      await app.slack.ana.seesModal(text)
    },
    // The service can't read a single link, so this says nothing about the link.
    { answers: { delete: answer, get: failure(404, 'NOT_FOUND') } },
  ),
)

test('shows a conflict of an edit at the field that was changed', () =>
  withCalls(
    ['get', 'patch'],
    async (app) => {
      const { ana } = app.slack
      await chooses(app, 'Edit')
      ana.fills({ Title: 'New' })
      await ana.submits()
      await ana.seesModal('refused this: “Words for CONFLICT.” Look at /shorten list')
      ana.fills({ 'Back-half': 'new' })
      await ana.submits()
      await ana.seesModal('Either the back-half is taken, or this destination already has')
    },
    { answers: { patch: failure(409, 'CONFLICT') } },
  ))

test('a link can be turned off and on with a service that shows no single link', () =>
  withCalls(['patch', 'delete'], async (app) => {
    const { ana } = app.slack
    expect(await chooses(app, 'Delete')).toContain('turn it off instead')
    await ana.closes()
    await choosesAtOnce(app, 'Turn off')
    expect(texts(await ana.gets('*Turned off.*'))).not.toContain('"Edit"')
    expect(ana.modal()).toBeUndefined()
  }))

test.each([['get'], ['clicks'], ['search']] as const)(
  'a service that offers only %s has no choice that changes a link',
  (call) =>
    withCalls([call], async (app) => {
      const made = await app.slack.ana.asks('/shorten https://example.com/page qr=off')
      for (const message of [made, await app.slack.ana.asks('/shorten list')]) {
        expect(texts(message)).not.toMatch(/"(?:edit|off|on|delete):lnk_1"/)
      }
      // The app shows a link before its record of it is stored, so these lists might have it a moment later.
      for (const command of ['/shorten list page', '/shorten list mine']) {
        await expect.poll(async () => texts(await app.slack.ana.asks(command))).toContain('x7Kp2Qa')
      }
      const clicks = await app.slack.ana.asks('/shorten clicks go.example.com/x7Kp2Qa')
      expect(texts(clicks)).toContain('Clicks on')
    }),
)

const EXPIRED = { ...LINK, expires_at: '2026-01-01T00:00:00Z' }

test('says that a link has expired when it is turned on, and in the form', () =>
  withCalls(
    ['get', 'patch'],
    async (app) => {
      await choosesAtOnce(app, 'Turn on')
      const answer = await app.slack.ana.gets('has expired, so it still doesn’t work.')
      expect(texts(answer)).not.toContain('again.')
      expect(await chooses(app, 'Edit')).toContain(
        'This link has expired. To use it again, change when it expires.',
      )
    },
    {
      link: { ...EXPIRED, enabled: false },
      expiry: true,
      answers: { get: oneLink(EXPIRED), patch: oneLink(EXPIRED) },
    },
  ))

/** Text that can’t be compressed much. */
const noise = (length: number): string => randomBytes(length).toString('base64url').slice(0, length)

test('a link that is too long for a button is turned off without Undo', () =>
  withCalls(
    ['get', 'patch'],
    async (app) => {
      await choosesAtOnce(app, 'Turn off')
      expect(texts(await app.slack.ana.gets('*Turned off.*'))).not.toContain('"Undo"')
    },
    {
      link: {
        ...LINK,
        name: `lnk_${noise(990)}`,
        shortlink_url: `https://go.example.com/${noise(1_970)}`,
      },
    },
  ))

test('the form keeps an expiry that Slack’s picker can’t show', () =>
  withCalls(
    ['get', 'patch'],
    async (app) => {
      await chooses(app, 'Edit')
      await app.slack.ana.submits()
      await app.slack.ana.seesModal('You changed nothing')
    },
    { link: { ...LINK, expires_at: '9999-12-31T23:59:59Z' }, expiry: true },
  ))

test('a link whose destination is too long for the form is not offered without it', () =>
  withCalls(
    ['get', 'patch'],
    async (app) => {
      expect(await chooses(app, 'Edit')).toContain('too long to be changed from here')
    },
    { link: { ...LINK, destination_url: `https://example.com/${'x'.repeat(3_000)}` } },
  ))

/** The elements of a message: each option of a menu, and each button. */
function elementsOf({ blocks }: Pick<Message, 'blocks'>): string[] {
  return placedElements(objects(blocks)).flatMap(({ element }) =>
    element['type'] === 'overflow'
      ? objects(element['options']).map(({ value }) => String(value))
      : [element['action_id']].filter((id) => typeof id === 'string'),
  )
}

/** What can be done with a listed link at any service. A menu of one choice is a button. */
const SIMPLE_ROW = ['link_menu']

/** The app filters and searches its own record if the service can’t. */
const LIST_CONTROLS = ['list_filter', 'list_sort', 'list_search']

test('shows nothing new if the link service offers nothing', () =>
  withCalls(
    [],
    async ({ service, slack: { ana } }) => {
      const made = await ana.asks('/shorten https://example.com/page qr=off')
      expect(elementsOf(made)).toEqual(['share_link', 'copy_link', 'show_qr'])
      const list = await ana.asks('/shorten list')
      expect(elementsOf(list)).toEqual([...SIMPLE_ROW, ...LIST_CONTROLS])
      expect(list.blocks?.[1]).toMatchObject({
        text: {
          text: '*example.com/page*\n<https://go.example.com/x7Kp2Qa|go.example.com/x7Kp2Qa>',
        },
      })
      await ana.opensHome()
      await ana.seesHome('x7Kp2Qa')
      expect(elementsOf({ blocks: objects(ana.home()?.['blocks']) })).toEqual([
        'open_shorten_form',
        'open_settings',
        ...SIMPLE_ROW,
        ...LIST_CONTROLS,
      ])
      await ana.presses('Copy…', { in: 'general', message: made })
      expect(await ana.seesModal('slack_file')).toContain('leads to example.com, as last known')
      await ana.closes()
      await ana.presses('Copy, QR code, share…', { in: 'general', message: list })
      await ana.seesModal('slack_file')
      ana.fills({ 'Share in': 'general' })
      await ana.submits()
      await ana.gets('Shared by')
      await ana.presses('Share in channel', { in: 'general', message: made })
      const shared = await ana.gets('Shared in this conversation')
      expect(elementsOf(shared)).toEqual(['copy_link', 'show_qr'])
      const asked = service.received.map(
        ({ method, url }) => `${method} ${url.split('?')[0] ?? ''}`,
      )
      expect(new Set(asked)).toEqual(new Set([`POST ${CREATE_PATH}`, `GET ${LIST_PATH}`]))
    },
    { document: { status: 404, body: '<h1>Not found</h1>' } },
  ))
