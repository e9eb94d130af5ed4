import { expect } from 'vitest'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { faultsOf, gluedWords } from '../../support/accessibility.ts'
import { browserTest } from '../../support/browser.ts'
import { startInstallableApp } from '../../support/installing.ts'

const OPERATOR = {
  name: 'Example & Sons',
  supportUrl: `https://example.com/${'help'.repeat(40)}`,
  supportEmail: 'help@example.com',
  privacyContact: 'privacy@example.com',
}

browserTest('the pages are accessible and fit on phones, light and dark', async ({ page }) => {
  const installable = await startInstallableApp({
    teams: [TEAM],
    config: { operator: OPERATOR },
  })
  try {
    const messages: string[] = []
    page.on('console', (message) => void messages.push(message.text()))
    const faults: string[] = []
    const canceled = '/slack/oauth_redirect?error=access_denied'
    for (const path of [canceled, '/', '/slack/privacy', '/slack/support']) {
      await page.goto(installable.running.appUrl + path)
      faults.push(...(await faultsOf(page)))
      faults.push(...(await gluedWords(page)))
    }
    expect(faults).toEqual([])
    await page.getByRole('link', { name: 'Privacy' }).click()
    await page.getByRole('heading', { name: 'What is stored' }).waitFor()
    await page.getByRole('link', { name: 'About Backhalf' }).click()
    await page.getByRole('link', { name: 'Add to Slack' }).waitFor()
    const widths = await page.evaluate<
      number[]
    >(`Promise.all([...document.images].map(async (image) => {
      image.loading = 'eager'
      await image.decode()
      return image.naturalWidth
    }))`)
    expect(widths).toEqual([1024, 1024])
    expect(messages).toEqual([])
  } finally {
    await installable.stop()
  }
})
