import { afterAll, beforeAll, expect, test } from 'vitest'
import { PNG, SVG } from '../../support/images.ts'
import { call, postForm } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const SLACKBOT = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'

async function shorten(back_half: string, fields: Record<string, string | Blob>): Promise<string> {
  const response = await postForm(service, {
    destination_url: `https://example.com/${back_half}`,
    domain: 'default',
    back_half,
    ...fields,
  })
  expect(response.status).toBe(200)
  return `${service.baseUrl}/${back_half}`
}

const visit = (url: string, userAgent: string) =>
  call(url, { headers: { 'user-agent': userAgent } })

test('sends the custom preview to programs that show preview cards', async () => {
  const url = await shorten('card', {
    is_custom_preview: 'true',
    preview_title: 'Spring <b>"sale"</b>',
    preview_description: "It's on & open",
    preview_image: new File([PNG], 'card.png'),
    utm_analytics_enabled: 'true',
    utm_source: 'slack',
  })
  const { status, headers, text } = await visit(url, SLACKBOT)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('vary')).toBe('User-Agent')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  const image = /og:image" content="([^"]+)"/.exec(text)?.[1] ?? ''
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
  const url = await shorten('measured', {
    is_custom_preview: 'true',
    preview_image: new File([PNG], 'card.png'),
  })
  const row = db.selectFrom('links').where('back_half', '=', 'measured')
  const sizes = row.select(['preview_image_width', 'preview_image_height'])
  expect(await sizes.executeTakeFirst()).toEqual({
    preview_image_width: 1,
    preview_image_height: 1,
  })
  const { id } = await row.select('id').executeTakeFirstOrThrow()
  await db.deleteFrom('preview_images').where('link_id', '=', id).execute()
  expect((await visit(url, SLACKBOT)).text).toContain('og:image:width" content="1"')
})

test('shows an image without a size if the image does not contain one', async () => {
  const url = await shorten('unmeasured', {
    is_custom_preview: 'true',
    preview_image: new File([SVG], 'card.svg'),
  })
  const { text } = await visit(url, SLACKBOT)
  expect(text).toContain('og:image:type" content="image/svg+xml"')
  expect(text).not.toContain('og:image:width')
})

test('redirects everyone else, including search engines', async () => {
  const url = await shorten('redirected', { is_custom_preview: 'true', preview_title: 'Not shown' })
  for (const userAgent of [
    'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'curl/8.9.1',
  ]) {
    const { status, headers } = await visit(url, userAgent)
    expect({ status, vary: headers.get('vary'), to: headers.get('location') }).toEqual({
      status: 302,
      vary: 'User-Agent',
      to: 'https://example.com/redirected',
    })
  }
})

test.each([
  ['without the flag', { preview_title: 'Not used' }],
  ['without anything to show', { is_custom_preview: 'true' }],
])('shows no card %s', async (what, fields) => {
  const url = await shorten(what.replaceAll(' ', '-'), fields)
  expect((await visit(url, SLACKBOT)).status).toBe(302)
})

test('uses the link’s title, or the destination’s hostname, if the preview has no title', async () => {
  const fields = { is_custom_preview: 'true', preview_description: 'Only words' }
  const titled = await shorten('titled', { ...fields, title: 'The link’s' })
  const untitled = await shorten('untitled', fields)
  expect((await visit(titled, SLACKBOT)).text).toContain('<title>The link’s</title>')
  expect((await visit(untitled, SLACKBOT)).text).toContain('<title>example.com</title>')
})
