import { fastify } from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { playgroundPlugin } from '../../src/playground/open-playground.ts'
import { faultsOf } from '../support/accessibility.ts'
import { input, modal, pageTest, plainText } from '../support/page.ts'
import { closesModals } from '../support/playground.ts'

const options = [{ text: plainText('Newest'), value: 'newest' }]
const menu = (action_id: string, more: object = {}) => ({
  type: 'static_select',
  action_id,
  options,
  ...more,
})
const CODE = [{ type: 'text', text: 'x '.repeat(400) }]
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
        menu('three', { placeholder: plainText('Sort') }),
      ],
    },
    { type: 'section', text: plainText('Order of the links'), accessory: menu('four') },
    { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: CODE }] },
  ],
}

pageTest(
  'is accessible and fits on phones and desktops, light and dark',
  async ({ open, app, openView, page }) => {
    app.answerNext({ text: 'y'.repeat(500) }, { json: ANSWER }, { status: 500 }, {})
    const { says, dialog } = await open()
    await says('/shorten help')
    await page.getByText('yyyy').waitFor()
    await says('/shorten list')
    await page.getByRole('combobox', { name: 'Sort', exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Order of the links', exact: true }).waitFor()
    await says('/shorten again')
    await page.getByRole('alert').waitFor()
    expect(await faultsOf(page)).toEqual([])

    await openView(
      modal([
        input('Link', { type: 'url_text_input', placeholder: plainText('https://…') }),
        input('Card', { type: 'file_input' }, { hint: plainText('png'), optional: true }),
        input('Ticks', { type: 'checkboxes', options }),
      ]),
    )
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('Please complete this required field.').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await closesModals(page)

    const text = { type: 'mrkdwn', text: 'A long text.\n'.repeat(60) }
    await openView(modal([{ type: 'section', text }]))
    await dialog.getByText('A long text').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await closesModals(page)

    await page.setViewportSize({ width: 320, height: 700 })
    await page.getByRole('button', { name: 'Open the menu' }).click()
    const workflow = page.getByRole('link', { name: 'Workflow' })
    await workflow.click()
    await page.getByRole('textbox', { name: 'UTM source optional', exact: true }).waitFor()
    expect(await workflow.isVisible()).toBe(false)
    await page.getByLabel('Destination').fill('https://example.com')
    await page.getByRole('button', { name: 'Run step' }).click()
    await page.getByRole('log', { name: 'Runs' }).getByText('Running…').waitFor()
    expect(await faultsOf(page)).toEqual([])
  },
)

pageTest('reconnects to a playground that was restarted', async ({ open, slack, page }) => {
  await open()
  await slack.close()
  await page.getByText('The playground isn’t responding. Reconnecting…').waitFor()

  const again = fastify({ forceCloseConnections: true })
  const { workspace } = slack
  await again.register(playgroundPlugin, { prefix: '/playground', workspace })
  await again.listen({ host: '127.0.0.1', port: Number(new URL(slack.pageUrl).port) })
  onTestFinished(() => again.close())
  await page.getByText('The playground isn’t responding').waitFor({ state: 'detached' })
})
