import { expect, test } from 'vitest'
import { CREATE_PATH, SHORTLINKS_PATH } from '../../../src/contract/endpoints.ts'
import type { Message } from '../../../src/simulator/protocol.ts'
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

/** The app in front of a service that offers only these calls, and answers all others with 405. */
async function startWith(
  calls: readonly Call[],
  link: Record<string, unknown> = LINK,
  { expiry = false } = {},
): Promise<AppElsewhere> {
  const answer = ({ method, url }: { method: string; url: string }): Answer => {
    const { pathname, searchParams } = new URL(url, 'http://service')
    if (method === 'POST') return created(link)
    const isOne = pathname.startsWith(`${SHORTLINKS_PATH}/lnk_`)
    if (!isOne && !(searchParams.has('q') && !calls.includes('search'))) {
      return { status: 200, body: { links: [link] } }
    }
    const call = pathname.endsWith('/clicks') ? 'clicks' : method.toLowerCase()
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
  const document = { status: 200, body: { openapi: '3.1.0', paths } }
  return startAppElsewhere({ answers: answer, document })
}

/** The app’s first answer to a command of Ana, an admin. */
async function answerTo({ slack }: AppElsewhere, command: string): Promise<Message> {
  const seen = slack.ana.sees('general').length
  await slack.ana.types(command, { in: 'general' })
  return slack.until(() => slack.ana.sees('general')[seen])
}

const modalOf = ({ slack }: AppElsewhere): string => JSON.stringify(slack.ana.modal() ?? {})

/** Chooses from the menu of the link in a list, and waits until the modal has more than “One moment…”. */
async function chooses(app: AppElsewhere, option: string): Promise<string> {
  const list = await answerTo(app, '/shorten list')
  await app.slack.ana.chooses(option, { in: 'general', message: list, of: 'link_menu' })
  await app.slack.until(
    () => modalOf(app).includes('title') && !modalOf(app).includes('One moment'),
  )
  return modalOf(app)
}

const withCalls = async (
  calls: readonly Call[],
  use: (app: AppElsewhere) => Promise<void>,
  link?: Record<string, unknown>,
  more?: { expiry: boolean },
) => {
  const app = await startWith(calls, link, more)
  await use(app)
  expect(app.slack.refusals()).toEqual([])
  await app.stop()
}

test('does not offer to turn a link off if the service can only delete it', () =>
  withCalls(['delete'], async (app) => {
    const modal = await chooses(app, 'Delete')
    expect(modal).toContain('Delete this link for good?')
    expect(modal).not.toContain('turn it off')
    await app.slack.ana.submits()
    await app.slack.until(() => modalOf(app).includes('*Deleted.*'))
  }))

test('offers to turn a link off if the service can do that, too', () =>
  withCalls(['delete', 'patch'], async (app) => {
    expect(await chooses(app, 'Delete')).toContain('turn it off instead')
  }))

test('a link can be turned off and on with a service that shows no single link', () =>
  withCalls(['patch'], async (app) => {
    const list = await answerTo(app, '/shorten list')
    expect(texts(list)).not.toContain('"Edit"')
    expect(await chooses(app, 'Turn off')).toContain('*Turned off.*')
    await app.slack.ana.presses('Turn on')
    await app.slack.until(() => modalOf(app).includes('*Turned on.*'))
  }))

test.each([['get'], ['clicks'], ['search']] as const)(
  'a service that offers only %s has no choice that changes a link',
  (call) =>
    withCalls([call], async (app) => {
      const made = await answerTo(app, '/shorten https://example.com/page qr=off')
      for (const message of [made, await answerTo(app, '/shorten list')]) {
        expect(texts(message)).not.toMatch(/"(?:edit|off|on|delete):lnk_1"/)
      }
      expect(texts(await answerTo(app, '/shorten list page'))).toContain('x7Kp2Qa')
      expect(texts(await answerTo(app, '/shorten list mine'))).toContain('x7Kp2Qa')
      const clicks = await answerTo(app, '/shorten clicks go.example.com/x7Kp2Qa')
      expect(texts(clicks)).toContain('Clicks on')
    }),
)

test('a link that is too long for the modal is not turned off behind an error', () =>
  withCalls(
    ['get', 'patch'],
    async (app) => {
      expect(await chooses(app, 'Turn off')).toContain('too long to be changed from here')
      expect(app.service.received.filter(({ method }) => method === 'PATCH')).toEqual([])
    },
    {
      ...LINK,
      name: `lnk_${noise(990, 1)}`,
      shortlink_url: `https://go.example.com/${noise(1_970, 2)}`,
    },
  ))

test('the form keeps an expiry that Slack’s picker can’t show', () =>
  withCalls(
    ['get', 'patch'],
    async (app) => {
      expect(await chooses(app, 'Edit')).toContain('edit_form')
      await app.slack.ana.submits()
      await app.slack.until(() => modalOf(app).includes('You changed nothing'))
    },
    { ...LINK, expires_at: '9999-12-31T23:59:59Z' },
    { expiry: true },
  ))

test('a link whose destination is too long for the form is not offered without it', () =>
  withCalls(
    ['get', 'patch'],
    async (app) => {
      expect(await chooses(app, 'Edit')).toContain('too long to be changed from here')
    },
    { ...LINK, destination_url: `https://example.com/${'x'.repeat(3_000)}` },
  ))

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Text that can’t be compressed much. */
function noise(length: number, start: number): string {
  let seed = start
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return LETTERS.charAt(seed % LETTERS.length)
  }).join('')
}
