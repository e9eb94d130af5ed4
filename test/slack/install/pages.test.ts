import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { installRoutes } from '../../../src/slack/install/installer.ts'
import { installedPage } from '../../../src/slack/install/pages.ts'
import { faultsOf } from '../../support/accessibility.ts'
import { startApp } from '../../support/app.ts'
import { browserTest } from '../../support/browser.ts'
import { startInstallableApp } from '../../support/installing.ts'

const bot = { token: 'xoxb-secret', scopes: [], id: 'B1', userId: 'U2' }

test('shows the name of the workspace as text, and no token', () => {
  const { html } = installedPage({ team: { id: 'T1', name: '<img src=x> "&\'' }, bot })
  expect(html).toContain(`&lt;img src=x> &quot;&amp;'.</h1>`)
  expect(html).not.toContain('xoxb')
})

test('links to the choice of workspaces, at Slack only', () => {
  const org = { enterprise: { id: 'E1', name: 'Org' }, isEnterpriseInstall: true, appId: 'A1' }
  const enterpriseUrl = 'https://org.enterprise.slack.com/'
  expect(installedPage({ ...org, enterpriseUrl, bot }).html).toContain(
    'href="https://org.enterprise.slack.com/manage/organization/apps/profile/A1/workspaces/add"',
  )
  const elsewhere = installedPage({ ...org, enterpriseUrl: 'javascript:alert(1)//', bot })
  expect(elsewhere.html).not.toContain('javascript')
})

test('asks the user to wait while the app starts or stops', async () => {
  const server = fastify()
  await server.register(installRoutes(() => undefined))
  const page = await server.inject('/slack/install')
  expect(page.statusCode).toBe(503)
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
  })
  expect(page.body).toContain('One moment, please.')
  await server.close()
})

test('offers no installation if the app has a single bot token', async () => {
  const app = await startApp()
  const { status } = await fetch(`${app.running.appUrl}/slack/install`)
  expect(status).toBe(404)
  await app.stop()
})

browserTest(
  'the pages are accessible and fit on phones and desktops, light and dark',
  async ({ page }) => {
    const app = await startInstallableApp({ teams: [TEAM] })
    try {
      const consoleMessages: string[] = []
      page.on('console', (message) => void consoleMessages.push(message.text()))
      await page.goto(`${app.running.appUrl}/slack/oauth_redirect?error=access_denied`)
      expect(await faultsOf(page)).toEqual([])
      const again = page.getByRole('link', { name: 'Start again' })
      expect(await again.getAttribute('href')).toBe('install')
      expect(consoleMessages).toEqual([])
    } finally {
      await app.stop()
    }
  },
)
