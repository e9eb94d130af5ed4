import { expect } from 'vitest'
import { GENERAL, focusOn, input, modal, pageTest } from '../support/page.ts'
import { plainText, requestWith } from '../support/page.ts'

const FORM = modal([
  input('Link', { type: 'url_text_input' }),
  input('Title', { type: 'plain_text_input', max_length: 10 }, { optional: true }),
])

function button(words: string) {
  return { type: 'button', action_id: words.toLowerCase(), text: plainText(words) }
}

pageTest(
  'shows an error at its field, which gets the focus',
  async ({ open, app, web, openView }) => {
    const { page, dialog, composer } = await open()
    await openView(FORM)
    const link = dialog.getByLabel('Link')
    await focusOn(link)
    // Rendering a message formats its time of day.
    await page.evaluate(`
    globalThis.drawn = 0
    const tell = Date.prototype.toLocaleTimeString
    Date.prototype.toLocaleTimeString = function (...how) {
      globalThis.drawn += 1
      return tell.apply(this, how)
    }`)
    await page.keyboard.type('nonsense')
    await dialog.getByLabel('Title').fill('Spring')
    expect(await page.evaluate('globalThis.drawn')).toBe(0)
    await dialog.getByRole('button', { name: 'Send' }).click()

    const error = dialog.getByText('Enter a valid URL')
    await error.waitFor()
    expect(await link.getAttribute('aria-invalid')).toBe('true')
    expect(await link.getAttribute('aria-describedby')).toBe(await error.getAttribute('id'))
    await focusOn(link)

    const errors = { title: 'This title is taken.' }
    app.answerNext({ json: { response_action: 'errors', errors } })
    await link.fill('https://example.com/')
    await page.keyboard.press('Enter')
    await dialog.getByText('This title is taken.').waitFor()
    expect(await error.count()).toBe(0)
    const title = dialog.getByLabel('Title')
    await focusOn(title)

    app.requests.length = 0
    await title.fill('Summer')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    const values = {
      link: { input: { type: 'url_text_input', value: 'https://example.com/' } },
      title: { input: { type: 'plain_text_input', value: 'Summer' } },
    }
    expect(await requestWith(app, { type: 'view_submission' })).toMatchObject({
      view: { state: { values } },
    })
    await focusOn(composer)
    await web.chat.postMessage({ channel: GENERAL, text: 'news' })
    await page.getByText('news').waitFor()
    expect(await page.evaluate('globalThis.drawn')).toBeGreaterThan(0)
  },
)

pageTest(
  'keeps typed values through updates, and focuses what the app adds',
  async ({ open, app, web, openView }) => {
    const { dialog } = await open()
    const view_id = await openView(modal([{ type: 'header', text: plainText('One moment…') }]))
    await focusOn(dialog.getByRole('button', { name: 'Send' }))
    const reveal = { type: 'actions', block_id: 'reveal', elements: [button('More')] }
    const link = input('Link', { type: 'plain_text_input' })
    await web.views.update({ view_id, view: modal([link, reveal]) })
    await focusOn(dialog.getByLabel('Link'))

    await dialog.getByLabel('Link').fill('typed')
    await dialog.getByRole('button', { name: 'More' }).click()
    expect(await requestWith(app, { type: 'block_actions' })).toMatchObject({
      view: { state: { values: { link: { input: { value: 'typed' } } } } },
    })
    const options = [{ text: plainText('red'), value: 'red' }]
    const all = [
      input('Link', { type: 'plain_text_input', initial_value: 'from the app' }),
      input('Source', { type: 'plain_text_input', initial_value: 'newsletter' }),
    ]
    await web.views.update({ view_id, view: modal(all) })
    await focusOn(dialog.getByLabel('Source'))
    expect(await dialog.getByLabel('Link').inputValue()).toBe('typed')
    expect(await dialog.getByLabel('Source').inputValue()).toBe('newsletter')
    const medium = input('Medium', { type: 'plain_text_input' })
    const color = input('Color', { type: 'radio_buttons', options, focus_on_load: true })
    await web.views.update({ view_id, view: modal([...all, medium, color]) })
    await focusOn(dialog.getByLabel('red'))

    const tooLong = modal([], { title: plainText('x'.repeat(25)) })
    await web.views.update({ view_id, view: tooLong }).catch(() => undefined)
    const refusal = dialog.getByRole('region', { name: 'Slack errors' })
    await refusal.waitFor()
    expect(await refusal.innerText()).toMatch(/views\.update[^]*json-pointer:\/view\/title\/text/)
    expect(await refusal.innerText()).toContain('it has handled this')
    await refusal.getByRole('button', { name: 'Dismiss Slack errors' }).click()
    await refusal.waitFor({ state: 'detached' })
  },
)

pageTest('submits Slack’s state of every input', async ({ open, app, openView }) => {
  const { dialog } = await open()
  const option = (words: string) => ({ text: plainText(words), value: words })
  const options = [option('red'), option('green'), option('blue')]
  const row = [option('this row')]
  const ticks = { type: 'checkboxes', action_id: 'tick', options: row, initial_options: row }
  await openView(
    modal([
      input('Notes', { type: 'plain_text_input', multiline: true }),
      input('Menu', { type: 'static_select', options }),
      input('Radio', { type: 'radio_buttons', options }),
      input('Ticks', { type: 'checkboxes', options, initial_options: [options[0]] }),
      input('When', { type: 'datetimepicker' }),
      input('Where', { type: 'conversations_select', default_to_current_conversation: true }),
      { type: 'section', block_id: 'row', text: plainText('A row'), accessory: ticks },
    ]),
  )
  await dialog.getByLabel('Notes').fill('one\ntwo')
  await dialog.getByLabel('Menu').selectOption('green')
  await dialog.getByRole('group', { name: 'Radio' }).getByLabel('blue').check()
  await dialog.getByRole('group', { name: 'Ticks' }).getByLabel('red').uncheck()
  await dialog.getByRole('group', { name: 'Ticks' }).getByLabel('green').check()
  await dialog.getByLabel('When').fill('2026-03-02T12:00')
  await dialog.getByLabel('this row').uncheck()
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.waitFor({ state: 'hidden' })

  const selected_date_time = new Date('2026-03-02T12:00').getTime() / 1000
  const { view } = await requestWith(app, { type: 'view_submission' })
  expect((view as { state: unknown }).state).toEqual({
    values: {
      notes: { input: { type: 'plain_text_input', value: 'one\ntwo' } },
      menu: { input: { type: 'static_select', selected_option: options[1] } },
      radio: { input: { type: 'radio_buttons', selected_option: options[2] } },
      ticks: { input: { type: 'checkboxes', selected_options: [options[1]] } },
      when: { input: { type: 'datetimepicker', selected_date_time } },
      where: { input: { type: 'conversations_select', selected_conversation: GENERAL } },
      row: { tick: { type: 'checkboxes', selected_options: [] } },
    },
  })
})

/** A form with a button that opens another form. */
function view(title: string) {
  const name = input('Name', { type: 'plain_text_input' }, { optional: true })
  const actions = { type: 'actions', elements: [button('Other'), button('Deeper')] }
  return modal([name, actions], { title: plainText(title) })
}

pageTest(
  'opens modals above each other, and returns to each as it was',
  async ({ open, app, web, openView }) => {
    const { page, dialog, composer } = await open()
    await openView(view('First'))
    const deeper = dialog.getByRole('button', { name: 'Deeper' })
    const heading = (name: string) => dialog.getByRole('heading', { name }).waitFor()
    const push = async (title: string): Promise<void> => {
      app.requests.length = 0
      await deeper.click()
      const { trigger_id } = await requestWith(app, { type: 'block_actions' })
      await web.views.push({ trigger_id: String(trigger_id), view: view(title) })
    }
    await dialog.getByLabel('Name').fill('typed')
    await push('Second')
    await heading('Second')
    await focusOn(dialog.getByLabel('Name'))
    expect(await dialog.getByLabel('Name').inputValue()).toBe('')
    await push('Third')
    await heading('Third')
    await expect(push('Fourth')).rejects.toThrow('push_limit_reached')

    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await heading('Second')
    await focusOn(deeper)
    await page.keyboard.press('Escape')
    // A second Escape in the same modal closes it without asking the page.
    await dialog.getByRole('heading', { name: 'Second' }).waitFor({ state: 'detached' })
    await heading('First')
    await focusOn(deeper)

    await page.route('**/actions?*', (route) => route.abort())
    await page.keyboard.press('Escape')
    await dialog.getByText('Can’t reach the playground.').waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('typed')
    await page.unroute('**/actions?*')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await focusOn(composer)

    await openView(view('First'))
    await push('Second')
    await heading('Second')
    await page.reload()
    await focusOn(dialog.getByLabel('Name'))
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await heading('First')
    await focusOn(dialog.getByLabel('Name'))
  },
)

pageTest('types into the composer after a modal is closed', async ({ open, openView }) => {
  const { page, composer, dialog } = await open()
  const ways = [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Close' }).last().click(),
  ]
  for (const close of ways) {
    await openView(FORM)
    await focusOn(dialog.getByLabel('Link'))
    await page.keyboard.type('typed')

    await close()
    await dialog.waitFor({ state: 'hidden' })
    await page.keyboard.type('hello')
    expect(await composer.inputValue()).toBe('hello')
  }
})

pageTest(
  'returns the focus to a button of the Home tab that the app redraws meanwhile',
  async ({ open, app, web, slack }) => {
    const { page, dialog } = await open()
    await page.getByRole('link', { name: 'Home' }).first().click()
    expect(await requestWith(app, { type: 'event_callback' })).toMatchObject({
      event: { type: 'app_home_opened', user: slack.ana.id, tab: 'home' },
    })
    const blocks = [{ type: 'actions', elements: [button('New')] }] as never[]
    const publish = () =>
      web.views.publish({ user_id: slack.ana.id, view: { type: 'home', blocks } })
    await publish()
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
