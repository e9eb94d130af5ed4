import { expect } from 'vitest'
import { withService } from '../../support/fixtures.ts'
import { PNG } from '../../support/images.ts'
import { changeLink, linkAt } from '../../support/links.ts'
import { call, callLink, newLink, shorten } from '../../support/service-calls.ts'

let now = 1_800_000_000_000
const { test, service } = withService({ now: () => now })

const CARD = {
  is_custom_preview: 'true',
  preview_title: 'Card',
  qr_code_enabled: 'true',
  preview_image: new File([PNG], 'card.png'),
}
const FIREFOX = { 'user-agent': 'Mozilla/5.0 Firefox/140.0' }
const SLACKBOT = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }

const open = (path: string, init: RequestInit = {}) => call(`${service.baseUrl}/${path}`, init)

async function clicksOf(backHalf: string): Promise<number> {
  const { id } = await linkAt(service.database, backHalf)
  const clicks = service.database.db.selectFrom('clicks').select(['people', 'bots'])
  const rows = await clicks.where('link_id', '=', id).execute()
  return rows.reduce((sum, { people, bots }) => sum + people + bots, 0)
}

test('a link that is off or has expired shows everyone a page that explains why, also for its image, and counts no click, but still has a QR code', async () => {
  for (const [name, title, values] of [
    ['off', 'This link is turned off.', { enabled: 0 }],
    ['expired', 'This link has expired.', { expires_at: now }],
    ['off-and-expired', 'This link has expired.', { enabled: 0, expires_at: 1 }],
  ] as const) {
    const { preview_image: image = '' } = await newLink(service, { ...CARD, back_half: name })
    expect((await call(image)).status).toBe(200)
    await changeLink(service.database, name, values)
    for (const [path, init] of [
      [`${service.baseUrl}/${name}`, { headers: FIREFOX }],
      [`${service.baseUrl}/${name}`, { headers: SLACKBOT }],
      [`${service.baseUrl}/${name}`, { method: 'HEAD' }],
      [image, {}],
    ] as const) {
      const { status, headers, text } = await call(path, init)
      const sent = ['content-type', 'cache-control', 'location'].map((name) => headers.get(name))
      expect([status, ...sent]).toEqual([410, 'text/html; charset=utf-8', 'no-store', null])
      if (!('method' in init)) expect(text).toContain(`<h1>${title}</h1>`)
      expect(text).not.toContain('example.com')
    }
    // It might work again.
    for (const picture of ['qr.svg', 'qr.png']) {
      expect((await open(`${name}/${picture}`)).status).toBe(200)
      expect((await open(`${name}/${picture}`, { method: 'HEAD' })).status).toBe(200)
    }
  }
  // Clicks are written in the order in which they came.
  await call(await shorten(service, 'clicked'))
  await expect.poll(() => clicksOf('clicked')).toBe(1)
  for (const name of ['off', 'expired', 'off-and-expired']) expect(await clicksOf(name)).toBe(0)
})

test('a link expires on time, even if it was opened before', async () => {
  await shorten(service, 'soon')
  await changeLink(service.database, 'soon', { expires_at: now + 1 })
  expect((await open('soon')).status).toBe(302)
  now += 1
  expect((await open('soon')).status).toBe(410)
})

test('a deleted link returns 410, by each of its short URLs, and shows no preview image', async () => {
  const back_half = 'gone-earlier'
  const link = await newLink(service, { ...CARD, back_half })
  const image = link.preview_image ?? ''
  await callLink(service, 'PATCH', link.name, { fields: { back_half: 'gone' } })
  expect((await call(image)).status).toBe(200)
  expect((await open('gone-earlier')).headers.get('location')).toBe(link.destination_url)
  await callLink(service, 'DELETE', link.name)
  for (const path of ['gone', 'gone-earlier', 'gone/qr.png', 'gone-earlier/qr.svg']) {
    const { status, headers, text } = await open(path, { headers: SLACKBOT })
    expect([status, headers.get('cache-control')]).toEqual([410, 'no-store'])
    expect(text).toContain('<h1>This link was deleted.</h1>')
  }
  expect((await call(image)).status).toBe(404)
})
