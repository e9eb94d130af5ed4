import { expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import type { AppElsewhere } from '../../support/app-elsewhere.ts'
import { daysFrom } from '../../support/click-days.ts'
import { clickAnswer, created, startFakeLinkService } from '../../support/fake-link-service.ts'
import { offersDocument } from '../../support/offers-document.ts'
import { texts } from '../../support/texts.ts'

const LINK = {
  name: 'lnk_1',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/x7Kp2Qa',
}

/** An app that was just started, in front of a service that offers everything. */
async function startNow(): Promise<AppElsewhere> {
  const service = await startFakeLinkService(({ method, url }) => {
    if (method === 'POST') return created()
    if (url.includes('/clicks')) return clickAnswer(daysFrom('2026-03-01', [1, 2]))
    return { status: 200, body: { links: [LINK] } }
  })
  service.describes({ status: 200, body: offersDocument() })
  const app = await startApp({
    config: {
      linkService: { kind: 'external', baseUrl: service.baseUrl },
      fallback: { apiKey: 'key-1', domain: 'dom_1' },
    },
  })
  return {
    ...app,
    service,
    async stop() {
      await app.stop()
      await service.close()
    },
  }
}

/** The app's first answer to Ana. */
async function firstAnswer({ slack }: AppElsewhere, command: string): Promise<string> {
  const seen = slack.ana.sees('general').length
  await slack.ana.types(command, { in: 'general' })
  return texts(await slack.until(() => slack.ana.sees('general')[seen]))
}

test('finds the link of the first clicks by a search, and shows days', async () => {
  const app = await startNow()
  expect(await firstAnswer(app, '/shorten clicks go.example.com/x7Kp2Qa')).toContain('Last 30 days')
  expect(app.service.received[0]?.url).toContain('q=go.example.com')
  await app.stop()
})

test('lets the first link expire already', async () => {
  const app = await startNow()
  const command = '/shorten https://example.com/page expires=30d qr=off'
  expect(await firstAnswer(app, command)).toContain('expires <!date^')
  await app.stop()
})
