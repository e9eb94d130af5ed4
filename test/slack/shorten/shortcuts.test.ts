import { expect } from 'vitest'
import { withApp } from '../../support/fixtures.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

const { test, slack, ana, ben } = withApp({ clock: createFakeClock() })

test('the global shortcut’s form asks where to show the result, and shows it there', async () => {
  await ana.runsShortcut('shorten_link')
  await ana.seesModal()
  ana.fills({ Destination: 'https://example.com/from-shortcut', 'Show the result in': 'marketing' })
  await ana.submits()
  expect(await ana.gets('from-shortcut', { in: 'marketing' })).toMatchObject({ ephemeral: true })
})

test('sends the result as a direct message if the user chooses no conversation', async () => {
  await ben.runsShortcut('shorten_link')
  await ben.seesModal()
  ben.fills({ Destination: 'https://example.com/to-me', 'Show the result in': null })
  await ben.submits()
  expect(texts(await ben.gets('to-me', { in: 'app' }))).not.toContain('share_link')
})

test('the message shortcut fills in the message’s link, and answers in its thread for everyone', async () => {
  const destination_url = 'https://example.com/in-a-message?a=1&b=2'
  const message = await ben.posts(`Have a look at ${destination_url} please`)
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal()
  expect(ana.form()).toMatchObject({ destination_url })
  await ana.submits()
  for (const text of ['Your short link:', 'QR code for']) {
    const answer = await ben.gets(text)
    expect(answer).toMatchObject({ ephemeral: false, threadTs: message.ts })
    expect(texts(answer)).not.toContain('share_link')
  }
})

test('the form says that everyone sees the answer, and only the user sees an error', async () => {
  const message = await ben.posts('https://example.com/seen-by-everyone')
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal('The short link is posted as a reply to the message, where everyone sees it.')
  await ana.closes()

  slack.failNext('views.open', { error: 'expired_trigger_id' })
  const seen = ben.sees('general').length
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.gets('Something went wrong on our side, and it has been logged. Please try again.', {
    in: 'app',
  })
  expect(ben.sees('general')).toHaveLength(seen)
})

test('opens an empty form for a message without a link, and says why', async () => {
  const message = await ana.posts('No link here')
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal('That message has no links. You can enter one here.')
})
