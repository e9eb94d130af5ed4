import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { installedPage } from '../../../src/slack/installing/pages.ts'
import { browserTest } from '../../support/browser.ts'
import { startInstallableApp } from '../../support/installing.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const user = { id: 'U1' }
const bot = { token: 'xoxb-secret', scopes: [], id: 'B1', userId: 'U2' }

test('a workspace’s name is shown as it is, and no token is', () => {
  const html = installedPage({ team: { id: 'T1', name: '<img src=x> "&\'' }, user, bot })
  expect(html).toContain('&#60;img src=x&#62; &#34;&#38;&#39;')
  expect(html).not.toContain('xoxb')
})

test('an organization chooses its workspaces next, at Slack and nowhere else', () => {
  const org = { enterprise: { id: 'E1', name: 'Org' }, isEnterpriseInstall: true, appId: 'A1' }
  const enterpriseUrl = 'https://org.enterprise.slack.com/'
  expect(installedPage({ ...org, enterpriseUrl, user, bot })).toContain(
    'href="https://org.enterprise.slack.com/manage/organization/apps/profile/A1/workspaces/add"',
  )
  const elsewhere = installedPage({ ...org, enterpriseUrl: 'javascript:alert(1)//', user, bot })
  expect(elsewhere).not.toContain('javascript')
})

browserTest(
  'the pages can be read on a phone, by everybody, by day and by night',
  async ({ page }) => {
    const app = await startInstallableApp({ teams: [TEAM] })
    try {
      const complaints: string[] = []
      page.on('console', (message) => void complaints.push(message.text()))
      await page.setViewportSize({ width: 320, height: 640 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const path of ['/slack/install', '/slack/oauth_redirect?error=access_denied']) {
          await page.goto(`${app.running.appUrl}${path}`)
          expect(await page.evaluate<boolean>('document.body.scrollWidth <= innerWidth')).toBe(true)
          await page.evaluate(AXE)
          const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()')
          expect(violations.map(({ id }) => id)).toEqual([])
        }
      }
      await page.getByRole('link', { name: 'Start again' }).click()
      await page.getByRole('link', { name: 'Add to Slack' }).waitFor()
      expect(complaints).toEqual([])
    } finally {
      await app.stop()
    }
  },
)
