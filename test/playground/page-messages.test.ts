import { expect } from 'vitest'
import { focusOn, pageTest } from '../support/page.ts'

const GENERAL = 'C0GENERAL000'

pageTest('that a message was changed stands on the line of its text', async ({ open, web }) => {
  const { page } = await open()
  const { ts = '' } = await web.chat.postMessage({ channel: GENERAL, text: 'One moment…' })
  await web.chat.update({ channel: GENERAL, ts, text: 'Two lines:\nyour link' })
  const message = page.getByRole('article', { name: 'Backhalf' })
  await message.getByText('(edited)').waitFor()
  expect(await message.locator('.mrkdwn').innerText()).toBe('Two lines:\nyour link (edited)')

  const blocks = [{ type: 'section', text: { type: 'plain_text', text: 'In blocks' } }] as never[]
  await web.chat.update({ channel: GENERAL, ts, text: 'In blocks', blocks })
  await message.getByText('In blocks').waitFor()
  expect(await message.getByText('(edited)').count()).toBe(1)
})

pageTest(
  'the focus stays in the conversation when a message is dismissed',
  async ({ open, web, slack }) => {
    const { page } = await open()
    await web.chat.postEphemeral({ channel: GENERAL, user: slack.ana.id, text: 'For you' })
    const dismiss = page.getByRole('button', { name: 'Dismiss message' })
    await dismiss.press('Enter')
    await dismiss.waitFor({ state: 'detached' })
    await focusOn(page.getByRole('log'))
  },
)

pageTest('on a narrow screen the header is one line', async ({ open, web, slack }) => {
  const { page } = await open()
  await web.views.publish({
    user_id: slack.ana.id,
    view: { type: 'home', blocks: [{ type: 'divider' }] },
  })
  await page.setViewportSize({ width: 380, height: 640 })
  for (const place of ['#channel/C0MARKETING0', '#app/home', '#app/messages']) {
    await page.goto(`${slack.pageUrl}${place}`)
    const title = page.locator('.page-title h2')
    await title.waitFor()
    expect((await title.boundingBox())?.height).toBeLessThan(35)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380)
  }
})
