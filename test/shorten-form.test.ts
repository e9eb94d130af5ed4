import { expect, onTestFinished } from 'vitest'
import { withPlayground } from './support/browser.ts'
import { modal, write } from './support/playground.ts'
import { createTestSettings } from './support/settings.ts'

const browserTest = withPlayground()

browserTest(
  'fills in the form from a template, and applies the naming rules',
  async ({ page, program }) => {
    const settings = createTestSettings(() => program.databaseUrl)
    onTestFinished(() => settings.close())
    await settings.set({
      templates: [
        { name: 'Newsletter', values: { utm_source: 'newsletter', utm_medium: 'email' } },
      ],
      naming: { lowerCase: true, spaces: '-', sources: [], mediums: ['email', 'social'] },
    })
    await page.goto(program.url)
    await write(page, '/shorten')
    const form = modal(page)
    await form.getByLabel('Destination').fill('https://example.com/spring')
    await form.getByRole('button', { name: 'Add UTM parameters' }).click()
    await form.getByLabel('UTM campaign').fill('Spring Sale')

    await form.getByLabel('Fill in from…').selectOption('Newsletter')
    const source = form.getByLabel('UTM source')
    await expect.poll(() => source.inputValue()).toBe('newsletter')
    expect(await form.getByLabel('UTM campaign').inputValue()).toBe('Spring Sale')

    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('UTM campaign: Spring Sale → spring-sale.').waitFor()
    expect(await form.getByLabel('UTM campaign').inputValue()).toBe('spring-sale')
    expect(await form.getByLabel('Destination').inputValue()).toBe('https://example.com/spring')

    await form.getByRole('button', { name: 'Create' }).click()
    const answers = page.getByRole('article', { name: /^Backhalf/ })
    await answers.getByText('UTM source newsletter, medium email, campaign spring-sale').waitFor()
    expect(await form.count()).toBe(0)
  },
)
