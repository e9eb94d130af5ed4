import { expect } from 'vitest'
import { focusOn, input, modal, pageTest, requestWith } from '../support/page.ts'

const FORM = modal([input('Link', { type: 'plain_text_input' })])

for (const way of ['Escape', 'Cancel']) {
  pageTest(`after ${way} one can go on typing at once`, async ({ open, page, app, web }) => {
    const { composer, dialog } = await open()
    await page.keyboard.type('/shorten')
    await page.keyboard.press('Enter')
    const { trigger_id } = await requestWith(app, { command: '/shorten' })
    await web.views.open({ trigger_id: String(trigger_id), view: FORM })
    await focusOn(dialog.getByLabel('Link'))
    await page.keyboard.type('typed')

    if (way === 'Escape') await page.keyboard.press('Escape')
    else await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'hidden' })
    await focusOn(composer)
    await page.keyboard.type('hello')
    expect(await composer.inputValue()).toBe('hello')
  })
}
