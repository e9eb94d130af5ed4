import { expect } from 'vitest'
import { focusOn, GENERAL, input, modal, pageTest, requestWith } from '../support/page.ts'

pageTest('completes a command with the keyboard, and marks its answer', async ({ open, app }) => {
  app.answerNext({ json: { text: 'Your link: <https://go.example.com/x|go.example.com/x>' } })
  const { page, composer } = await open()

  await page.keyboard.type('/sh')
  const option = page.getByRole('option', { name: '/shorten' })
  await option.waitFor()
  expect(await option.getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Tab')
  expect(await composer.inputValue()).toBe('/shorten ')
  await page.keyboard.type('https://example.com/a?b=1&c=2')
  await page.keyboard.press('Enter')

  const message = page.getByRole('article', { name: 'Backhalf, only visible to you' })
  await message.waitFor()
  expect(await requestWith(app, { command: '/shorten' })).toMatchObject({
    text: 'https://example.com/a?b=1&c=2',
    channel_name: 'general',
    user_name: 'ana',
  })
  const link = message.getByRole('link', { name: 'go.example.com/x' })
  expect(await link.getAttribute('href')).toBe('https://go.example.com/x')
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(await composer.inputValue()).toBe('')

  await message.getByRole('button', { name: 'Dismiss message' }).click()
  await message.waitFor({ state: 'detached' })
})

pageTest('sends on Enter, and starts a new line on Shift+Enter', async ({ open }) => {
  const { page } = await open()
  await page.keyboard.type('first line')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('second *line*')
  await page.keyboard.press('Enter')

  const message = page.getByRole('article').last()
  await message.getByText('first line').waitFor()
  expect(await message.locator('.mrkdwn').innerText()).toBe('first line\nsecond line')
  expect(await message.locator('strong').last().innerText()).toBe('line')
})

pageTest('keeps a failed command in the composer', async ({ open, app }) => {
  app.answerNext({ status: 500 })
  const { page, composer, says } = await open()
  await says('/shorten https://example.com/again')

  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').innerText()).toContain(
    '/shorten failed with the error "dispatch_failed"',
  )
  expect(await composer.inputValue()).toBe('/shorten https://example.com/again')

  await page.getByRole('link', { name: 'marketing' }).click()
  await page.getByPlaceholder('Message #marketing').waitFor()
  expect(await composer.inputValue()).toBe('')
  await page.getByRole('link', { name: 'general' }).click()
  await page.getByPlaceholder('Message #general').waitFor()
  expect(await composer.inputValue()).toBe('/shorten https://example.com/again')
})

pageTest('suggests a command to new visitors', async ({ open, app }) => {
  app.answerNext({ text: 'Done' })
  const { page, composer } = await open()
  const example = '/shorten https://example.com/some/long/page'

  await page.getByRole('button', { name: example }).click()
  expect(await composer.inputValue()).toBe(example)
  await page.keyboard.press('Enter')

  await page.getByRole('article', { name: 'Backhalf' }).waitFor()
  expect(await page.getByRole('button', { name: example }).count()).toBe(0)
})

pageTest('shows another person their own view of the same channel', async ({ open, app }) => {
  app.answerNext({ text: 'For Ana alone' })
  const { page, says } = await open()
  await page.getByRole('link', { name: 'marketing' }).click()
  await page.getByPlaceholder('Message #marketing').waitFor()
  await says('/shorten help')
  await page.getByText('For Ana alone').waitFor()

  await page.getByRole('radio', { name: /^Ben Okafor/ }).press('Space')
  await page.getByText('For Ana alone').waitFor({ state: 'detached' })
  expect(await page.getByRole('radio', { name: /^Ben Okafor/ }).isChecked()).toBe(true)
  expect(await page.getByRole('heading', { level: 2, name: 'marketing' }).isVisible()).toBe(true)

  await page.reload()
  await page.getByPlaceholder('Message #marketing').waitFor()
  expect(await page.getByRole('radio', { name: /^Ben Okafor/ }).isChecked()).toBe(true)
})

pageTest('runs shortcuts from their menus with the keyboard', async ({ open, app, web }) => {
  const { page, dialog } = await open()
  await page.getByRole('button', { name: 'Shortcuts', exact: true }).press('Enter')
  await focusOn(page.getByRole('menuitem', { name: 'Shorten a link' }))
  await page.keyboard.press('Enter')
  const { trigger_id } = await requestWith(app, {
    type: 'shortcut',
    callback_id: 'shorten_link',
  })
  const where = { type: 'conversations_select', default_to_current_conversation: true }
  await web.views.open({ trigger_id: String(trigger_id), view: modal([input('Where', where)]) })
  expect(await dialog.getByLabel('Where').inputValue()).toBe(GENERAL)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  const first = page.getByRole('article').first()
  await first.getByRole('button', { name: 'Message shortcuts' }).press('Enter')
  await focusOn(page.getByRole('menuitem', { name: 'Shorten this link' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const sent = await requestWith(app, { type: 'message_action' })
  expect(sent).toMatchObject({
    callback_id: 'shorten_message_links',
    message: { text: 'Good morning! The new office plants have arrived.' },
  })
})

pageTest('shows a reply below its message', async ({ open }) => {
  const { page } = await open()
  const first = page.getByRole('article').first()
  await first.hover()
  await first.getByRole('button', { name: 'Reply in thread' }).click()
  await page.getByPlaceholder('Reply…').fill('They look well')
  await page.keyboard.press('Enter')

  const reply = page.locator('.replies').getByRole('article')
  await reply.waitFor()
  expect(await reply.innerText()).toContain('They look well')
  await page.keyboard.press('Escape')
  await focusOn(first.getByRole('button', { name: 'Reply in thread' }))
})

pageTest('sends the app the menus of a message', async ({ open, app, web }) => {
  const text = (words: string) => ({ type: 'plain_text' as const, text: words })
  const option = (words: string) => ({ text: text(words), value: words })
  const { page } = await open()
  await web.chat.postMessage({
    channel: GENERAL,
    text: 'Choose',
    blocks: [
      {
        type: 'actions',
        block_id: 'row',
        elements: [
          { type: 'static_select', action_id: 'sort', options: [option('up'), option('down')] },
          { type: 'overflow', action_id: 'more', options: [option('Copy'), option('Share')] },
        ],
      },
    ],
  })

  await page.getByRole('combobox', { name: 'Choose' }).selectOption('down')
  expect(await requestWith(app, { type: 'block_actions' })).toMatchObject({
    actions: [{ action_id: 'sort', selected_option: option('down') }],
  })

  app.requests.length = 0
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  expect(await requestWith(app, { type: 'block_actions' })).toMatchObject({
    actions: [{ action_id: 'more', selected_option: option('Share') }],
  })
})

pageTest(
  'shows the Home tab that the app publishes on a visit',
  async ({ open, app, web, slack }) => {
    const { page } = await open()
    await page.getByRole('link', { name: 'Home' }).first().click()
    expect(await requestWith(app, { type: 'event_callback' })).toMatchObject({
      event: { type: 'app_home_opened', user: slack.ana.id, tab: 'home' },
    })
    await web.views.publish({
      user_id: slack.ana.id,
      view: {
        type: 'home',
        blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Hi' } }],
      },
    })
    await page.getByRole('heading', { name: 'Hi' }).waitFor()
  },
)

pageTest('marks unread conversations until they are opened', async ({ open, web, slack }) => {
  const { page } = await open()
  await web.chat.postMessage({ channel: slack.ana.id, text: 'A result' })
  const messages = page.getByRole('link', { name: 'Messages (new)' })
  await messages.click()
  await page.getByText('A result').waitFor()
  await messages.waitFor({ state: 'detached' })
})

pageTest('shows what an app sends as text, never as HTML', async ({ open, app }) => {
  const { page, says } = await open()
  const hostile = '<img src=x onerror=alert(1)> <javascript:alert(1)|press me>'
  app.answerNext({ json: { text: hostile.replace('<img', '&lt;img').replace('1)>', '1)&gt;') } })
  await says('/shorten help')

  const message = page.getByRole('article', { name: 'Backhalf' })
  await message.waitFor()
  expect(await message.locator('.mrkdwn').innerText()).toBe('<img src=x onerror=alert(1)> press me')
  expect(await message.locator('img, a').count()).toBe(0)
})
