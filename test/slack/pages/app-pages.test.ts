import { imageSize } from 'image-size'
import { createRequire } from 'node:module'
import { expect } from 'vitest'
import type { Operator } from '../../../src/config/config.ts'
import { homePage, PICTURES } from '../../../src/slack/pages/home-page.ts'
import type { Installed } from '../../../src/slack/pages/support-page.ts'
import { privacyPage } from '../../../src/slack/pages/privacy-page.ts'
import { supportPage } from '../../../src/slack/pages/support-page.ts'
import { withApp } from '../../support/fixtures.ts'
import { startPlayground } from '../../support/playground.ts'
import { BOT_TOKEN, SIGNING_SECRET } from '../../support/workspace.ts'

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

const { test, app } = withApp()

/** @returns a function that requests a path of the app without following redirects */
const requests =
  ({ appUrl }: { appUrl: string }) =>
  (path: string, method = 'GET') =>
    fetch(appUrl + path, { method, redirect: 'manual' })

test('redirects / to the playground', async () => {
  const playground = await startPlayground()
  const request = requests(playground)
  for (const method of ['GET', 'HEAD']) {
    const response = await request('/', method)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/playground/')
  }
  await playground.stop()
})

test('says at / what runs here, and nothing secret', async () => {
  const request = requests(app.running)
  const response = await request('/')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const page = await response.text()
  expect(page).toContain('Backhalf is a Slack app that turns long links into short ones.')
  expect(page).not.toContain('Add to Slack')
  expect((await request('/slack/install')).status).toBe(404)
  for (const secret of [BOT_TOKEN, SIGNING_SECRET]) expect(page).not.toContain(secret)
  const head = await request('/', 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('has the pages below /slack, to which the short paths lead', async () => {
  const request = requests(app.running)
  for (const name of ['privacy', 'support']) {
    const response = await request(`/${name}`)
    expect([response.status, response.headers.get('location')]).toEqual([302, `slack/${name}`])
  }
  for (const path of ['/slack/', '/slack/privacy', '/slack/support']) {
    const { status, headers } = await request(path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).not.toContain('script-src')
  }
})

test('serves small pictures of the size that the page names', async () => {
  for (const { file, height } of PICTURES) {
    const response = await requests(app.running)(`/slack/pictures/${file}`)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes.length).toBeLessThan(120_000)
    const size = imageSize(bytes)
    expect(Math.abs((size.height * 512) / size.width - height)).toBeLessThan(1)
  }
})

const installed = (operator: Operator = {}, others: Partial<Installed> = {}): Installed => ({
  operator,
  isInstallable: true,
  hasOwnService: true,
  hasMcp: false,
  ...others,
})

const HOSTILE = '<script>alert(1)</script>"&\''
const OPERATOR = {
  name: 'Example & Sons',
  supportUrl: 'https://help.example.com/?a=1&b="2',
  supportEmail: 'help@example.com',
  privacyContact: 'privacy@example.com',
}

test('names the operator, and how to reach a person', () => {
  expect(homePage(installed(OPERATOR), '').html).toContain('Example &amp; Sons runs it here.')
  const support = supportPage(installed(OPERATOR)).html
  expect(support).toContain('href="https://help.example.com/?a=1&amp;b=&quot;2"')
  expect(support).toContain('href="mailto:help@example.com"')
  expect(support).toContain(`Backhalf ${version}`)
  const privacy = privacyPage(installed(OPERATOR)).html
  expect(privacy).toContain('Example &amp; Sons runs this app and is responsible for the data.')
  expect(privacy).toContain('href="mailto:privacy@example.com"')
  const withPage = { privacyContact: 'https://example.com/privacy' }
  expect(privacyPage(installed(withPage)).html).toContain('href="https://example.com/privacy"')
})

test('says plainly what the operator has not set', () => {
  expect(supportPage(installed()).html).toContain('has not said how to reach a person')
  const { html } = privacyPage(installed())
  expect(html).toContain('The operator of this app has not given a name here.')
  expect(html).toContain('has not named a contact for questions about personal data')
})

test('shows what the operator has set as text', () => {
  const hostile = { name: HOSTILE, supportUrl: `https://example.com/${HOSTILE}` }
  for (const { html } of [
    homePage(installed(hostile), ''),
    supportPage(installed(hostile)),
    privacyPage(installed({ ...hostile, privacyContact: hostile.supportUrl })),
  ]) {
    expect(html).toContain('&lt;script>')
    expect(html).not.toContain('<script')
  }
})

test('leaves out what only our own link service stores', () => {
  const { html } = privacyPage(installed({}, { hasOwnService: false }))
  expect(html).toContain('Its operator has a privacy policy for that.')
  expect(html).not.toContain('By the link service')
  expect(privacyPage(installed()).html).toContain('By the link service')
})

test('says that Slackbot gets links only if it can use the tools', () => {
  expect(privacyPage(installed()).html).not.toContain('Slackbot')
  const { html } = privacyPage(installed({}, { hasMcp: true }))
  expect(html).toContain('If a person asks Slackbot for short links, Slack’s AI gets the links')
})

test('answers unknown paths with a page, without repeating them', async () => {
  const request = requests(app.running)
  // The pictures are served by a route that finds nothing.
  const pictures = ['/qr/no-such-picture', '/qr/AAAA.png', '/qr/..%2f..%2fetc%2fpasswd']
  for (const path of ['/no-such-page', ...pictures]) {
    const response = await request(path)
    expect(response.status).toBe(404)
    const page = await response.text()
    expect(page).toContain('There is no page here.')
    expect(page).not.toContain('no-such')
  }
  const head = await request('/no-such-page', 'HEAD')
  expect([head.status, await head.text()]).toEqual([404, ''])
  const post = await request('/no-such-page', 'POST')
  expect([post.status, await post.json()]).toEqual([
    404,
    { message: 'There is nothing at this address.' },
  ])
})
