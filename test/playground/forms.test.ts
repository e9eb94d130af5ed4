import { expect } from 'vitest'
import {
  focusOn,
  GENERAL,
  input,
  modal,
  pageTest,
  plainText,
  requestWith,
} from '../support/page.ts'

const FORM = modal([
  input('Link', { type: 'url_text_input' }),
  input('Title', { type: 'plain_text_input', max_length: 10 }, { optional: true }),
])

pageTest('shows an error at its field, which gets the focus', async ({ open, app, openView }) => {
  const { page, dialog, composer } = await open()
  await openView(FORM)

  await dialog.waitFor()
  const link = dialog.getByLabel('Link')
  await focusOn(link)
  await link.fill('nonsense')
  await dialog.getByLabel('Title').fill('Spring')
  await dialog.getByRole('button', { name: 'Send' }).click()

  const error = dialog.getByText('Enter a valid URL')
  await error.waitFor()
  expect(await link.getAttribute('aria-invalid')).toBe('true')
  expect(await link.getAttribute('aria-describedby')).toBe(await error.getAttribute('id'))
  await focusOn(link)

  app.answerNext({ json: { response_action: 'errors', errors: { title: 'This title is taken.' } } })
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
  expect(await requestWith(app, { type: 'view_submission' })).toMatchObject({
    view: {
      state: {
        values: {
          link: { input: { type: 'url_text_input', value: 'https://example.com/' } },
          title: { input: { type: 'plain_text_input', value: 'Summer' } },
        },
      },
    },
  })
  await focusOn(composer)
})

pageTest('keeps a typed value through an update', async ({ open, app, web, openView }) => {
  const { dialog } = await open()
  const reveal = {
    type: 'actions',
    block_id: 'reveal',
    elements: [{ type: 'button', action_id: 'reveal', text: plainText('More') }],
  }
  const link = input('Link', { type: 'plain_text_input' })
  const viewId = await openView(modal([link, reveal]))
  await dialog.getByLabel('Link').fill('typed')
  await dialog.getByRole('button', { name: 'More' }).click()
  expect(await requestWith(app, { type: 'block_actions' })).toMatchObject({
    view: { state: { values: { link: { input: { value: 'typed' } } } } },
  })

  await web.views.update({
    view_id: viewId,
    view: modal([
      input('Link', { type: 'plain_text_input', initial_value: 'from the app' }),
      input('Source', { type: 'plain_text_input', initial_value: 'newsletter' }),
    ]),
  })
  await focusOn(dialog.getByLabel('Source'))
  expect(await dialog.getByLabel('Link').inputValue()).toBe('typed')
  expect(await dialog.getByLabel('Source').inputValue()).toBe('newsletter')
})

pageTest(
  'does not rerender messages while a person types',
  async ({ open, web, page, openView }) => {
    const { dialog } = await open()
    await openView(FORM)
    await focusOn(dialog.getByLabel('Link'))
    // Rendering a message formats its time of day.
    await page.evaluate(`
    globalThis.drawn = 0
    const tell = Date.prototype.toLocaleTimeString
    Date.prototype.toLocaleTimeString = function (...how) {
      globalThis.drawn += 1
      return tell.apply(this, how)
    }`)
    await page.keyboard.type('https://example.com/')
    expect(await dialog.getByLabel('Link').inputValue()).toBe('https://example.com/')
    expect(await page.evaluate('globalThis.drawn')).toBe(0)
    await web.chat.postMessage({ channel: 'C0GENERAL000', text: 'news' })
    await page.getByText('news').waitFor()
    expect(await page.evaluate('globalThis.drawn')).toBeGreaterThan(0)
  },
)

pageTest('uploads, removes and submits a file', async ({ open, app, openView }) => {
  const { dialog } = await open()
  const view = modal([input('Card', { type: 'file_input', filetypes: ['png'], max_files: 1 })])
  await openView(view)

  const pick = dialog.getByLabel('Card')
  await pick.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('one') })
  await dialog.getByText('a.png').waitFor()
  await dialog.getByRole('button', { name: 'Remove a.png' }).click()
  await dialog.getByText('a.png').waitFor({ state: 'detached' })
  await pick.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('two') })
  await dialog.getByText('b.png').waitFor()
  await dialog.getByRole('button', { name: 'Send' }).click()

  await dialog.waitFor({ state: 'hidden' })
  expect(await requestWith(app, { type: 'view_submission' })).toMatchObject({
    view: { state: { values: { card: { input: { files: [{ name: 'b.png', size: 3 }] } } } } },
  })
})

pageTest('submits Slack’s state of every input', async ({ open, app, openView }) => {
  const { dialog } = await open()
  const option = (words: string) => ({ text: plainText(words), value: words })
  const options = [option('red'), option('green'), option('blue')]
  await openView(
    modal([
      input('Notes', { type: 'plain_text_input', multiline: true }),
      input('Menu', { type: 'static_select', options }),
      input('Radio', { type: 'radio_buttons', options }),
      input('Ticks', { type: 'checkboxes', options, initial_options: [options[0]] }),
      input('When', { type: 'datetimepicker' }),
      input('Where', { type: 'conversations_select', default_to_current_conversation: true }),
    ]),
  )
  await dialog.getByLabel('Notes').fill('one\ntwo')
  await dialog.getByLabel('Menu').selectOption('green')
  await dialog.getByRole('group', { name: 'Radio' }).getByLabel('blue').check()
  await dialog.getByRole('group', { name: 'Ticks' }).getByLabel('red').uncheck()
  await dialog.getByRole('group', { name: 'Ticks' }).getByLabel('green').check()
  await dialog.getByLabel('When').fill('2026-03-02T12:00')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.waitFor({ state: 'hidden' })

  const { view } = await requestWith(app, { type: 'view_submission' })
  expect((view as { state: unknown }).state).toEqual({
    values: {
      notes: { input: { type: 'plain_text_input', value: 'one\ntwo' } },
      menu: { input: { type: 'static_select', selected_option: options[1] } },
      radio: { input: { type: 'radio_buttons', selected_option: options[2] } },
      ticks: { input: { type: 'checkboxes', selected_options: [options[1]] } },
      when: {
        input: {
          type: 'datetimepicker',
          selected_date_time: new Date('2026-03-02T12:00').getTime() / 1000,
        },
      },
      where: { input: { type: 'conversations_select', selected_conversation: GENERAL } },
    },
  })
})

pageTest(
  'closes the top modal on Escape, and keeps the values of the one below',
  async ({ open, app, web, openView }) => {
    const { page, dialog } = await open()
    await openView(
      modal([
        input('Name', { type: 'plain_text_input' }),
        {
          type: 'actions',
          elements: [{ type: 'button', action_id: 'deeper', text: plainText('Deeper') }],
        },
      ]),
    )
    await dialog.getByLabel('Name').fill('typed')
    await dialog.getByRole('button', { name: 'Deeper' }).click()
    const pressed = await requestWith(app, { type: 'block_actions' })
    await web.views.push({
      trigger_id: String(pressed.trigger_id),
      view: modal([{ type: 'header', text: plainText('Nothing to fill in') }], {
        title: plainText('On top'),
      }),
    })
    await dialog.getByRole('heading', { name: 'On top' }).waitFor()

    await page.keyboard.press('Escape')
    await dialog.getByRole('heading', { name: 'A form' }).waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('typed')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  },
)

pageTest(
  'shows Slack’s errors above an open modal, where they can be dismissed',
  async ({ open, web, openView }) => {
    const { dialog } = await open()
    const viewId = await openView(FORM)
    const tooLong = modal([], { title: plainText('x'.repeat(25)) })
    await web.views.update({ view_id: viewId, view: tooLong }).catch(() => undefined)

    const refusal = dialog.getByRole('region', { name: 'Slack errors' })
    await refusal.waitFor()
    expect(await refusal.innerText()).toMatch(/views\.update[^]*json-pointer:\/view\/title\/text/)
    await refusal.getByRole('button', { name: 'Dismiss Slack errors' }).click()
    await refusal.waitFor({ state: 'detached' })
  },
)
