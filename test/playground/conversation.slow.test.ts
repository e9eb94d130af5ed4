import { expect } from 'vitest'
import { focusOn, GENERAL, pageTest, plainText, requestWith } from '../support/page.ts'

pageTest('completes, sends and repeats commands with the keyboard', async ({ open, app }) => {
  const { page, composer, says } = await open()
  const example = '/shorten https://example.com/some/long/page'
  const json = { text: 'Your link: <https://go.example.com/x|go.example.com/x>' }
  app.answerNext({ text: 'Done' }, { json }, { status: 500 })
  await page.getByRole('button', { name: example }).click()
  expect(await composer.inputValue()).toBe(example)
  await page.keyboard.press('Enter')
  const message = page.getByRole('article', { name: 'Backhalf, only visible to you' })
  await message.getByText('Done').waitFor()
  expect(await page.getByRole('button', { name: example }).count()).toBe(0)

  const usage = page.locator('.usage', { hasText: '/shorten' })
  await composer.fill('hello /sh')
  expect(await usage.count()).toBe(0)
  app.requests.length = 0
  for (const key of ['Enter', 'Tab']) {
    await composer.fill('/SH')
    await usage.waitFor()
    await page.keyboard.press(key)
    expect(await composer.inputValue()).toBe('/shorten ')
  }
  await page.keyboard.type('https://example.com/a?b=1&c=2')
  await page.keyboard.press('Enter')
  expect(await requestWith(app, { command: '/shorten' })).toMatchObject({
    text: 'https://example.com/a?b=1&c=2',
    channel_name: 'general',
    user_name: 'ana',
  })
  const link = message.getByRole('link', { name: 'go.example.com/x' })
  expect(await link.getAttribute('href')).toBe('https://go.example.com/x')
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(await composer.inputValue()).toBe('')
  await message.last().getByRole('button', { name: 'Dismiss message' }).press('Enter')
  await link.waitFor({ state: 'detached' })
  await focusOn(page.getByRole('log'))

  await says('/shorten https://example.com/again')
  await page.getByRole('alert').getByText('failed with the error "dispatch_failed"').waitFor()
  expect(await composer.inputValue()).toBe('/shorten https://example.com/again')
})

pageTest('shows messages and replies to everyone, as text', async ({ open, app, web, slack }) => {
  const { page, says } = await open()
  await page.keyboard.type('first line')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('second *line*')
  await page.keyboard.press('Enter')
  const typed = page.getByRole('article').filter({ hasText: 'first line' })
  expect(await typed.locator('.mrkdwn').innerText()).toBe('first line\nsecond line')
  expect(await typed.locator('strong').last().innerText()).toBe('line')

  const first = page.getByRole('article').first()
  await first.hover()
  await first.getByRole('button', { name: 'Reply in thread' }).click()
  await page.getByPlaceholder('Reply…').fill('They look well')
  await page.keyboard.press('Enter')
  const reply = page.locator('.replies').getByRole('article')
  await reply.getByText('They look well').waitFor()
  await page.keyboard.press('Escape')
  await focusOn(first.getByRole('button', { name: 'Reply in thread' }))

  const hostile = '<img src=x onerror=alert(1)> <javascript:alert(1)|press me>'
  app.answerNext({ json: { text: hostile.replace('<img', '&lt;img').replace('1)>', '1)&gt;') } })
  await says('/shorten help')
  const message = page.getByRole('article', { name: 'Backhalf' })
  await message.waitFor()
  expect(await message.locator('.mrkdwn').innerText()).toBe('<img src=x onerror=alert(1)> press me')
  expect(await message.locator('.mrkdwn :is(img, a)').count()).toBe(0)

  await page.getByRole('radio', { name: /^Ben Okafor/ }).press('Space')
  await message.waitFor({ state: 'detached' })
  await reply.getByText('They look well').waitFor()
  await page.reload()
  await page.getByPlaceholder('Message #general').waitFor()
  expect(await page.getByRole('radio', { name: /^Ben Okafor/ }).isChecked()).toBe(true)

  await web.chat.postMessage({ channel: slack.ben.id, text: 'A result' })
  const messages = page.getByRole('link', { name: 'Messages (new)' })
  await messages.click()
  await page.getByText('A result').waitFor()
  await messages.waitFor({ state: 'detached' })
})

pageTest('marks edited messages, and shows fields in columns', async ({ open, web }) => {
  const { page } = await open()
  const { ts = '' } = await web.chat.postMessage({ channel: GENERAL, text: 'One moment…' })
  await web.chat.update({ channel: GENERAL, ts, text: 'Two lines:\nyour link' })
  const message = page.getByRole('article', { name: 'Backhalf' })
  await message.getByText('edited').waitFor()
  expect(await message.locator('.mrkdwn').innerText()).toBe('Two lines:\nyour link')

  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })
  const blocks = [
    { type: 'section', fields: ['Today\n*1*', 'Last 7 days\n*2*', 'In total\n*3*'].map(mrkdwn) },
    { type: 'section', text: mrkdwn('In *blocks*') },
    { type: 'actions', elements: [{ type: 'button', text: plainText('Press') }] },
  ] as never[]
  await web.chat.update({ channel: GENERAL, ts, text: 'In blocks', blocks })
  await message.getByRole('button', { name: 'Press' }).waitFor()
  expect(await message.locator('.mrkdwn').last().innerText()).toBe('In blocks')
  const field = (words: string) => page.locator('.section-fields > div', { hasText: words })
  expect(await field('Last 7 days').innerText()).toBe('Last 7 days\n2')
  const [today, week, total] = await Promise.all(
    ['Today', 'Last 7 days', 'In total'].map((words) => field(words).boundingBox()),
  )
  expect(week?.y).toBe(today?.y)
  expect(week?.x).toBeGreaterThan(today?.x ?? NaN)
  expect(total?.x).toBe(today?.x)
})

pageTest(
  'keeps the focus on a button that the app redraws, or moves it to the log',
  async ({ open, app, web, slack }) => {
    const { page } = await open()
    const button = { type: 'button', action_id: 'next', text: plainText('Next') }
    const list = (number: number) => ({
      channel: GENERAL,
      text: `Page ${number}`,
      blocks: [
        { type: 'section', text: plainText(`Page ${number}`) },
        { type: 'actions', block_id: `page:${number}`, elements: [button] },
      ] as never[],
    })
    const { ts = '' } = await web.chat.postMessage(list(1))
    const next = page.getByRole('button', { name: 'Next' })
    await next.press('Enter')
    await requestWith(app, { type: 'block_actions' })
    await web.chat.update({ ...list(2), ts })
    await page.getByText('Page 2').waitFor()
    await focusOn(next)

    await web.chat.update({ channel: GENERAL, ts, text: 'Finished', blocks: [] })
    await page.getByText('Finished').waitFor()
    await focusOn(page.getByRole('log'))

    const posted = await web.chat.postMessage(list(3))
    await next.focus()
    slack.workspace.parts.messages.remove(GENERAL, posted.ts ?? '')
    slack.workspace.parts.changed()
    await next.waitFor({ state: 'detached' })
    await focusOn(page.getByRole('log'))
  },
)
