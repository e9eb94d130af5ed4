import type { WebClient } from '@slack/web-api'
import { expect } from 'vitest'
import { focusOn, input, modal, pageTest, plainText, requestWith } from '../support/page.ts'
import type { RecordingApp } from '../support/recording-app.ts'

/** A form with two buttons, of which the second opens another form. */
function view(title: string) {
  const button = (words: string) => ({
    type: 'button',
    action_id: words.toLowerCase(),
    text: plainText(words),
  })
  return modal(
    [
      input('Name', { type: 'plain_text_input' }, { optional: true }),
      { type: 'actions', elements: [button('Other'), button('Deeper')] },
    ],
    { title: plainText(title) },
  )
}

async function pushed(app: RecordingApp, web: WebClient, title: string): Promise<void> {
  const { trigger_id } = await requestWith(app, { type: 'block_actions' })
  app.requests.length = 0
  await web.views.push({ trigger_id: String(trigger_id), view: view(title) })
}

pageTest(
  'opens modals above each other, and returns the focus to each',
  async ({ open, app, web, openView }) => {
    const { page, dialog, composer } = await open()
    await openView(view('First'))
    const deeper = dialog.getByRole('button', { name: 'Deeper' })
    expect(await dialog.getByRole('button', { name: /^Back/ }).count()).toBe(0)
    await deeper.click()
    await pushed(app, web, 'Second')
    await dialog.getByRole('heading', { name: 'Second' }).waitFor()
    await focusOn(dialog.getByLabel('Name'))
    await deeper.click()
    await pushed(app, web, 'Third')
    await dialog.getByRole('heading', { name: 'Third' }).waitFor()
    await deeper.click()
    await expect(pushed(app, web, 'Fourth')).rejects.toThrow('push_limit_reached')

    await dialog.getByRole('button', { name: 'Back to Second' }).click()
    await dialog.getByRole('heading', { name: 'Second' }).waitFor()
    await focusOn(deeper)
    await page.keyboard.press('Escape')
    await dialog.getByRole('heading', { name: 'First' }).waitFor()
    await focusOn(deeper)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await focusOn(composer)
  },
)

pageTest('shows a modal again that could not be closed', async ({ open, openView }) => {
  const { page, dialog } = await open()
  await openView(view('First'))
  await dialog.getByLabel('Name').fill('typed')

  await page.route('**/actions?*', (route) => route.abort())
  await page.keyboard.press('Escape')
  await dialog.getByText('Can’t reach the playground.').waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('typed')
  await page.unroute('**/actions?*')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})
