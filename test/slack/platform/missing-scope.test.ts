import { expect } from 'vitest'
import { startApp } from '../../support/app.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test, ana } = withApp({ slack: { scopes: ['commands', 'chat:write', 'users:read'] } })

test('leaves the image out of the form without files:read, explains why, and makes links', async () => {
  await ana.opens('/shorten')
  await ana.presses('Add a custom preview')
  const view = await ana.seesModal('preview_title')
  expect(view).not.toContain('file_input')
  expect(view).toContain(
    'To add an image here, an admin has to allow Backhalf to read files, by installing it again.',
  )
  ana.fills({ Destination: 'https://example.com/no-image', 'Preview title': 'Hello' })
  await ana.submits()
  await ana.gets('with a custom preview')
})

test('explains in the settings what is missing without users:read, and what to do', async () => {
  const scopes = ['commands', 'chat:write', 'files:write']
  const limited = await startApp({ slack: { scopes } })
  const { ana } = limited.slack
  await ana.opens('/shorten settings', 'An admin can grant it by installing the app again')
  await limited.stop()
})

test('makes links without files:write, and says why there are no QR codes', async () => {
  const notAllowed = 'To show QR codes in Slack, Backhalf needs permission to upload files'
  const answer = await ana.asks('/shorten https://example.com/no-code title=Spring')
  expect(texts(answer)).toContain(notAllowed)
  expect(texts(answer)).not.toContain('"QR code"')

  await ana.asks('/shorten list', { in: 'marketing', for: 'Spring' })
  await ana.presses('QR code', { in: 'marketing' })
  await ana.seesModal(notAllowed)
})
