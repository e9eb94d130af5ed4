import { afterAll, beforeAll, expect, test } from 'vitest'
import { PNG } from '../../support/images.ts'
import { addAlias, changeLink, deleteLink } from '../../support/links.ts'
import { call, postForm } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

let service: RunningService
let now = 1_800_000_000_000

beforeAll(async () => {
  service = await startService({ now: () => now })
})
afterAll(() => service.close())

const SLACKBOT = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'

async function shorten(back_half: string, fields: Record<string, string | Blob> = {}) {
  const destination_url = `https://example.com/${back_half}`
  const form = { destination_url, domain: 'default', back_half, qr_code_enabled: 'true', ...fields }
  const response = await postForm(service, form)
  expect(response.status).toBe(200)
}

const open = (path: string, init: RequestInit = {}) => call(`${service.baseUrl}/${path}`, init)

async function clicksOf(backHalf: string): Promise<number> {
  const rows = await service.database.db
    .selectFrom('clicks')
    .innerJoin('links', 'links.id', 'clicks.link_id')
    .select(['people', 'bots'])
    .where('back_half', '=', backHalf)
    .execute()
  return rows.reduce((sum, { people, bots }) => sum + people + bots, 0)
}

test.each([
  ['off', 'This link is turned off.', { enabled: 0 }],
  ['expired', 'This link has expired.', { expires_at: 1_800_000_000_000 }],
  ['off-and-expired', 'This link has expired.', { enabled: 0, expires_at: 1 }],
])(
  'a link that is %s shows everyone a page that explains why, and counts no click',
  async (name, title, values) => {
    await shorten(name, { is_custom_preview: 'true', preview_title: 'Card' })
    await changeLink(service.database, name, values)
    for (const [method, agent] of [
      ['GET', 'Mozilla/5.0 Firefox/140.0'],
      ['GET', SLACKBOT],
      ['HEAD', 'Mozilla/5.0 Firefox/140.0'],
    ] as const) {
      const { status, headers, text } = await open(name, {
        method,
        headers: { 'user-agent': agent },
      })
      expect({ status, type: headers.get('content-type') }).toEqual({
        status: 410,
        type: 'text/html; charset=utf-8',
      })
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('location')).toBeNull()
      if (method === 'GET') expect(text).toContain(`<h1>${title}</h1>`)
      expect(text).not.toContain('example.com')
    }
    // Clicks are written in the order in which they came.
    await shorten(`${name}-clicked`)
    await open(`${name}-clicked`)
    await expect.poll(() => clicksOf(`${name}-clicked`), { timeout: 20_000 }).toBe(1)
    expect(await clicksOf(name)).toBe(0)
  },
)

test('a link expires on time, even if it was opened before', async () => {
  await shorten('soon')
  await changeLink(service.database, 'soon', { expires_at: now + 1 })
  expect((await open('soon')).status).toBe(302)
  now += 1
  expect((await open('soon')).status).toBe(410)
})

test('a deleted link answers 410, by each of its short URLs, and shows no preview image', async () => {
  const image = new File([PNG], 'card.png')
  await shorten('gone', { is_custom_preview: 'true', preview_image: image })
  await addAlias(service.database, 'gone', 'gone-earlier')
  const { id } = await service.database.db
    .selectFrom('links')
    .select('id')
    .where('back_half', '=', 'gone')
    .executeTakeFirstOrThrow()
  expect((await open(`preview-images/${id}.png`)).status).toBe(200)
  expect((await open('gone-earlier')).headers.get('location')).toBe('https://example.com/gone')
  await deleteLink(service.database, 'gone')
  await expect.poll(async () => (await open('gone-earlier')).status, { timeout: 20_000 }).toBe(410)
  for (const path of ['gone', 'gone-earlier', 'gone/qr.png', 'gone-earlier/qr.svg']) {
    const { status, headers, text } = await open(path)
    expect({ status, cache: headers.get('cache-control') }).toEqual({
      status: 410,
      cache: 'no-store',
    })
    expect(text).toContain('<h1>This link was deleted.</h1>')
  }
  expect((await open('gone', { headers: { 'user-agent': SLACKBOT } })).status).toBe(410)
  expect((await open(`preview-images/${id}.png`)).status).toBe(404)
})

test.each([{ enabled: 0 }, { expires_at: 1 }])(
  'draws the QR code of a link that may work again: %j',
  async (values) => {
    const name = `qr-${Object.keys(values).join('')}`
    await shorten(name)
    await changeLink(service.database, name, values)
    expect((await open(`${name}/qr.svg`)).status).toBe(200)
  },
)

test('draws a link’s QR code in its new color, and none once it is turned off', async () => {
  await shorten('colored', { qr_code_color: '#1f4f46' })
  expect((await open('colored/qr.svg')).text).toContain('#1f4f46')
  await changeLink(service.database, 'colored', { qr_code_color: '#aa0000' })
  expect((await open('colored/qr.svg')).text).toContain('#aa0000')
  await changeLink(service.database, 'colored', { qr_code_enabled: 0 })
  expect((await open('colored/qr.svg')).status).toBe(404)
})

test('the card of a changed link has another image URL, because programs keep images', async () => {
  const image = new File([PNG], 'card.png')
  await shorten('pictured', { is_custom_preview: 'true', preview_image: image })
  const imageUrl = async () => {
    const { text } = await open('pictured', { headers: { 'user-agent': SLACKBOT } })
    return /og:image" content="([^"]+)"/.exec(text)?.[1] ?? ''
  }
  const before = await imageUrl()
  await changeLink(service.database, 'pictured', { preview_title: 'New', revision: 2 })
  const after = await imageUrl()
  expect(after).not.toBe(before)
  for (const url of [before, after]) {
    const { status, headers } = await call(url)
    expect({ status, cache: headers.get('cache-control') }).toEqual({
      status: 200,
      cache: 'public, no-cache',
    })
  }
})
