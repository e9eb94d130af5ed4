import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { MESSAGE_SHORTCUT, WORKFLOW_STEP } from '../../src/slack/ids.ts'
import { startAppElsewhere, type AppElsewhere } from '../support/app-elsewhere.ts'
import { createFakeShlink } from '../support/fake-shlink.ts'
import type { PersonDriver } from '../support/person.ts'
import { texts } from '../support/texts.ts'

/** Slack in front of a service that is not ours: it shows what the service can do, and says what it made differently. */
const shlink = createFakeShlink()
let app: AppElsewhere
let ana: PersonDriver

beforeAll(async () => {
  app = await startAppElsewhere({
    kind: 'shlink',
    answers: shlink.respond,
    config: { fallback: { apiKey: shlink.apiKey, domain: 'go.example.com' } },
  })
  shlink.isAt(app.service.baseUrl)
  ana = app.slack.ana
})
afterAll(() => app.stop())

const until = (condition: () => unknown) => vi.waitUntil(condition, { timeout: 20_000 })
const modal = (): string => JSON.stringify(ana.modal() ?? {})

test('the answer says what the service made differently', async () => {
  const answer = texts(
    await ana.asks('/shorten https://example.com/a one tags="Big sale" qr=off', { for: '/one' }),
  )
  expect(answer).toContain('The link service changed what you asked for. Tags: big sale → big-sale')
})

test('a back-half that the service would change is refused at its field, and the form has nothing that it lacks', async () => {
  await ana.asks('/shorten https://example.com/b a/b', { for: 'Back-half: This workspace’s link' })
  await ana.opens('/shorten', 'Destination')
  expect(modal()).not.toContain('custom preview')
  expect(modal()).toContain('allows_duplicate')
  await ana.closesAll()
})

test('offers the existing link first, and makes another one if the form says so', async () => {
  const before = shlink.count()
  await ana.asks('/shorten https://example.com/twice two qr=off', { for: '/two' })
  await ana.asks('/shorten https://example.com/twice qr=off', { for: 'already has a short link' })
  expect(shlink.count()).toBe(before + 1)
  await ana.opens('/shorten', 'Destination')
  ana.fills({
    Destination: 'https://example.com/twice',
    'Back-half': 'three',
    'QR code': [],
    'Existing link': ['on'],
  })
  await ana.submits()
  await ana.gets('/three')
  expect(shlink.count()).toBe(before + 2)
})

test('several links of a message, and the workflow step, work as with our own service', async () => {
  const message = await ana.posts('See https://example.com/first and https://example.com/second')
  await ana.runsMessageShortcut(MESSAGE_SHORTCUT, 'general', message)
  await ana.seesModal()
  const before = shlink.count()
  await ana.submits()
  await until(() => shlink.count() === before + 2)

  const step = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com/step' })
  await until(() => JSON.stringify(ana.stepRun(step)?.outcome ?? '').includes(app.service.baseUrl))
})

test('clicks and “list mine” come from the service and from our record', async () => {
  await ana.asks('/shorten https://example.com/clicked clicked qr=off', { for: '/clicked' })
  await fetch(`${app.service.baseUrl}/clicked`, { redirect: 'manual' })
  const clicks = await ana.asks(`/shorten clicks ${app.service.baseUrl}/clicked`, {
    for: '/clicked',
  })
  expect(texts(clicks)).toContain('Today\\n*1*')
  const mine = texts(await ana.asks('/shorten list mine', { for: 'Links that you created' }))
  expect(mine).toContain('/clicked')
  await ana.asks('/shorten list updated_at asc', { for: 'can’t be sorted like that' })
})

test('an edit has only the fields that can change, and a deletion promises no page', async () => {
  await ana.asks('/shorten https://example.com/edited edited utm_source=news qr=off', {
    for: '/edited',
  })
  await ana.opens(`/shorten edit ${app.service.baseUrl}/edited`, 'Destination')
  expect(modal()).not.toContain('"back_half"')
  expect(modal()).not.toContain('qr_code_enabled')
  ana.fills({ Title: 'New title', 'UTM source': '' })
  await ana.submits()
  await ana.gets('You changed:')
  const list = texts(await ana.asks('/shorten list edited', { for: 'New title' }))
  expect(list).not.toContain('news')
  await ana.opens(`/shorten delete ${app.service.baseUrl}/edited`, 'stops working')
  await ana.submits()
  await ana.gets('edited no longer works.')
})
