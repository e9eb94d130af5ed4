import { expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { shareApp } from '../../support/shared-app.ts'
import { texts } from '../../support/texts.ts'

const app = shareApp(startApp)

test('the global shortcut’s form asks where to show the result, and shows it there', async () => {
  const { ana, until } = app.slack
  await ana.runsShortcut('shorten_link')
  await until(() => ana.modal())
  ana.fills({ Destination: 'https://example.com/from-shortcut', 'Show the result in': 'marketing' })
  await ana.submits()
  const answer = await until(() =>
    ana.sees('marketing').find((one) => texts(one).includes('from-shortcut')),
  )
  expect(answer.ephemeral).toBe(true)
})

test('sends the result as a direct message if the user chooses no conversation', async () => {
  const { ben, until } = app.slack
  await ben.runsShortcut('shorten_link')
  await until(() => ben.modal())
  ben.fills({ Destination: 'https://example.com/to-me', 'Show the result in': null })
  await ben.submits()
  await until(() => texts(ben.newest('app')).includes('to-me'))
  expect(texts(ben.newest('app'))).not.toContain('share_link')
})

test('the message shortcut fills in the message’s link, and answers in its thread for everyone', async () => {
  const { ana, ben, until } = app.slack
  await ben.types('Have a look at https://example.com/in-a-message?a=1&b=2 please', {
    in: 'general',
  })
  const message = await until(() =>
    ben.sees('general').find(({ text }) => text.includes('in-a-message')),
  )
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await until(() => ana.modal())
  expect(ana.form()).toMatchObject({
    destination_url: 'https://example.com/in-a-message?a=1&b=2',
  })
  await ana.submits()
  for (const text of ['Your short link:', 'QR code for']) {
    const answer = await until(() => ben.sees('general').find((one) => one.text.startsWith(text)))
    expect(answer).toMatchObject({ ephemeral: false, threadTs: message.ts })
  }
})

test('the form says that everyone sees the answer, and only the user sees an error', async () => {
  const { ana, ben, until } = app.slack
  const [message] = ana.sees('general')
  if (!message) throw new Error('there is no message to start with')
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await until(() =>
    texts(ana.modal()).includes(
      'The short link is posted as a reply to the message, where everyone sees it.',
    ),
  )
  await ana.closes()

  app.slack.failNext('views.open', { error: 'expired_trigger_id' })
  const seen = ben.sees('general').length
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await until(() =>
    JSON.stringify(ana.newest('app') ?? {}).includes(
      'Something went wrong on our side, and it has been logged. Please try again.',
    ),
  )
  expect(ben.sees('general')).toHaveLength(seen)
})

test('opens an empty form for a message without a link, and says why', async () => {
  const { ana, until } = app.slack
  await ana.types('No link here', { in: 'general' })
  const message = await until(() => ana.sees('general').find(({ text }) => text === 'No link here'))
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await until(() =>
    texts(ana.modal()).includes('That message has no links. You can enter one here.'),
  )
  await ana.closes()
})

test('a button in the Home tab opens the form', async () => {
  const { ana, until } = app.slack
  await ana.opensHome()
  await until(() => ana.home())
  await ana.presses('Shorten a link', { in: 'home' })
  await until(() => ana.modal())
  expect(ana.form()).toHaveProperty('conversation')
  await ana.closes()
})
