import { expect } from 'vitest'
import { focusOn, GENERAL, pageTest, plainText, requestWith } from '../support/page.ts'

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex')

pageTest('marks an edited message on the last line of its text', async ({ open, web }) => {
  const { page } = await open()
  const { ts = '' } = await web.chat.postMessage({ channel: GENERAL, text: 'One moment…' })
  await web.chat.update({ channel: GENERAL, ts, text: 'Two lines:\nyour link' })
  const message = page.getByRole('article', { name: 'Backhalf' })
  await message.getByText('(edited)').waitFor()
  expect(await message.locator('.mrkdwn').innerText()).toBe('Two lines:\nyour link (edited)')

  const blocks = [
    { type: 'section', text: { type: 'mrkdwn', text: 'In *blocks*' } },
    { type: 'actions', elements: [{ type: 'button', text: plainText('Press') }] },
  ] as never[]
  await web.chat.update({ channel: GENERAL, ts, text: 'In blocks', blocks })
  await message.getByRole('button', { name: 'Press' }).waitFor()
  expect(await message.locator('.mrkdwn').innerText()).toBe('In blocks (edited)')
  expect(await message.getByText('(edited)').count()).toBe(1)
})

pageTest(
  'marks an edited message without text blocks on a separate line',
  async ({ open, app, web, slack }) => {
    const { page } = await open()
    const blocks = ['Sort', 'Sorted'].map((words) => [
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: 'sort', text: plainText(words) }],
      },
    ])
    await web.chat.postEphemeral({
      channel: GENERAL,
      user: slack.ana.id,
      text: 'Sort',
      blocks: blocks[0] as never[],
    })
    await page.getByRole('button', { name: 'Sort' }).click()
    const { response_url } = await requestWith(app, { type: 'block_actions' })
    await fetch(String(response_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ replace_original: true, text: 'Sorted', blocks: blocks[1] }),
    })
    await page.getByRole('button', { name: 'Sorted' }).waitFor()
    const message = page.getByRole('article', { name: 'Backhalf' })
    const lines = (await message.innerText()).split('\n').filter((line) => line !== '')
    expect(lines.slice(-2)).toEqual(['(edited)', 'Dismiss message'])
  },
)

pageTest('focuses the log when a message is dismissed', async ({ open, web, slack }) => {
  const { page } = await open()
  await web.chat.postEphemeral({ channel: GENERAL, user: slack.ana.id, text: 'For you' })
  const dismiss = page.getByRole('button', { name: 'Dismiss message' })
  await dismiss.press('Enter')
  await dismiss.waitFor({ state: 'detached' })
  await focusOn(page.getByRole('log'))
})

pageTest('keeps the focus on a button that the app redraws', async ({ open, app, web }) => {
  const { page } = await open()
  const list = (number: number) => ({
    channel: GENERAL,
    text: `Page ${number}`,
    blocks: [
      { type: 'section', text: { type: 'plain_text', text: `Page ${number}` } },
      {
        type: 'actions',
        block_id: `page:${number}`,
        elements: ['Back', 'Next'].map((words) => ({
          type: 'button',
          action_id: words.toLowerCase(),
          text: { type: 'plain_text', text: words },
        })),
      },
    ] as never[],
  })
  const { ts = '' } = await web.chat.postMessage(list(1))
  await page.getByRole('button', { name: 'Next' }).press('Enter')
  await requestWith(app, { type: 'block_actions' })
  await web.chat.update({ ...list(2), ts })
  await page.getByText('Page 2').waitFor()
  await focusOn(page.getByRole('button', { name: 'Next' }))
})

pageTest(
  'focuses the log when the app removes the focused button',
  async ({ open, app, web, slack }) => {
    const { page } = await open()
    const button = { type: 'button', action_id: 'done', text: plainText('Done') }
    const message = {
      channel: GENERAL,
      text: 'Ready?',
      blocks: [{ type: 'actions', elements: [button] }] as never[],
    }
    const { ts = '' } = await web.chat.postMessage(message)
    const done = page.getByRole('button', { name: 'Done' })
    await done.press('Enter')
    await requestWith(app, { type: 'block_actions' })
    await web.chat.update({ channel: GENERAL, ts, text: 'Finished', blocks: [] })
    await page.getByText('Finished').waitFor()
    await focusOn(page.getByRole('log'))

    const next = await web.chat.postMessage(message)
    await done.focus()
    slack.workspace.parts.messages.remove(GENERAL, next.ts ?? '')
    await done.waitFor({ state: 'detached' })
    await focusOn(page.getByRole('log'))
  },
)

pageTest('shows an image by its file’s URL', async ({ open, web, slack }) => {
  const { page } = await open()
  const { files } = await web.filesUploadV2({ file: PNG, filename: 'qr.png', title: 'QR code' })
  const id = files[0]?.files?.[0]?.id ?? ''
  const { file } = await web.files.info({ file: id })
  const slack_file = { url: file?.url_private ?? '' }
  await web.views.publish({
    user_id: slack.ana.id,
    view: { type: 'home', blocks: [{ type: 'image', slack_file, alt_text: 'QR code' }] },
  })
  await page.goto(`${slack.pageUrl}#app/home`)
  const image = page.getByRole('img', { name: 'QR code' })
  expect(await image.getAttribute('src')).toMatch(new RegExp(`/files/${id}$`))
})

pageTest('shows the fields of a section in two columns', async ({ open, web }) => {
  const { page } = await open()
  const fields = ['Today\n*1*', 'Last 7 days\n*2*', 'In total\n*3*'].map((text) => ({
    type: 'mrkdwn',
    text,
  }))
  const blocks = [{ type: 'section', fields }] as never[]
  await web.chat.postMessage({ channel: GENERAL, text: 'Clicks', blocks })
  const field = (words: string) => page.locator('.section-fields > div', { hasText: words })
  expect(await field('Last 7 days').innerText()).toBe('Last 7 days\n2')
  const [today, week, total] = await Promise.all(
    ['Today', 'Last 7 days', 'In total'].map((words) => field(words).boundingBox()),
  )
  expect(week?.y).toBe(today?.y)
  expect(week?.x).toBeGreaterThan(today?.x ?? NaN)
  expect(total?.x).toBe(today?.x)
})

pageTest('keeps the header on one line on a narrow screen', async ({ open, web, slack }) => {
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
