import { expect } from 'vitest'
import { MESSAGE_SHORTCUT, WORKFLOW_STEP } from '../../src/slack/ids.ts'
import { createFakeShlink } from '../support/fake-shlink.ts'
import { withAppElsewhere } from '../support/fixtures.ts'
import { texts } from '../support/texts.ts'

/** Slack in front of a service that is not ours: it shows what the service can do, and says what it made differently. */
const shlink = createFakeShlink()
const { test, ana, service, until } = withAppElsewhere({
  kind: 'shlink',
  answers: shlink.respond,
  config: { fallback: { apiKey: shlink.apiKey, domain: 'go.example.com' } },
})

test.beforeAll(({ app }) => shlink.isAt(app.service.baseUrl))

test('the answer says what the service made differently', async () => {
  const answer = texts(
    await ana.asks('/shorten https://example.com/a one tags="Big sale" qr=off', { for: '/one' }),
  )
  expect(answer).toContain('The link service changed what you asked for. Tags: big sale → big-sale')
})

test('a back-half that the service would change is refused at its field, and the form has nothing that it lacks', async () => {
  await ana.asks('/shorten https://example.com/b a/b', { for: 'Back-half: This workspace’s link' })
  const form = await ana.opens('/shorten', 'allows_duplicate')
  expect(form).not.toContain('custom preview')
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
  await expect.poll(() => shlink.count()).toBe(before + 2)

  const step = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com/step' })
  await until(() => JSON.stringify(ana.stepRun(step)?.outcome ?? '').includes(service.baseUrl))
})

test('clicks and “list mine” come from the service and from our record', async () => {
  await ana.asks('/shorten https://example.com/clicked clicked qr=off', { for: '/clicked' })
  const shortUrl = `${service.baseUrl}/clicked`
  await fetch(shortUrl, { redirect: 'manual' })
  const clicks = await ana.asks(`/shorten clicks ${shortUrl}`, { for: '/clicked' })
  expect(texts(clicks)).toContain('Today\\n*1*')
  const mine = texts(await ana.asks('/shorten list mine', { for: 'Links that you created' }))
  expect(mine).toContain('/clicked')
  await ana.asks('/shorten list updated_at asc', { for: 'can’t be sorted like that' })
})

test('an edit has only the fields that can change, and a deletion promises no page', async () => {
  await ana.asks('/shorten https://example.com/edited edited utm_source=news qr=off', {
    for: '/edited',
  })
  const form = await ana.opens(`/shorten edit ${service.baseUrl}/edited`, 'Destination')
  expect(form).not.toMatch(/"back_half"|qr_code_enabled/)
  ana.fills({ Title: 'New title', 'UTM source': '' })
  await ana.submits()
  await ana.gets('You changed:')
  const list = texts(await ana.asks('/shorten list edited', { for: 'New title' }))
  expect(list).not.toContain('news')
  await ana.opens(`/shorten delete ${service.baseUrl}/edited`, 'stops working')
  await ana.submits()
  await ana.gets('edited no longer works.')
})
