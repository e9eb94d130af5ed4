import sharp from 'sharp'
import { expect } from 'vitest'
import { withService } from '../../support/fixtures.ts'
import { JPEG_HEAD, PNG, SVG } from '../../support/images.ts'
import { changeLink } from '../../support/links.ts'
import { call, newLink, shorten, type Fields } from '../../support/service-calls.ts'

const { test, service } = withService()

const SLACKBOT = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'

const visit = (url: string, userAgent = SLACKBOT) =>
  call(url, { headers: { 'user-agent': userAgent } })

const PREVIEW = { is_custom_preview: 'true' }
const PICTURED = { ...PREVIEW, preview_image: new File([PNG], 'card.png') }

const imageOf = (text: string) => /og:image" content="([^"]+)"/.exec(text)?.[1] ?? ''

test('sends the custom preview to programs that show preview cards', async () => {
  const url = await shorten(service, 'card', {
    ...PICTURED,
    preview_title: 'Spring <b>"sale"</b>',
    preview_description: "It's on & open",
    utm_analytics_enabled: 'true',
    utm_source: 'slack',
  })
  const { status, headers, text } = await visit(url)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('vary')).toBe('User-Agent')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  const image = imageOf(text)
  expect(text.match(/<meta (?:name|property)="(?:og|twitter|desc).*?"\/>/g)).toEqual([
    `<meta name="description" content="It's on &amp; open"/>`,
    '<meta property="og:type" content="website"/>',
    `<meta property="og:url" content="${url}"/>`,
    '<meta property="og:title" content="Spring &lt;b>&quot;sale&quot;&lt;/b>"/>',
    `<meta property="og:description" content="It's on &amp; open"/>`,
    `<meta property="og:image" content="${image}"/>`,
    '<meta property="og:image:type" content="image/png"/>',
    '<meta property="og:image:width" content="1"/>',
    '<meta property="og:image:height" content="1"/>',
    '<meta name="twitter:card" content="summary_large_image"/>',
    '<meta name="twitter:title" content="Spring &lt;b>&quot;sale&quot;&lt;/b>"/>',
    `<meta name="twitter:description" content="It's on &amp; open"/>`,
    `<meta name="twitter:image" content="${image}"/>`,
  ])
  expect(text).toContain('<a href="https://example.com/card?utm_source=slack">')
  expect((await call(image)).headers.get('content-type')).toBe('image/png')
})

test('measures an image when it is uploaded, not when it is visited', async () => {
  const { db } = service.database
  const url = await shorten(service, 'measured', PICTURED)
  const named = db.selectFrom('links').select('id').where('back_half', '=', 'measured')
  await db.deleteFrom('preview_images').where('link_id', '=', named).execute()
  expect((await visit(url)).text).toContain('og:image:width" content="1"')
})

/** Creates a link with a preview image. @returns its card */
async function cardWith(backHalf: string, preview_image: File): Promise<string> {
  return (await visit(await shorten(service, backHalf, { ...PREVIEW, preview_image }))).text
}

test('shows an image without a size if the image does not contain one', async () => {
  const text = await cardWith('head', new File([JPEG_HEAD], 'card.jpg'))
  expect(text).toContain('og:image:type" content="image/jpeg"')
  expect(text).not.toContain('og:image:width')
})

test('shows a PNG of an SVG, because programs show no SVG, and keeps serving the SVG', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"></svg>'
  const text = await cardWith('svg', new File([svg], 'card.svg'))
  expect(text).toContain('og:image:type" content="image/png"')
  expect(text).not.toContain('og:image:width')
  const url = imageOf(text)
  const response = await fetch(url)
  expect(response.headers.get('content-type')).toBe('image/png')
  const { width, height } = await sharp(await response.arrayBuffer()).metadata()
  expect([width, height]).toEqual([1200, 600])
  expect((await call(url.replace('.png', '.svg'))).text).toBe(svg)
})

test('returns 503 for the PNG of an SVG that can’t be drawn', async () => {
  const text = await cardWith('bad', new File([SVG], 'card.svg'))
  const { status, headers } = await call(imageOf(text))
  expect([status, headers.get('retry-after')]).toEqual([503, '60'])
})

test('the card of a changed link has another image URL, because programs keep images', async () => {
  const url = await shorten(service, 'pictured', PICTURED)
  const before = imageOf((await visit(url)).text)
  await changeLink(service.database, 'pictured', { preview_title: 'New', revision: 2 })
  const after = imageOf((await visit(url)).text)
  expect(after).not.toBe(before)
  for (const image of [before, after]) {
    const { status, headers } = await call(image)
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
  }
})

test.each<[string, string, Fields, vary?: null]>([
  ['a person', 'Mozilla/5.0 Firefox/140.0', { ...PREVIEW, preview_title: 'Not shown' }],
  ['a search engine', 'Googlebot/2.1', { ...PREVIEW, preview_title: 'Not shown' }],
  ['the crawler of a card if the preview is off', SLACKBOT, { preview_title: 'Not used' }, null],
  ['the crawler of a card if there is nothing to show', SLACKBOT, PREVIEW],
])('redirects %s', async (_who, userAgent, fields, vary) => {
  const { shortlink_url: url, destination_url: location } = await newLink(service, fields)
  const { status, headers } = await visit(url, userAgent)
  const sent = [status, headers.get('location'), headers.get('vary')]
  expect(sent).toEqual([302, location, vary === null ? null : 'User-Agent'])
})

test.each([
  ['the link’s title', 'titled', { title: 'The link’s' }, 'The link’s'],
  ['the destination’s hostname', 'untitled', {}, 'example.com'],
])('uses %s if the preview has no title', async (_what, backHalf, fields, title) => {
  const preview = { ...PREVIEW, preview_description: 'Only words', ...fields }
  const { text } = await visit(await shorten(service, backHalf, preview))
  expect(text).toContain(`<title>${title}</title>`)
})
