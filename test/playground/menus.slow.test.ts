import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import type { SlackJson } from '../../src/simulator/protocol.ts'
import { PNG } from '../support/images.ts'
import { become } from '../support/playground.ts'
import { GENERAL, focusOn, input, modal, pageTest } from '../support/page.ts'
import { plainText, requestWith } from '../support/page.ts'

const option = (words: string): SlackJson => ({ text: plainText(words), value: words })
const MENU = {
  type: 'overflow',
  action_id: 'more',
  options: ['Show QR code', 'Share', 'Delete'].map(option),
}

function actions(...elements: SlackJson[]): SlackJson {
  return { type: 'actions', block_id: 'row', elements }
}

function message(...blocks: SlackJson[]) {
  return { channel: GENERAL, text: 'A message', blocks: blocks as never[] }
}

/** How far an element extends beyond the window, in pixels. */
async function outside(part: Locator): Promise<number> {
  const box = (await part.boundingBox()) ?? { x: NaN, y: NaN, width: 0, height: 0 }
  const { width, height } = part.page().viewportSize() ?? { width: 0, height: 0 }
  return Math.max(0, -box.x, -box.y, box.x + box.width - width, box.y + box.height - height)
}

pageTest('ends a notice after a while, and when the person changes', async ({ open, app, web }) => {
  await open().then(({ page }) => page.clock.install())
  const { page } = await open()
  await web.chat.postMessage(message(actions(MENU)))
  const notice = page.locator('.notice')
  const fail = async (): Promise<void> => {
    app.answerNext({ status: 500 })
    await page.getByRole('button', { name: 'More' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Share' }).press('Enter')
    await notice.waitFor()
  }
  await fail()
  await page.clock.fastForward(10_000)
  await notice.waitFor({ state: 'detached' })
  await fail()
  await become(page, 'Ben')
  await notice.waitFor({ state: 'detached' })
})

pageTest('uses menus and shortcuts with only the keyboard', async ({ open, app, web }) => {
  const { page, dialog } = await open()
  const sort = { type: 'static_select', action_id: 'sort', options: ['up', 'down'].map(option) }
  await web.chat.postMessage(message(actions(sort, MENU)))
  const button = page.getByRole('button', { name: 'More' })
  const item = (name: string): Locator => page.getByRole('menuitem', { name })
  await button.press('Enter')
  await focusOn(item('Show QR code'))
  await page.keyboard.press('ArrowUp')
  await focusOn(item('Delete'))
  await page.keyboard.press('Escape')
  await focusOn(button)

  await page.keyboard.press('Enter')
  await focusOn(item('Show QR code'))
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  expect(await requestWith(app, { type: 'block_actions' })).toMatchObject({
    actions: [{ action_id: 'more', selected_option: option('Share') }],
  })
  await focusOn(button)
  await page.keyboard.press('Enter')
  await focusOn(item('Show QR code'))
  await page.keyboard.press('Tab')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  expect(await button.and(page.locator(':focus')).count()).toBe(0)

  app.requests.length = 0
  await page.getByRole('combobox', { name: 'Choose' }).selectOption('down')
  expect(await requestWith(app, { type: 'block_actions' })).toMatchObject({
    actions: [{ action_id: 'sort', selected_option: option('down') }],
  })

  await page.getByRole('button', { name: 'Shortcuts', exact: true }).press('Enter')
  await focusOn(item('Shorten a link'))
  await page.keyboard.press('Enter')
  const { trigger_id } = await requestWith(app, { type: 'shortcut', callback_id: 'shorten_link' })
  const where = { type: 'conversations_select', default_to_current_conversation: true }
  await web.views.open({ trigger_id: String(trigger_id), view: modal([input('Where', where)]) })
  expect(await dialog.getByLabel('Where').inputValue()).toBe(GENERAL)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  const first = page.getByRole('article').first()
  await first.getByRole('button', { name: 'Message shortcuts' }).press('Enter')
  await focusOn(item('Shorten this link'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await requestWith(app, { type: 'message_action' })).toMatchObject({
    callback_id: 'import_message_file',
    message: { text: 'Good morning! The new office plants have arrived.' },
  })
})

pageTest(
  'keeps menus, images, headers and forms inside the window',
  async ({ open, web, slack, openView }) => {
    const { page, dialog } = await open()
    const section = (at: number): SlackJson => ({
      type: 'section',
      text: plainText(`A long link, number ${at}, with a long description`),
      accessory: MENU,
    })
    const { files } = await web.filesUploadV2({ file: PNG, filename: 'qr.png', title: 'QR code' })
    const id = files[0]?.files?.[0]?.id ?? ''
    const image = { type: 'image', slack_file: { id }, alt_text: 'QR code' }
    const blocks = [...Array.from({ length: 12 }, (_, at) => section(at)), image, section(12)]
    await web.chat.postMessage(message(...blocks))
    const view = { type: 'home' as const, blocks: blocks as never[] }
    await web.views.publish({ user_id: slack.ana.id, view })
    const opened = page.getByRole('menu')
    const checkPage = async (place: string): Promise<void> => {
      await page.goto(`${slack.pageUrl}#${place}`)
      const part = page.getByRole('main')
      const buttons = part.getByRole('button', { name: 'More' })
      for (const button of [buttons.first(), buttons.last()]) {
        await button.click()
        await opened.waitFor()
        expect(await outside(opened)).toBe(0)
        await page.keyboard.press('Escape')
        await opened.waitFor({ state: 'hidden' })
      }
      const source = await part.getByRole('img', { name: 'QR code' }).getAttribute('src')
      expect(source).toMatch(new RegExp(`/files/${id}$`))
      const title = await page.locator('.page-header h1').boundingBox()
      expect(title?.height).toBeLessThan(35)
    }
    for (const width of [1180, 380]) {
      await page.setViewportSize({ width, height: 640 })
      for (const place of ['app/home', `channel/${GENERAL}`]) await checkPage(place)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }

    const options = [option('A long option, '.repeat(5))]
    const accessory = { type: 'static_select', action_id: 'fill', options }
    const utm = { type: 'section', text: plainText('UTM parameters'), accessory }
    await openView(modal([utm, input('Link', { type: 'url_text_input' })]))
    await dialog.getByLabel('Link').waitFor()
    const body = dialog.locator('.modal-body')
    expect(await body.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  },
)
