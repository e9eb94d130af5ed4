import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import type { SlackJson } from '../../src/simulator/protocol.ts'
import {
  GENERAL,
  focusOn,
  input,
  modal,
  pageTest,
  plainText,
  requestWith,
} from '../support/page.ts'

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

pageTest('uses a menu with only the keyboard', async ({ open, app, web }) => {
  const { page } = await open()
  await web.chat.postMessage(message(actions(MENU)))
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
})

pageTest('keeps menus inside the window, even at its end', async ({ open, web, slack }) => {
  const { page } = await open()
  const section = (at: number): SlackJson => ({
    type: 'section',
    text: plainText(`A long link, number ${at}, with a long description`),
    accessory: MENU,
  })
  const blocks = Array.from({ length: 12 }, (_, at) => section(at))
  await web.chat.postMessage(message(...blocks))
  await web.views.publish({
    user_id: slack.ana.id,
    view: { type: 'home', blocks: blocks as never[] },
  })
  const opened = page.getByRole('menu')
  const checkMenus = async (place: string): Promise<void> => {
    await page.goto(`${slack.pageUrl}#${place}`)
    const buttons = page.locator(place === 'app/home' ? '.home' : '.messages').getByRole('button', {
      name: 'More',
    })
    for (const button of [buttons.first(), buttons.last()]) {
      await button.click()
      await opened.waitFor()
      expect(await outside(opened)).toBe(0)
      await page.keyboard.press('Escape')
      await opened.waitFor({ state: 'hidden' })
    }
  }
  for (const [width, height] of [
    [1180, 800],
    [380, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const place of [`channel/${GENERAL}`, 'app/home']) await checkMenus(place)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  }
})

pageTest('uses the same button in two attachments', async ({ open, app, web, slack }) => {
  const { page } = await open()
  const press = { type: 'button', action_id: 'press', text: plainText('Press') }
  const urls = ['https://go.example.com/one', 'https://go.example.com/two']
  await slack.ana.types(urls.join(' '), { in: 'general' })
  const { ts } = slack.ana.sees('general').at(-1) ?? {}
  const unfurls = Object.fromEntries(urls.map((url) => [url, { blocks: [actions(press)] }]))
  await web.apiCall('chat.unfurl', { channel: GENERAL, ts, unfurls })
  await page.getByRole('button', { name: 'Press' }).last().click()
  expect(await requestWith(app, { type: 'block_actions' })).toMatchObject({
    container: { type: 'message_attachment', attachment_id: 2 },
  })
})

pageTest(
  'keeps a menu with a long option inside a form on a narrow screen',
  async ({ open, openView }) => {
    const { page, dialog } = await open()
    await page.setViewportSize({ width: 380, height: 700 })
    const option = { text: plainText('A long option, '.repeat(5)), value: 'long' }
    await openView(
      modal([
        {
          type: 'section',
          text: plainText('UTM parameters'),
          accessory: { type: 'static_select', action_id: 'fill', options: [option] },
        },
        input('Link', { type: 'url_text_input' }),
      ]),
    )
    await dialog.getByLabel('Link').waitFor()
    const body = dialog.locator('.modal-body')
    expect(await body.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  },
)
