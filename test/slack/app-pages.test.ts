import { expect } from 'vitest'
import { TEAM } from '../../src/simulator/workspace/seeds.ts'
import { withApp } from '../support/fixtures.ts'
import { OAUTH, startInstallableApp } from '../support/installing.ts'
import { startPlayground } from '../support/playground.ts'
import { BOT_TOKEN, SIGNING_SECRET } from '../support/workspace.ts'

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
  for (const secret of [BOT_TOKEN, SIGNING_SECRET]) expect(page).not.toContain(secret)
  const head = await request('/', 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('links from / to the install page if workspaces install the app', async () => {
  const installable = await startInstallableApp({ teams: [TEAM] })
  const request = requests(installable.running)
  const page = await (await request('/')).text()
  expect(page).toContain('href="slack/install">Add to Slack</a>')
  for (const secret of Object.values(OAUTH)) expect(page).not.toContain(secret)
  expect((await request('/slack/install')).status).toBe(200)
  await installable.stop()
})

test('answers unknown paths with a page, without repeating them', async () => {
  const request = requests(app.running)
  // The pictures are served by a route that finds nothing.
  const pictures = ['/qr/no-such-picture', '/qr/AAAA.png', '/qr/..%2f..%2fetc%2fpasswd']
  for (const path of ['/no-such-page', ...pictures, '/slack/events']) {
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
