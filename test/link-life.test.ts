import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { withPlayground } from './support/browser.ts'
import { modal, write } from './support/playground.ts'

const browserTest = withPlayground()

/** Chooses from the menu of the only link in the list. */
async function choose(page: Page, list: Locator, option: string): Promise<void> {
  await list.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: option, exact: true }).click()
}

browserTest(
  'changes where a link leads, turns it off and on, and deletes it, all from the list',
  async ({ page, program, origin }) => {
    await page.goto(program.url)
    await write(page, `/shorten ${origin}/wrong spring qr=off`)
    const answers = page.getByRole('article', { name: /^Backhalf/ })
    const shortUrl = await answers
      .getByRole('link', { name: /\/spring$/ })
      .first()
      .innerText()
    const status = async (): Promise<number> => (await page.request.get(shortUrl)).status()

    await write(page, '/shorten list')
    const list = answers.filter({ hasText: 'Page 1' })
    await choose(page, list, 'Edit')
    const form = modal(page)
    await form.getByLabel('Destination').fill(`${origin}/right`)
    await form.getByLabel('Title').fill('Spring sale')
    await form.getByRole('button', { name: 'Save' }).click()
    await list.getByText('You changed: Destination, Title.').waitFor()
    await form.waitFor({ state: 'hidden' })
    await list.getByText('Spring sale').waitFor()
    expect(await (await page.request.get(shortUrl)).text()).toBe('You are at /right')

    await choose(page, list, 'Turn off')
    await list.getByText('see a page saying that it is turned off').waitFor()
    expect(await status()).toBe(410)
    // With only the keyboard.
    await list.getByRole('button', { name: 'Undo' }).focus()
    await page.keyboard.press('Enter')
    await list.getByText('leads to its destination again').waitFor()
    expect(await status()).toBe(200)

    await choose(page, list, 'Delete')
    await form.getByText('will never lead anywhere again').waitFor()
    await form.getByRole('button', { name: 'Delete' }).click()
    await answers.getByText('Deleted.').waitFor()
    await form.waitFor({ state: 'hidden' })
    expect(await status()).toBe(410)
    await list.getByText('Spring sale').waitFor({ state: 'detached' })
    expect(await page.getByRole('region', { name: 'Slack errors' }).count()).toBe(0)
  },
)
