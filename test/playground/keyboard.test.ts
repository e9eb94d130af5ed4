import { expect } from 'vitest'
import { focusOn, input, modal, pageTest, plainText, requestWith } from '../support/page.ts'

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

pageTest('inputs that follow a wait get the focus', async ({ open, app, web }) => {
  const { dialog, says } = await open()
  await says('/shorten')
  const { trigger_id } = await requestWith(app, { command: '/shorten' })
  const wait = modal([{ type: 'header', text: plainText('One moment…') }])
  const opened = await web.views.open({ trigger_id: String(trigger_id), view: wait })
  const view_id = opened.view?.id ?? ''
  await focusOn(dialog.getByRole('button', { name: 'Send' }))

  const link = input('Link', { type: 'plain_text_input' })
  await web.views.update({ view_id, view: modal([link]) })
  await focusOn(dialog.getByLabel('Link'))

  const title = input('Title', { type: 'plain_text_input' })
  const key = input('Key', { type: 'plain_text_input', focus_on_load: true })
  await web.views.update({ view_id, view: modal([link, title, key]) })
  await focusOn(dialog.getByLabel('Key'))
})

pageTest('an input that asks for the focus has it at first', async ({ open, app, web }) => {
  const { dialog, says } = await open()
  await says('/shorten')
  const { trigger_id } = await requestWith(app, { command: '/shorten' })
  const options = [{ text: plainText('red'), value: 'red' }]
  await web.views.open({
    trigger_id: String(trigger_id),
    view: modal([
      input('Link', { type: 'plain_text_input' }),
      input('Colour', { type: 'radio_buttons', options, focus_on_load: true }),
    ]),
  })
  await focusOn(dialog.getByLabel('red'))
})
