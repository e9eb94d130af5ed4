import { expect } from 'vitest'
import { focusOn, input, modal, pageTest, plainText, requestWith } from '../support/page.ts'

const FORM = modal([input('Link', { type: 'plain_text_input' })])

pageTest(
  'types into the composer right after a modal is closed',
  async ({ open, app, openView }) => {
    const { page, composer, dialog } = await open()
    const ways = [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).last().click(),
    ]
    for (const close of ways) {
      app.requests.length = 0
      await openView(FORM)
      await focusOn(dialog.getByLabel('Link'))
      await page.keyboard.type('typed')

      await close()
      await page.keyboard.type('hello')
      await dialog.waitFor({ state: 'hidden' })
      expect(await composer.inputValue()).toBe('hello')
    }
  },
)

pageTest('focuses the first input that follows a loading view', async ({ open, web, openView }) => {
  const { dialog } = await open()
  const wait = modal([{ type: 'header', text: plainText('One moment…') }])
  const viewId = await openView(wait)
  await focusOn(dialog.getByRole('button', { name: 'Send' }))

  const link = input('Link', { type: 'plain_text_input' })
  await web.views.update({ view_id: viewId, view: modal([link]) })
  await focusOn(dialog.getByLabel('Link'))

  const title = input('Title', { type: 'plain_text_input' })
  const key = input('Key', { type: 'plain_text_input', focus_on_load: true })
  await web.views.update({ view_id: viewId, view: modal([link, title, key]) })
  await focusOn(dialog.getByLabel('Key'))
})

pageTest('focuses the input that asks for it', async ({ open, openView }) => {
  const { dialog } = await open()
  const options = [{ text: plainText('red'), value: 'red' }]
  await openView(
    modal([
      input('Link', { type: 'plain_text_input' }),
      input('Color', { type: 'radio_buttons', options, focus_on_load: true }),
    ]),
  )
  await focusOn(dialog.getByLabel('red'))
})

pageTest(
  'returns the focus to a button that the app redraws meanwhile',
  async ({ open, app, web, slack }) => {
    const { page, dialog } = await open()
    const button = { type: 'button', action_id: 'new', text: plainText('New') }
    const publish = () =>
      web.views.publish({
        user_id: slack.ana.id,
        view: { type: 'home', blocks: [{ type: 'actions', elements: [button] }] as never[] },
      })
    await publish()
    await page.goto(`${slack.pageUrl}#app/home`)
    const opener = page.getByRole('button', { name: 'New' })
    await opener.press('Enter')
    const { trigger_id } = await requestWith(app, { type: 'block_actions' })
    await web.views.open({ trigger_id: String(trigger_id), view: FORM })
    await focusOn(dialog.getByLabel('Link'))
    await publish()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await focusOn(opener)
  },
)
