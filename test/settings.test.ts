import { expect } from 'vitest'
import { focusOn } from './support/page.ts'
import { withPlayground } from './support/browser.ts'
import { modal, write } from './support/playground.ts'

const browserTest = withPlayground()

browserTest(
  'lets an admin set naming rules and write a template with only the keyboard',
  async ({ page, program }) => {
    await page.goto(program.url)
    await write(page, '/shorten settings')
    const form = modal(page)
    await form.getByText('Every link gets one, in black.').waitFor()

    await form.getByRole('button', { name: 'Change Naming rules for UTM values' }).focus()
    await page.keyboard.press('Enter')
    await form.getByLabel('Write everything in lower case').focus()
    await page.keyboard.press('Space')
    await form.getByLabel('A hyphen: spring-sale').focus()
    await page.keyboard.press('Space')
    await form.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await form.getByText('Everything in lower case').waitFor()

    await form.getByRole('button', { name: 'Change UTM templates' }).focus()
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Add a template' }).focus()
    await page.keyboard.press('Enter')
    await focusOn(form.getByLabel('Name'))
    await page.keyboard.type('Newsletter')
    await form.getByLabel('UTM source').focus()
    await page.keyboard.type('News Letter')
    await page.keyboard.press('Enter')
    await form.getByText('source: news-letter').waitFor()

    await form.getByRole('button', { name: 'Back', exact: true }).focus()
    await page.keyboard.press('Enter')
    await form.getByText('1: Newsletter').waitFor()
    expect(await form.getByText('None yet.').count()).toBe(0)
  },
)
