import { expect } from 'vitest'
import { startApp } from '../../support/app.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test, ana } = withApp({ slack: { scopes: ['commands', 'chat:write', 'users:read'] } })

test('explains in the settings what is missing without users:read, and what to do', async () => {
  const scopes = ['commands', 'chat:write', 'files:write']
  const limited = await startApp({ slack: { scopes } })
  const { ana } = limited.slack
  await ana.opens('/shorten settings', 'An admin can grant it by installing the app again')
  await limited.stop()
})

test('creates links without files:write, and says why there are no QR codes', async () => {
  const notAllowed = 'To show QR codes in Slack, Backhalf needs permission to upload files'
  const answer = await ana.asks('/shorten https://example.com/no-code title=Spring')
  expect(texts(answer)).toContain(notAllowed)
  expect(texts(answer)).not.toContain('"QR code"')

  await ana.asks('/shorten list', { in: 'marketing', for: 'Spring' })
  await ana.chooses('Copy, QR code, share…', { in: 'marketing' })
  await ana.seesModal(notAllowed)
})
