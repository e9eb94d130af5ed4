import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { addDomain } from '../../../src/service/store/domains.ts'
import { tabTo } from '../../support/accessibility.ts'
import { dashboardTest, LONG_HOSTNAME, observe, PHONE } from '../../support/dashboard-page.ts'
import { signInCommand } from '../../support/dashboard.ts'
import { linkAt } from '../../support/links.ts'
import { callLink, newLink } from '../../support/service-calls.ts'
import type { RunningService } from '../../support/service.ts'

dashboardTest(
  'the pages of links are accessible and fit on phones and desktops, light and dark',
  async ({ page, service }) => {
    const domain = { id: 'long', domain_name: LONG_HOSTNAME, owner_id: null, created_at: 1 }
    await addDomain(service.database.db, domain)
    await addChart(service)
    const { open, look, expectNoFaults } = observe(page, service)
    await open('/docs')
    await look('/docs')
    await open('/dashboard')
    await look('/dashboard/sign-in')
    await page.goto(await signInCommand(service, 'link', Date.now))
    await look('/dashboard/sign-in/ID')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await look('/dashboard')
    const stateMenu = page.getByLabel('State', { exact: true })
    expect(await stateMenu.isVisible()).toBe(true)
    await page.setViewportSize(PHONE)
    expect(await stateMenu.isVisible()).toBe(false)
    for (const card of await page.locator('tbody tr').all()) {
      expect(await linesOf(card.locator('.name, .url, .copy, .count, .state'))).toBe(2)
    }
    // The whole card opens the page of its link.
    const card = page.locator('tbody tr').filter({ hasText: '/spring' })
    await card.click({ position: { x: 30, y: 20 } })
    await page.getByRole('img', { name: /^Clicks by people .* 1,200 clicks by people/ }).waitFor()
    await page.getByText('Show the figures').click()
    await look('/dashboard/links/ID')
    const link = page.url()
    await page.getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('link', { name: 'Last 30 days' }).click()
    await page.getByRole('img', { name: /^Clicks by source .*: 1,200 clicks by people/ }).waitFor()
    await look('/dashboard/reports')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav, form').filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('img', { name: /^Clicks by source/ }).isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    await page.goto(`${link}/delete`)
    await look('/dashboard/links/ID/delete')
    await page.goto(`${link}/edit`)
    const title = `Theirs, as long as it might be ${'very '.repeat(30)}`
    const name = link.split('/').at(-1) ?? ''
    await callLink(service, 'PATCH', name, { fields: { title } })
    await page.getByLabel('Title (optional)').fill('Mine')
    await page.getByLabel('Color').fill('#ffff00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    await look('/dashboard/links/ID/edit')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Phones can’t scan this color').waitFor()
    await look('/dashboard/links/ID/edit')
    expectNoFaults()
  },
)

dashboardTest(
  'links are selected and changed together with the keyboard, on phones and desktops, light and dark',
  async ({ page, service }) => {
    const { open, look, expectNoFaults } = observe(page, service)
    for (let at = 0; at < 26; at++) {
      await newLink(service, { title: `Together ${'w'.repeat(at * 4)}` })
    }
    await page.goto(await signInCommand(service, 'link', Date.now))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Links' }).waitFor()
    await open('/dashboard?q=together')
    const [turnOff, all] = [
      page.getByRole('button', { name: 'Turn off…' }),
      page.getByLabel('Select all on this page'),
    ]
    // There is nothing to turn off yet.
    expect(await turnOff.isVisible()).toBe(false)
    await tabTo(page, 'Select all on this page')
    await page.keyboard.press('Space')
    expect(await page.locator('.pick:checked').count()).toBe(25)
    await page.locator('.pick').first().uncheck()
    expect(await all.isChecked()).toBe(false)
    await look('/dashboard')
    await turnOff.click()
    await page.getByRole('heading', { name: 'Turn off 24 links?' }).waitFor()
    await look('/dashboard/bulk/turn-off')
    await page.goBack()
    expect(await page.locator('.pick:checked').count()).toBe(24)
    await page.getByLabel('All 26 links that match').check()
    await page.getByRole('button', { name: 'Change tags…' }).click()
    await page.getByRole('button', { name: 'Change the tags of 26 links' }).click()
    await page.getByText('Enter a tag to add or to remove.').waitFor()
    await look('/dashboard/bulk/tags')
    await page.getByLabel('Add tags').fill('together')
    await page.getByRole('button', { name: 'Change the tags of 26 links' }).click()
    await page.getByText('26 links changed, 0 unchanged, 0 skipped.').waitFor()
    await page.getByRole('link', { name: 'Back to the links' }).click()
    await page.locator('.pick').first().check()
    await turnOff.click()
    await page.getByRole('button', { name: 'Turn off 1 link' }).click()
    await page.getByText('1 link turned off, 0 unchanged, 0 skipped.').waitFor()
    await look('/dashboard/bulk/turn-off')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('1 link turned on, 0 unchanged, 0 skipped.').waitFor()
    await open('/dashboard')
    await page.setViewportSize(PHONE)
    for (const card of await page.locator('tbody tr').all()) {
      const name = await card.locator('.name').boundingBox()
      const pick = await card.locator('.pick').boundingBox()
      expect(Math.abs((name?.y ?? 0) - (pick?.y ?? 99))).toBeLessThan(12)
    }
    expectNoFaults()
  },
)

/** On how many lines the parts of a card are: their middles are at most a few pixels apart on each. */
async function linesOf(parts: Locator): Promise<number> {
  const boxes = await Promise.all((await parts.all()).map((part) => part.boundingBox()))
  const middles = boxes.map((box) => (box?.y ?? NaN) + (box?.height ?? NaN) / 2)
  return middles
    .sort((a, b) => a - b)
    .filter((at, index, all) => !(at - (all[index - 1] ?? -99) < 10)).length
}

/** Adds clicks to a link, so that its page has a chart. */
async function addChart({ database }: RunningService): Promise<void> {
  const { id } = await linkAt(database, 'spring')
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const hosts = new Map([[`${'a-long-hostname.'.repeat(12)}example.com`, 700]])
  await database.write(addClicks([{ link_id: id, day, people: 1_200, bots: 3, hosts }]))
}
