import { expect } from 'vitest'
import { MESSAGE_SHORTCUT, WORKFLOW_STEP } from '../../../src/slack/ids.ts'
import {
  created,
  failure,
  oneLink,
  type Answer,
  type ReceivedRequest,
} from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { offersDocument } from '../../support/offers-document.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
import { code } from '../../../src/slack/block-kit/elements.ts'
import { texts } from '../../support/texts.ts'

/** After a link was created in Slack, another program changes it. The app says what the link service says now. */

const CHANGED = { shortlink_url: 'https://go.example.com/changed', name: 'lnk_1' }
const KEPT = { shortlink_url: 'https://go.example.com/kept', name: 'lnk_2' }

/** What the service answers to a GET of the changed link. */
let read: Answer | 'destroy'
/** What the service says about the existing link of every destination; undefined: a create creates a link. */
let existing: object | undefined

function answers({ method, url, body }: ReceivedRequest): Answer | 'destroy' {
  if (method === 'GET' && url.includes('lnk_1')) return read
  if (method === 'GET') return oneLink(KEPT)
  if (!existing) return created(body.includes('example.com/kept') ? KEPT : CHANGED)
  const shortlink = { ...CHANGED, destination_url: 'https://example.com/', ...existing }
  return failure(409, 'DUPLICATE_DESTINATION_URL', { details: { shortlink } })
}

// The list of a person's links comes from the app's own record, because this service can't filter by creator.
const document = JSON.stringify(offersDocument()).replace('"created_by"', '"another"')

const { test, ana, ben, until } = withAppElsewhere({
  answers,
  document: { status: 200, body: JSON.parse(document) as object },
  config: { unfurlDomains: ['go.example.com'] },
})

test.beforeEach(() => {
  read = oneLink(CHANGED)
  existing = undefined
})

const PREVIEW = {
  is_custom_preview: true,
  preview_title: 'Free lunch',
  preview_description: 'For <everyone>',
  preview_image: 'https://go.example.com/card.png',
}

const OFF = { enabled: false }
const EXPIRED = { expires_at: '2026-01-01T00:00:00Z' }

/** Creates the link. @returns the answer, which has a button to share it */
const makes = () => ana.asks('/shorten https://example.com/page qr=off', { for: '/changed' })

/** The card below the posted link; empty if only the other link of the message has one. */
async function card(): Promise<string> {
  await makes()
  await ana.asks('/shorten https://example.com/kept qr=off', { for: '/kept' })
  const { ts } = await ben.posts(`${CHANGED.shortlink_url} ${KEPT.shortlink_url}`, 'marketing')
  const cards = await until(() => ben.sees('marketing').find((one) => one.ts === ts)?.attachments)
  const shown = cards.filter(({ app_unfurl_url: url }) => url === CHANGED.shortlink_url)
  return shown.length > 0 ? JSON.stringify(shown) : ''
}

/** What everyone sees after Ana has shared the link; empty if it was not shared, with what Ana sees instead. */
async function shared(): Promise<{ shown: string; refusal: string }> {
  const message = await makes()
  const [seen, own] = [ben.sees('general').length, ana.sees('general').length]
  await ana.presses('Share in channel', { in: 'general', message })
  const refusal = (): string => JSON.stringify(ana.sees('general').slice(own))
  await until(() => ben.sees('general').length > seen || /not shared|was deleted/.test(refusal()))
  const shown = ben.sees('general').slice(seen)
  return { shown: shown.length > 0 ? JSON.stringify(shown) : '', refusal: refusal() }
}

test('a card and a shared link lead where the link service says, and show its preview', async () => {
  read = oneLink({ ...CHANGED, ...PREVIEW, destination_url: 'https://phish.example/' })
  const { shown } = await shared()
  for (const text of [await card(), shown]) {
    expect(text).toMatch(/eads to \S*phish\.example/)
    expect(text).toContain('Free lunch')
    expect(text).toContain('For &lt;everyone&gt;')
    expect(text).toContain(PREVIEW.preview_image)
    expect(text).not.toContain('example.com/page')
  }
})

test.each([
  ['says nothing if it works', oneLink(CHANGED), undefined],
  ['says nothing if the link service fails', failure(500, 'INTERNAL'), undefined],
  [
    'has the current short URL',
    oneLink({ ...CHANGED, shortlink_url: 'https://go.example.com/now' }),
    undefined,
  ],
  [
    'says that it is turned off',
    oneLink({ ...CHANGED, ...OFF }),
    'is turned off. Turn it on, then use it.',
  ],
  [
    'says that it has expired',
    oneLink({ ...CHANGED, ...EXPIRED }),
    'has expired. Change when it expires, then use it.',
  ],
])('a short URL to copy is alone in a code block, and the modal %s', async (_, answer, says) => {
  const message = await makes()
  read = answer
  await ana.presses('Copy…', { in: 'general', message })
  await ana.seesModal('slack_file')
  const blocks = objects(ana.modal()?.view['blocks'])
  const isNew = JSON.stringify(answer).includes('/now')
  expect(blocks.find(({ type }) => type === 'rich_text')).toMatchObject(
    code(isNew ? 'https://go.example.com/now' : CHANGED.shortlink_url),
  )
  expect(JSON.stringify(blocks)).toMatch(/eads to |It led to /)
  expect(JSON.stringify(blocks).includes('share_in')).toBe(says === undefined)
  if (says) expect(JSON.stringify(blocks)).toContain(says)
  await ana.closesAll()
})

test('a short URL that was deleted is not offered to be copied', async () => {
  const message = await makes()
  read = failure(404, 'NOT_FOUND')
  for (const button of ['Copy…', 'QR code']) {
    await ana.presses(button, { in: 'general', message })
    expect(await ana.seesModal('was deleted')).not.toMatch(/preformatted|slack_file/)
    await ana.closes()
  }
})

test('a card of an earlier short URL says which one the link has now', async () => {
  const current = 'https://go.example.com/current'
  read = oneLink({ ...CHANGED, shortlink_url: current })
  expect(await card()).toContain(
    'Its short link is now \u2068go.example.com/current\u2069, which leads to',
  )
  expect((await shared()).shown).toContain(current)
})

test.each([
  ['breaks the connection', 'destroy' as const],
  ['returns 500', failure(500, 'INTERNAL')],
])(
  'both say where the link led when that was last known if the link service %s',
  async (_what, answer) => {
    read = answer
    const { shown } = await shared()
    for (const text of [await card(), shown]) {
      expect(text).toContain(CHANGED.shortlink_url)
      expect(text).toContain('eads to example.com, as last known')
    }
    const list = texts(await ana.asks('/shorten list mine', { for: 'Links that you created' }))
    expect(list).toContain('as last known')
  },
)

test.each([
  ['is turned off', oneLink({ ...CHANGED, ...OFF }), 'Turn it on'],
  ['has expired', oneLink({ ...CHANGED, ...EXPIRED }), 'Change when it expires'],
  ['was deleted', failure(404, 'NOT_FOUND'), 'Shorten its destination again'],
])('a link that %s gets no card, and is not shared', async (what, answer, next) => {
  read = answer
  expect(await card()).toBe('')
  const { shown, refusal } = await shared()
  expect(shown).toBe('')
  expect(refusal).toContain(`${CHANGED.shortlink_url} ${what}`)
  expect(refusal).toContain(next)
})

test.each([
  ['is turned off', OFF],
  ['has expired', EXPIRED],
])('a workflow, a checklist and a command say that an existing link %s', async (what, state) => {
  existing = state
  const id = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com/page' })
  const outcome = await until(() => ana.stepRun(id)?.outcome)
  expect(outcome).toMatchObject({
    ok: false,
    error: expect.stringContaining(`It ${what}.`) as string,
  })

  const message = await ben.posts('https://example.com/one https://example.com/two')
  await ana.runsMessageShortcut(MESSAGE_SHORTCUT, 'general', message)
  await ana.seesModal('checklist')
  await ana.submits()
  await ana.gets(`already existed, but ${what}`)

  // The QR code for the checklist might come later than its message.
  const to = { for: `*${what.replace(/^\w+ /, '')}*` }
  const answer = texts(await ana.asks('/shorten https://example.com/page', to))
  expect(answer).toMatch(new RegExp(what.replace(/(\w+ )(.*)/, '$1\\*$2\\*')))
  expect(answer).not.toContain('Use this link')
})

test('a link that was turned off after it was offered says so when it is used', async () => {
  existing = {}
  read = oneLink({ ...CHANGED, ...OFF })
  await ana.asks('/shorten https://example.com/page qr=off', { for: 'Use this link' })
  await ana.presses('Use this link', { in: 'general' })
  const used = texts(await ana.gets('is *turned off*'))
  expect(used).not.toContain('Share in channel')
})
