import { fastify } from 'fastify'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { playgroundPlugin } from '../../src/playground/open-playground.ts'
import { accessibilityFaults } from '../support/accessibility.ts'
import { input, modal, pageTest, plainText, requestWith } from '../support/page.ts'

const ANSWER = {
  text: 'An answer',
  blocks: [
    { type: 'header', text: plainText('Links') },
    { type: 'section', text: { type: 'mrkdwn', text: '*<https://example.com|x>* `code` <!here>' } },
    { type: 'context', elements: [{ type: 'mrkdwn', text: 'Page *1* of 2' }] },
    { type: 'section', text: { type: 'mrkdwn', text: `\`\`\`${'code '.repeat(80)}\`\`\`` } },
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'one', text: plainText('Go'), style: 'primary' },
        { type: 'button', action_id: 'two', text: plainText('Remove'), style: 'danger' },
        {
          type: 'static_select',
          action_id: 'three',
          placeholder: plainText('Sort'),
          options: [{ text: plainText('Newest'), value: 'newest' }],
        },
      ],
    },
    {
      type: 'section',
      text: plainText('Order of the links'),
      accessory: {
        type: 'static_select',
        action_id: 'four',
        options: [{ text: plainText('Newest'), value: 'newest' }],
      },
    },
    {
      type: 'rich_text',
      elements: [
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x '.repeat(400) }] },
      ],
    },
  ],
}

/** The accessibility errors of a page in both themes, on a desktop and on a phone. */
async function errorsIn(page: Page): Promise<string[]> {
  const errors: string[] = []
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 720 })
    for (const colorScheme of ['light', 'dark'] as const) {
      // Without transitions, all colors change at once.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const found = await accessibilityFaults(page)
      errors.push(...found.map((error) => `${colorScheme}, ${width} pixels: ${error}`))
    }
  }
  return errors
}

pageTest('is accessible in the light and the dark theme', async ({ open, app, web, page }) => {
  app.answerNext({ json: ANSWER }, { status: 500 }, {})
  const { says, dialog, composer } = await open()
  await says('/shorten list')
  await page.getByRole('combobox', { name: 'Sort', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Order of the links', exact: true }).waitFor()
  await says('/shorten again')
  await page.getByRole('alert').waitFor()
  expect(await errorsIn(page)).toEqual([])

  app.requests.length = 0
  await composer.press('Enter')
  const { trigger_id } = await requestWith(app, { command: '/shorten' })
  await web.views.open({
    trigger_id: String(trigger_id),
    view: modal([
      input('Link', { type: 'url_text_input', placeholder: plainText('https://…') }),
      input('Card', { type: 'file_input' }, { hint: plainText('png'), optional: true }),
      input('Ticks', {
        type: 'checkboxes',
        options: [{ text: plainText('QR code'), value: 'qr' }],
      }),
    ]),
  })
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('Please complete this required field.').first().waitFor()
  expect(await errorsIn(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  app.requests.length = 0
  await composer.fill('/shorten')
  await composer.press('Enter')
  const again = await requestWith(app, { command: '/shorten' })
  const text = { type: 'mrkdwn', text: 'A long text.\n'.repeat(60) }
  await web.views.open({
    trigger_id: String(again.trigger_id),
    view: modal([{ type: 'section', text }]),
  })
  await dialog.getByText('A long text').waitFor()
  expect(await errorsIn(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('link', { name: 'Workflow' }).click()
  await page.getByRole('textbox', { name: 'UTM source optional', exact: true }).waitFor()
  await page.getByLabel('Destination').fill('https://example.com')
  await page.getByRole('button', { name: 'Run step' }).click()
  await page.getByRole('log', { name: 'Runs' }).getByText('Running…').waitFor()
  expect(await errorsIn(page)).toEqual([])
})

pageTest('does not scroll sideways in a window of 380 pixels', async ({ open, app, page }) => {
  await page.setViewportSize({ width: 380, height: 700 })
  app.answerNext({ json: { ...ANSWER, text: 'x'.repeat(500) } }, { text: 'y'.repeat(500) })
  const { says } = await open()
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await says('/shorten list')
  await page.getByRole('article', { name: 'Backhalf' }).waitFor()
  await says('/shorten help')
  await page.getByText('yyyy').waitFor()
  expect(await width()).toBe(380)

  await page.getByRole('button', { name: 'Open the menu' }).click()
  await page.getByRole('link', { name: 'marketing' }).click()
  await page.getByPlaceholder('Message #marketing').waitFor()
  expect(await page.getByRole('link', { name: 'marketing' }).isVisible()).toBe(false)
  expect(await width()).toBe(380)
})

pageTest('reconnects to a playground that was restarted', async ({ open, slack, page }) => {
  await open()
  await slack.close()
  await page.getByText('The playground isn’t answering. Reconnecting…').waitFor()

  const again = fastify({ forceCloseConnections: true })
  const { workspace } = slack
  await again.register(playgroundPlugin, { prefix: '/playground', workspace })
  await again.listen({ host: '127.0.0.1', port: Number(new URL(slack.pageUrl).port) })
  try {
    await page.getByText('The playground isn’t answering').waitFor({ state: 'detached' })
  } finally {
    await again.close()
  }
})
