import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { SlackJson } from '../../src/simulator/protocol.ts'
import { PNG } from '../support/images.ts'
import { GENERAL, input, modal, pageTest, plainText } from '../support/page.ts'

/** Gives every image its height as soon as its message is rendered. */
async function haveImagesAtOnce(page: Page): Promise<void> {
  await page.evaluate(`void new MutationObserver(() => {
    for (const image of document.images) image.style.height = '220px'
  }).observe(document, { childList: true, subtree: true })`)
}

/** How far a log is from its end, in pixels. */
function below(log: Locator): Promise<number> {
  return log.evaluate((one: { scrollTop: number }) => Math.abs(Math.round(one.scrollTop)))
}

async function expectBelow(log: Locator, pixels: number): Promise<void> {
  await expect.poll(() => below(log)).toBe(pixels)
}

pageTest('keeps the newest message in view when its image loads', async ({ open, app, page }) => {
  await page.route('https://pictures.example/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: PNG }),
  )
  const { says } = await open()
  await haveImagesAtOnce(page)
  const source = { image_url: 'https://pictures.example/qr.png', alt_text: 'QR code' }
  for (const [at, width] of [380, 380, 380, 1180, 1180, 1180].entries()) {
    await page.setViewportSize({ width, height: 640 })
    app.answerNext({ json: { text: 'A link', blocks: [{ type: 'image', ...source }] } })
    await says('/shorten https://example.com/')
    await page.getByRole('img', { name: 'QR code' }).nth(at).waitFor()
    await expectBelow(page.getByRole('log'), 0)
  }
})

pageTest(
  'keeps the end in view, but leaves a scrolled-up log alone until the person sends something',
  async ({ open, app, web, page }) => {
    await page.setViewportSize({ width: 1180, height: 500 })
    const { composer, says } = await open()
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(500)
    const last = page.getByRole('article').last()
    const before = await last.boundingBox()
    await composer.fill('t')
    expect(await last.boundingBox()).toEqual(before)

    const log = page.getByRole('log')
    await web.chat.postMessage({ channel: GENERAL, text: 'line\n'.repeat(60) })
    await page.getByText('line').waitFor()
    await expectBelow(log, 0)
    await log.hover()
    await page.mouse.wheel(0, -400)
    await expect.poll(() => below(log)).toBe(400)
    await web.chat.postMessage({ channel: GENERAL, text: 'news' })
    await page.getByText('news').waitFor()
    expect(await below(log)).toBeGreaterThan(400)
    await says('an answer')
    await page.getByText('an answer').waitFor()
    await expectBelow(log, 0)

    await composer.fill('/shorten with its usage above')
    await page.locator('.usage').waitFor()
    await expectBelow(log, 0)
    await composer.fill('text\n'.repeat(8))
    await expectBelow(log, 0)
    app.answerNext({ status: 500 })
    await says('/shorten https://example.com/')
    await page.getByRole('alert').waitFor()
    await expectBelow(log, 0)
  },
)

pageTest(
  'scrolls to what an app adds at the top of a long form',
  async ({ open, web, openView }) => {
    const { dialog } = await open()
    const inputs = Array.from({ length: 12 }, (_, at) =>
      input(`Field ${at}`, { type: 'plain_text_input' }, { optional: true }),
    )
    const view = (...above: SlackJson[]) => modal([...above, ...inputs])
    const view_id = await openView(view())
    const body = dialog.locator('.modal-body')
    const scrolled = () => body.evaluate((one) => one.scrollTop)
    await dialog.getByLabel('Field 11').focus()
    expect(await scrolled()).toBeGreaterThan(0)

    const notice = { type: 'section', text: plainText('Something was changed') }
    await web.views.update({ view_id, view: view(notice) })
    await dialog.getByText('Something was changed').waitFor()
    await expect.poll(scrolled).toBe(0)

    await dialog.getByLabel('Field 11').focus()
    await dialog.getByLabel('Field 11').scrollIntoViewIfNeeded()
    const before = await scrolled()
    await web.views.update({ view_id, view: view() })
    await dialog.getByText('Something was changed').waitFor({ state: 'detached' })
    expect(before).toBeGreaterThan(0)
    expect(await scrolled()).toBeGreaterThan(0)
  },
)
