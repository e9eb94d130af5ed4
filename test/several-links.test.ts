import { expect } from 'vitest'
import { withPlayground } from './support/browser.ts'
import { modal, write } from './support/playground.ts'

const browserTest = withPlayground()

browserTest(
  'shortens the checked links of a message, and posts them in one reply',
  async ({ page, program }) => {
    await page.goto(program.url)
    await write(page, 'https://example.com/a https://example.com/b https://example.com/c')
    const message = page.getByRole('article').filter({ hasText: 'example.com/b' }).first()
    await message.hover()
    await message.getByRole('button', { name: 'Message shortcuts' }).click()
    await page.getByRole('menuitem', { name: /^Shorten this link/ }).click()
    const form = modal(page)
    await form.getByText('Which links in the message').waitFor()
    const ticks = form.getByRole('checkbox', { name: 'Shorten' })
    expect(await ticks.count()).toBe(3)
    await ticks.nth(1).uncheck()
    await form.getByRole('button', { name: 'Create links' }).click()
    await form.waitFor({ state: 'hidden' })
    const reply = page.getByRole('article').filter({ hasText: 'shortened 2 links:' })
    await reply.getByRole('link', { name: 'example.com/a' }).waitFor()
    expect(await reply.getByRole('link', { name: /^localhost:\d+\// }).count()).toBe(2)
    expect(await reply.getByRole('link', { name: 'example.com/b' }).count()).toBe(0)
    await reply.getByRole('button', { name: 'Show QR code' }).first().click()
    await modal(page)
      .getByRole('img', { name: /^QR code/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await modal(page).waitFor({ state: 'hidden' })
  },
)

browserTest(
  'offers the existing link for a duplicate, after a change too',
  async ({ page, program }) => {
    await page.goto(program.url)
    await write(page, '/shorten https://example.com/there')
    await page.getByRole('article').filter({ hasText: 'example.com/there' }).waitFor()
    await write(page, '/shorten')
    const form = modal(page)
    await form.getByLabel('Destination').fill('https://example.com/there')
    await form.getByLabel('Title').fill('My title')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('This destination already has a short link:').waitFor()
    await form.getByRole('img', { name: /^QR code/ }).waitFor()

    await form.getByRole('button', { name: 'Change something' }).click()
    await form.getByLabel('Title').waitFor()
    expect(await form.getByLabel('Title').inputValue()).toBe('My title')
    expect(await form.getByLabel('Destination').inputValue()).toBe('https://example.com/there')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('button', { name: 'Use this link' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('article').filter({ hasText: 'Share in channel' }).nth(1).waitFor()
  },
)
