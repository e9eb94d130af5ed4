import { expect, test } from 'vitest'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import { daysFrom } from '../../support/click-days.ts'
import {
  clickAnswer,
  created,
  failure,
  type Answer,
  WHOLE_LINK,
} from '../../support/fake-link-service.ts'
import { offersDocument } from '../../support/offers-document.ts'

/** An app that was just started, in front of a service that offers everything. */
const startNow = (
  document: Answer = { status: 200, body: offersDocument() },
): Promise<AppElsewhere> =>
  startAppElsewhere({
    answers({ method, url }) {
      if (method === 'POST') return created()
      if (url.includes('/clicks')) return clickAnswer(daysFrom('2026-03-01', [1, 2]))
      return { status: 200, body: { links: [WHOLE_LINK] } }
    },
    document,
  })

test('finds the link of the first clicks by a search, and shows days', async () => {
  const app = await startNow()
  await app.slack.ana.asks('/shorten clicks go.example.com/x7Kp2Qa', { for: 'Last 30 days' })
  expect(app.service.received[0]?.url).toContain('q=go.example.com')
  await app.stop()
})

test('lets the first link expire already', async () => {
  const app = await startNow()
  const command = '/shorten https://example.com/page expires=30d qr=off'
  await app.slack.ana.asks(command, { for: 'expires <!date^' })
  await app.stop()
})

test('does not say what the service lacks before it has said what it offers', async () => {
  const app = await startNow(failure(503, 'UNAVAILABLE'))
  const { ana } = app.slack
  const unknown = 'Backhalf couldn’t find out whether the link service'
  await ana.asks('/shorten clicks go.example.com/x7Kp2Qa', { for: `${unknown} reports clicks` })
  await ana.asks('/shorten list tag:print', { for: `${unknown} can filter by tags` })
  await ana.asks('/shorten report', { for: `${unknown} has reports` })
  await ana.asks('/shorten https://example.com/page expires=30d', { for: `${unknown} offers this` })
  await app.stop()
})
