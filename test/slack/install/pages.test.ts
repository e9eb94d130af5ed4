import { expect, test } from 'vitest'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { installedPage } from '../../../src/slack/install/pages.ts'
import { faultsOf } from '../../support/accessibility.ts'
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

browserTest(
  'the pages are accessible and fit on phones and desktops, light and dark',
  async ({ page }) => {
    const app = await startInstallableApp({ teams: [TEAM] })
    try {
      const consoleMessages: string[] = []
      page.on('console', (message) => void consoleMessages.push(message.text()))
      for (const path of ['/slack/install', '/slack/oauth_redirect?error=access_denied']) {
        await page.goto(`${app.running.appUrl}${path}`)
        expect(await faultsOf(page)).toEqual([])
      }
      await page.getByRole('link', { name: 'Start again' }).click()
      await page.getByRole('link', { name: 'Add to Slack' }).waitFor()
      expect(consoleMessages).toEqual([])
    } finally {
      await app.stop()
    }
  },
)
